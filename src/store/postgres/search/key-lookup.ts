import { type KeyLookup, type KeyRow, keysOfQuery, SAME_KEY_MAX, STARTING_MAX } from '../../search/identities.ts';
import { KEY } from '../../search/layers.ts';
import type { Query } from '../../search/query.ts';
import type { Answers, Asked } from './answers.ts';
import { arrayOf } from './lexemes.ts';

interface Row extends KeyRow {
  readonly key: string;
}

/** A table of keys that can be told what will be asked, so that it is fetched together. */
interface ExpectingKeys extends KeyLookup {
  /** Says that names like these queries will be looked for. */
  expect(queries: readonly Query[]): void;
}

/** The keys of a type for one search. */
export function createKeyLookup(answers: Answers, type: string): ExpectingKeys {
  const same = (keys: readonly string[]): Asked => ({ sql: sameSql(type), parameters: [arrayOf(keys)] });
  const starting = startingSql(type);
  /** Keys that are asked for in one statement. */
  const together: string[][] = [];
  return {
    expect: (queries) => {
      const known = new Set(together.flat());
      const keys = [...new Set(queries.flatMap(keysOfQuery))].filter((key) => !known.has(key));
      if (keys.length === 0) return;
      together.push(keys);
      const begun = queries.filter(({ joined }) => joined !== '');
      const beginnings = begun.map(({ joined }) => ({ sql: starting, parameters: boundsOf(joined) }));
      answers.expect([same(keys), ...beginnings]);
    },
    same: (key) => {
      const { sql, parameters } = same(together.find((keys) => keys.includes(key)) ?? [key]);
      return answers.rows<Row>(sql, ...parameters).filter((row) => row.key === key);
    },
    starting: (after, before) =>
      answers.rows<{ ordinal: number }>(starting, after, before).map(({ ordinal }) => ordinal),
  };
}

/** As `createIdentities` asks for names that begin with a query. */
const boundsOf = (joined: string): [string, string] => [joined, `${joined}\u{10ffff}`];

const sameSql = (type: string): string => `SELECT asked.key, same.ordinal, same.kind
  FROM unnest(CAST(? AS TEXT[])) AS asked (key)
  CROSS JOIN LATERAL (
    SELECT ordinal, kind FROM ${type}_search_keys AS kept WHERE kept.key = asked.key ORDER BY kind, ordinal LIMIT ${SAME_KEY_MAX}
  ) AS same`;

const startingSql = (type: string): string => `SELECT ordinal FROM ${type}_search_keys
  WHERE key > ? AND key < ? AND kind <= ${KEY.alias} ORDER BY key, kind, ordinal LIMIT ${STARTING_MAX + 1}`;
