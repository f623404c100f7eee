import { LRUCache } from 'lru-cache';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { fieldsOf } from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import { utcDay } from '../../contract/periods.ts';
import type { INVESTOR_TYPES } from '../../contract/vocabulary.ts';
import { FACETS, type FacetName, type Knowledge, keysOf, knowledgeRequestOf } from '../sentences/knowledge.ts';
import { type ParsedSentence, parseSentence } from '../sentences/parser.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { Dialect } from '../sql/dialect.ts';
import { allLists, allTogether, column, type SqlProgram } from '../sql/program.ts';

/** Facets by type and field. */
const FACETS_OF: ReadonlyMap<string, readonly FacetName[]> = new Map(
  RECORD_TYPES.flatMap((type) => {
    const fields = FACETS.flatMap((filter) => fieldsOf(type, filter).slice(0, 1));
    return fields.map((field) => [`${type} ${field}`, FACETS.filter((filter) => fieldsOf(type, filter)[0] === field)]);
  }),
);

/** Facts about the words of a sentence: which are facet values, names of records or parts of investor names. */
function* knowledgeOf(
  dialect: Dialect,
  { tokens, lexicon }: Sentence,
  searched: readonly RecordType[],
): SqlProgram<Knowledge> {
  const { values, names, isOfFunders, isOfGrants } = knowledgeRequestOf(tokens, lexicon);
  const rows = yield* allLists<[type: RecordType, field: string, value: string]>(
    `SELECT type, field, value FROM label_values WHERE value IN (${dialect.textsOf}) AND records > 0`,
    JSON.stringify([...new Set([...values.values()].flatMap((keys) => [...keys]))]),
  );
  const types = new Map<string, RecordType[]>();
  for (const [type, field, value] of rows) {
    if (searched.length === 1 && !searched.includes(type)) continue;
    for (const filter of FACETS_OF.get(`${type} ${field}`) ?? []) {
      if (!values.get(filter)?.has(value)) continue;
      types.set(`${filter} ${value}`, [...(types.get(`${filter} ${value}`) ?? []), type]);
    }
  }
  const known = new Set(yield* knownNames(dialect, [...names]));
  const isAbbreviation = (word: string): boolean => isOfGrants || !known.has(word);
  const abbreviated =
    isOfFunders || isOfGrants ? yield* investorsNamed(dialect, tokens, isAbbreviation) : new Map<string, Funder[]>();
  const funders = [...abbreviated.values()].flat();
  return {
    typesWith: (filter: FacetName, value) =>
      keysOf(filter, value).flatMap((key) => types.get(`${filter} ${key}`) ?? []),
    isName: (name) => known.has(foldName(name)),
    investorsNamed: (word) => (abbreviated.get(foldName(word)) ?? []).map(({ name }) => name),
    isGiver: (name) =>
      [
        ...(abbreviated.get(foldName(name)) ?? []),
        ...funders.filter((funder) => foldName(funder.name) === foldName(name)),
      ].some(({ type }) => GIVERS.has(type)),
  };
}

/** Types of investors that give grants rather than buy shares. */
const GIVERS: ReadonlySet<string | null> = new Set([
  'ecosystem_fund',
  'dao',
] satisfies (typeof INVESTOR_TYPES)[number][]);

interface Funder {
  readonly name: string;
  readonly type: string | null;
}

/** Shorter prefixes match too many names. */
const ABBREVIATION_LENGTH_MIN = 4;
const ABBREVIATION_MAX = 3;
/** Names considered per prefix. */
const PREFIXED_MAX = 200;

/** Investors whose names begin with words that may abbreviate them. */
function* investorsNamed(
  dialect: Dialect,
  tokens: Sentence['tokens'],
  isAbbreviation: (word: string) => boolean,
): SqlProgram<Map<string, Funder[]>> {
  const words = [...new Set(tokens.map(({ raw }) => foldName(raw)))].filter(
    (word) => word.length >= ABBREVIATION_LENGTH_MIN && isAbbreviation(word),
  );
  const rows = yield* allTogether<Funder>(
    words.map((word) => ({
      sql: `SELECT DISTINCT ${dialect.field('investors', 'name', 'text')} AS name, ${dialect.field('investors', 'investor_type', 'text')} AS type,
          ${dialect.field('investors', 'investments_count', 'number')} AS deals
        FROM (SELECT id FROM record_keys WHERE type = 'investors' AND key > ? AND key < ? ORDER BY key LIMIT ${PREFIXED_MAX}) AS prefixed
        JOIN investors ON investors.id = prefixed.id AND investors.deleted_at IS NULL ORDER BY deals DESC, name`,
      parameters: [word, `${word}\uffff`],
    })),
  );
  return new Map(
    words.map((word, index) => {
      const funders = (rows[index] ?? []).filter(({ name }) => foldName(name.split(' ')[0] ?? '') === word);
      return [word, funders.slice(0, ABBREVIATION_MAX)];
    }),
  );
}

/** The folded names that a record has, or that an unresolved reference uses. */
function* knownNames({ textsOf }: Dialect, names: readonly string[]): SqlProgram<string[]> {
  const namesJson = JSON.stringify(names);
  const types = RECORD_TYPES.map((type) => `'${type}'`).join();
  return yield* column<string>(
    `SELECT key FROM record_keys WHERE type IN (${types}) AND key IN (${textsOf})
     UNION SELECT key FROM links WHERE key IN (${textsOf}) AND to_id IS NULL`,
    namesJson,
    namesJson,
  );
}

/**
 * Parses a text as a sentence with knowledge from the records; undefined if it is not one.
 * @param epoch state of the index; results are cached until it changes
 */
export type SentenceParser = (
  sentence: Sentence,
  types: readonly RecordType[],
  epoch: number | undefined,
) => SqlProgram<ParsedSentence | undefined>;

const SENTENCES_MAX = 256;

export function createSentenceCache(dialect: Dialect): SentenceParser {
  const parsed = new LRUCache<string, ParsedSentence | 'none'>({ max: SENTENCES_MAX });
  let known: number | undefined;
  return function* parse(sentence, types, epoch) {
    if (epoch === undefined || epoch !== known) parsed.clear();
    known = epoch;
    const key = `${utcDay(sentence.today)} ${types.join()} ${sentence.text}`;
    const cached = parsed.get(key);
    if (cached !== undefined) return cached === 'none' ? undefined : cached;
    const read = parseSentence({ ...sentence, types, knowledge: yield* knowledgeOf(dialect, sentence, types) });
    parsed.set(key, read ?? 'none');
    return read;
  };
}
