import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { fieldsOf, filters as filterDefinitions, isNegated } from '../../contract/filters.ts';
import { groupBy } from '../../contract/group-by.ts';
import { foldName } from '../../contract/names.ts';
import { relationNamed } from '../../contract/relations.ts';
import type { INVESTOR_TYPES } from '../../contract/vocabulary.ts';
import { FACETS, type FacetName, type Knowledge, keysOf, knowledgeRequestOf } from '../sentences/knowledge.ts';
import type { ParsedSentence } from '../sentences/parser.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { allLists, allTogether, type SqlProgram } from '../sql.ts';
import { LISTED, sqliteDialect } from '../sqlite/dialect.ts';

const FACETS_OF: ReadonlyMap<string, readonly FacetName[]> = new Map(
  RECORD_TYPES.flatMap((type) => {
    const fields = FACETS.flatMap((filter) => fieldsOf(type, filter).slice(0, 1));
    return fields.map((field) => [`${type} ${field}`, FACETS.filter((filter) => fieldsOf(type, filter)[0] === field)]);
  }),
);

/** Facts about the words of a sentence: which are facet values, names of records or parts of investor names. */
export function* knowledgeOf({ tokens, lexicon }: Sentence, searched: readonly RecordType[]): SqlProgram<Knowledge> {
  const { values, names, isOfFunders, isOfGrants, isOfSpeakers } = knowledgeRequestOf(tokens, lexicon);
  const rows = yield* allLists<[type: RecordType, field: string, value: string]>(
    `SELECT type, field, value FROM label_values WHERE value IN (${LISTED}) AND records > 0`,
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
  const known = yield* knownNames([...names]);
  const isAbbreviation = (word: string): boolean =>
    lexicon.phrase(word)?.ordinal === undefined &&
    (isOfGrants || known.get(word)?.every((type) => type === 'people') !== false);
  const abbreviated =
    isOfFunders || isOfGrants ? yield* investorsNamed(tokens, isAbbreviation) : new Map<string, Funder[]>();
  const funders = [...abbreviated.values()].flat();
  const editions = isOfSpeakers ? yield* editionsOf([...names].filter((name) => !known.has(name))) : undefined;
  return {
    typesWith: (filter: FacetName, value) =>
      keysOf(filter, value).flatMap((key) => types.get(`${filter} ${key}`) ?? []),
    typesNamed: (name) => known.get(foldName(name)) ?? [],
    investorsNamed: (word) => (abbreviated.get(foldName(word)) ?? []).map(({ name }) => name),
    editionsOf: (name) => editions?.get(foldName(name)) ?? [],
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
const PREFIXED_MAX = 200;
/** As many as a filter has values. */
const EDITIONS_MAX = 20;

/** Investors, or else people who invest, whose names are, or begin with, words that may abbreviate them. */
function* investorsNamed(
  tokens: Sentence['tokens'],
  isAbbreviation: (word: string) => boolean,
): SqlProgram<Map<string, Funder[]>> {
  const words = [...new Set(tokens.map(({ raw }) => foldName(raw)))].filter(
    (word) => word.length >= ABBREVIATION_LENGTH_MIN && isAbbreviation(word),
  );
  const select = (type: RecordType, kind: string, count: string, where = ''): string =>
    `SELECT DISTINCT ${sqliteDialect.field(type, 'name', 'text')} AS name, ${kind} AS type, ${sqliteDialect.field(type, count, 'number')} AS deals
      FROM (SELECT id FROM record_keys WHERE type = '${type}' AND key >= ? AND key < ? ORDER BY key LIMIT ${PREFIXED_MAX}) AS prefixed
      JOIN ${type} ON ${type}.id = prefixed.id AND ${type}.deleted_at IS NULL ${where} ORDER BY deals DESC, name`;
  const found = new Map<string, Funder[]>();
  for (const sql of [
    select('investors', sqliteDialect.field('investors', 'investor_type', 'text'), 'investments_count'),
    select('people', 'NULL', 'angel_investments', 'WHERE deals > 0'),
  ]) {
    const left = words.filter((word) => !found.get(word)?.length);
    const rows = yield* allTogether<Funder>(left.map((word) => ({ sql, parameters: [word, `${word}\uffff`] })));
    for (const [index, word] of left.entries()) {
      const funders = (rows[index] ?? []).filter(({ name }) => foldName(name.split(' ')[0] ?? '') === word);
      found.set(word, funders.slice(0, ABBREVIATION_MAX));
    }
  }
  return found;
}

/** Events whose names begin with some folded ones, the latest first. */
function* editionsOf(names: readonly string[]): SqlProgram<Map<string, string[]>> {
  const series = names.filter((name) => name.length >= ABBREVIATION_LENGTH_MIN);
  const rows = yield* allTogether<{ name: string }>(
    series.map((name) => ({
      sql: `SELECT DISTINCT ${sqliteDialect.field('events', 'name', 'text')} AS name, ${sqliteDialect.field('events', 'start_date', 'text')} AS day
        FROM record_keys JOIN events ON events.id = record_keys.id AND events.deleted_at IS NULL
        WHERE record_keys.type = 'events' AND key > ? AND key < ? ORDER BY day DESC, name LIMIT ${EDITIONS_MAX}`,
      parameters: [name, `${name}\uffff`],
    })),
  );
  return new Map(series.map((name, index) => [name, (rows[index] ?? []).map((row) => row.name)]));
}

/** The folded names of records and unresolved references, each with the types that it may denote. */
function* knownNames(names: readonly string[]): SqlProgram<Map<string, RecordType[]>> {
  const namesJson = JSON.stringify(names);
  const types = RECORD_TYPES.map((type) => `'${type}'`).join();
  const rows = yield* allLists<[key: string, place: string]>(
    `SELECT key, type FROM record_keys WHERE type IN (${types}) AND key IN (${LISTED})
     UNION SELECT key, relation FROM links WHERE key IN (${LISTED}) AND to_id IS NULL`,
    namesJson,
    namesJson,
  );
  const byKey = groupBy(rows, ([key]) => key);
  return new Map([...byKey].map(([key, places]) => [key, places.map(([, place]) => typeOfNamed(place))]));
}

/** The type of a record, or of what a relation references; `investors` if there are several. */
function typeOfNamed(place: string): RecordType {
  const [type = 'investors', ...others] = relationNamed(place)?.to ?? [];
  return RECORD_TYPES.find((each) => each === place) ?? (others.length === 0 ? type : 'investors');
}

const ALL = 'all:';

/** A sentence that counts by investor with the names of its investors in whole, by which their own groups are known. */
export function* withWholeNames(sentence: ParsedSentence): SqlProgram<ParsedSentence> {
  const { group_by: groups, filters } = sentence;
  const { investor } = filters;
  const isOfParties = groups?.[0] === 'investor' || groups?.[0] === 'lead_investor';
  if (!isOfParties || typeof investor !== 'string' || isNegated(investor)) return sentence;
  const [mode, names] = investor.startsWith(ALL) ? [ALL, investor.slice(ALL.length)] : ['', investor];
  const whole = yield* wholeNames(names.split('|'));
  return { ...sentence, filters: { ...filters, investor: mode + whole.join('|') } };
}

/** The names of the records that some texts name; a text as it is if it names none or several. */
function* wholeNames(texts: readonly string[]): SqlProgram<string[]> {
  const keys = JSON.stringify(texts.map(foldName));
  const found = yield* allTogether<{ key: string; name: string }>(
    filterDefinitions.investor.parties.map((type) => ({
      sql: `SELECT DISTINCT key, ${sqliteDialect.field(type, 'name', 'text')} AS name FROM record_keys
        JOIN ${type} ON ${type}.id = record_keys.id AND ${type}.deleted_at IS NULL
        WHERE record_keys.type = '${type}' AND key IN (${LISTED})`,
      parameters: [keys],
    })),
  );
  return texts.map((text) => {
    const names = found.map((rows) => rows.filter(({ key }) => key === foldName(text)).map(({ name }) => name));
    const [name, ...others] = names.find((some) => some.length > 0) ?? [];
    return name === undefined || others.length > 0 || name.includes('|') ? text : name;
  });
}
