import type { Database } from 'better-sqlite3';
import { domainKey } from '../../search/features.ts';
import {
  KEY,
  KEY_SCORE,
  type KeyKind,
  LAYER,
  NAME_PART_WEIGHT,
  ORDINARY_PART_SCALE,
  PREFIX_QUALITY,
} from '../../search/layers.ts';
import type { Query, QueryPart } from '../../search/query.ts';
import { keptKey, searchTables } from './schema.ts';

/** A document that is found by what it is called. */
export interface Called {
  ordinal: number;
  /** Added to the score of its words: the layer, and the place in it. */
  bonus: number;
  /** Words of the query that its name covers, and what they are worth. */
  from: number;
  to: number;
  weight: number;
  /** Scales the score of a document that has not all words. */
  scale: number;
}

export interface Identities {
  /** Documents whose name, alias, slug, ticker or domain is the query. */
  whole(query: Query): Called[];
  /** Documents whose name begins with the query. None when they are too many to tell apart. */
  starting(query: Query): Called[];
  /** Documents whose whole name is one of these parts of the query. */
  parts(query: Query, parts: readonly QueryPart[]): Called[];
}

const SAME_KEY_MAX = 256;
const STARTING_MAX = 100;
const PART_LENGTH_MIN = 2;

interface Row {
  ordinal: number;
  kind: KeyKind;
}

export function createIdentities(database: Database, type: string): Identities {
  const { keys } = searchTables(type);
  const same = database.prepare<[string], Row>(`SELECT ordinal, kind FROM ${keys} WHERE key = ? LIMIT ${SAME_KEY_MAX}`);
  const starting = database
    // As one row: many small ones cost more to hand over than to find.
    .prepare<[string, string], string>(
      `SELECT json_group_array(ordinal) FROM (
        SELECT ordinal FROM ${keys} WHERE key > ? AND key < ? AND kind <= ${KEY.alias} LIMIT ${STARTING_MAX + 1}
      )`,
    )
    .pluck();
  const isName = (kind: KeyKind) => kind === KEY.name || kind === KEY.alias;

  return {
    whole(query) {
      const to = query.words.length - 1;
      const called = (row: Row) => ({
        ordinal: row.ordinal,
        bonus: LAYER.identity + KEY_SCORE[row.kind],
        from: 0,
        to,
        weight: 1,
        scale: 1,
      });
      const found = query.domain ? same.all(domainKey(query.domain)) : [];
      if (query.joined) found.push(...same.all(query.joined));
      if (query.words.length > 1) found.push(...same.all(keptKey(KEY.unordered, query.unordered)));
      return found.map(called);
    },
    starting(query) {
      if (!query.joined) return [];
      const ordinals = JSON.parse(starting.get(query.joined, `${query.joined}\u{10ffff}`) ?? '[]') as number[];
      if (ordinals.length > STARTING_MAX) return [];
      const to = query.words.length - 1;
      return ordinals.map((ordinal) => ({
        ordinal,
        bonus: LAYER.nameStart,
        from: 0,
        to,
        weight: PREFIX_QUALITY,
        scale: 1,
      }));
    },
    parts(query, parts) {
      return parts.flatMap(({ key, from, to, isRestAdded }) => {
        const scale = isRestAdded ? 1 : ORDINARY_PART_SCALE;
        if (key.length < PART_LENGTH_MIN || (from === 0 && to === query.words.length - 1)) return [];
        const rows = same.all(key).filter(({ kind }) => isName(kind));
        return rows.map(({ ordinal }) => ({
          ordinal,
          bonus: 0,
          from,
          to,
          weight: scale === 1 ? NAME_PART_WEIGHT : 1,
          scale,
        }));
      });
    },
  };
}
