import { datedField, GROUP_NAMES, GROUPS, type GroupSource } from '../../contract/aggregate.ts';
import { NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import {
  COMPANY_FIELD,
  FILTER_NAMES,
  type FilterName,
  fieldsOf,
  filterOf,
  filtersOf,
  partyFilterOf,
  typesWithValues,
  valuePathIn,
} from '../../contract/filters.ts';
import type { SortedField } from '../../contract/sorts.ts';
import {
  type CoverageGaps,
  coveredFilters,
  NO_COVERAGE_GAPS,
  VOCABULARY,
  type Vocabulary,
} from '../../contract/vocabulary-response.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { all, allLists, exists, number, type SqlProgram, value } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import { columnOf } from './conditions.ts';
import { FLAG_FIELD, UNKNOWN } from './facets.ts';

/** Date field of types with events in time. Other types use the date of their newest source. */
export const DAY_OF: Readonly<Partial<Record<RecordType, SortedField>>> = {
  rounds: 'announced_date',
  events: 'start_date',
};

/**
 * The newest date of the searched records: for one type that of its latest round or event, or of its newest source; for
 * several types that of the newest source.
 * @param epoch state of the index; dates are cached until it changes
 */
export type CoverageDate = (types: readonly RecordType[], epoch: number | undefined) => SqlProgram<string | null>;

export function createCoverageDate(): CoverageDate {
  const days = new Map<string, string | null>();
  let known: number | undefined;
  return function* covered(types, epoch) {
    if (epoch !== known) days.clear();
    known = epoch;
    const key = types.join();
    const day = days.get(key);
    if (day !== undefined) return day;
    const found = yield* coveredUntil(types);
    days.set(key, found);
    return found;
  };
}

function* coveredUntil(types: readonly RecordType[]): SqlProgram<string | null> {
  const [type] = types;
  const places: (readonly [RecordType, string])[] =
    types.length === 1 && type !== undefined
      ? [[type, DAY_OF[type] ?? 'as_of']]
      : NAMED_TYPES.filter((named) => types.includes(named)).map((named) => [named, 'as_of']);
  const days = places.map(([each, field]) => `SELECT * FROM (${newest(each, field)}) AS ${each}`);
  return (yield* value<string>(`SELECT max(day) FROM (${days.join(' UNION ALL ')}) AS days`)) ?? null;
}

/** A range condition skips NULLs in the index, which may be all rows; IS NOT NULL does not. */
function newest(type: RecordType, field: string): string {
  const column = columnOf(type, field);
  return `SELECT ${column} AS day FROM ${type} WHERE ${column} > '' AND ${type}.deleted_at IS NULL
    ORDER BY ${column} DESC LIMIT 1`;
}

export interface ValueRow {
  readonly type: RecordType;
  readonly field: string;
  readonly value: string;
  readonly shown: string;
  readonly records: number;
}

/** Maximum values per list; the rarest are omitted. */
const VALUES_MAX = 1_000;

/** Number of records of a type, and per field how many know it, from a few rows. A flag counts as known if set. */
function* countsOf(type: RecordType): SqlProgram<{ records: number; known: Map<string, number> }> {
  const fields = new Set(filtersOf(type).flatMap((name) => fieldsOf(type, name)[0] ?? []));
  const rows = yield* allLists<[field: string, value: string, records: number]>(
    `SELECT field, value, records FROM label_values
     WHERE type = ? AND field IN (${LISTED}) AND value IN (${LISTED})`,
    type,
    JSON.stringify([...fields]),
    JSON.stringify([UNKNOWN, 'true', 'false']),
  );
  const flags = rows.filter(([field]) => field === FLAG_FIELD);
  const records = flags.reduce((sum, [, , count]) => sum + count, 0);
  const known = new Map([...fields].map((field) => [field, records]));
  for (const [field, value, count] of rows) if (value === UNKNOWN) known.set(field, records - count);
  known.set(FLAG_FIELD, flags.find(([, value]) => value === 'true')?.[2] ?? 0);
  return { records, known };
}

export const countRecords = (type: RecordType): SqlProgram<number> =>
  number('SELECT sum(records) FROM label_values WHERE type = ? AND field = ?', type, FLAG_FIELD);

/** Filters and groups whose field is unknown in every record; none for an empty database. */
export function* readCoverageGaps(): SqlProgram<CoverageGaps> {
  const covered = new Set<string>();
  const grouped = new Set<string>();
  let all = 0;
  const counts = new Map<RecordType, ReadonlyMap<string, number>>();
  for (const type of RECORD_TYPES) {
    const { records, known } = yield* countsOf(type);
    all += records;
    counts.set(type, known);
  }
  const isKnown = (type: RecordType, field = ''): boolean => Boolean(counts.get(type)?.get(field));
  for (const [type, known] of counts) {
    for (const name of filtersOf(type)) {
      const [field = ''] = fieldsOf(type, name);
      // A flag that no record has set narrows nothing.
      const isSet = filterOf(name).test !== 'flag' || (yield* isFlagSet(type, field));
      const isOfOthers = partyFilterOf(type, name) !== undefined;
      const isStated = isOfOthers
        ? typesWithValues(type, name).some((party) => isKnown(party, valuePathIn(party, name)))
        : isKnown(type, field);
      if (isStated && isSet) covered.add(name);
    }
    for (const [name, source] of Object.entries(GROUPS[type]))
      if (yield* isGrouped(type, source, known)) grouped.add(name);
  }
  if (all === 0) return NO_COVERAGE_GAPS;
  return {
    filters: FILTER_NAMES.filter((name) => !covered.has(name)),
    groups: GROUP_NAMES.filter((name) => !grouped.has(name)),
  };
}

function* isGrouped(type: RecordType, source: GroupSource, known: ReadonlyMap<string, number>): SqlProgram<boolean> {
  if (source.kind === 'period') return known.get(datedField(type)) !== 0;
  if (source.kind === 'value') return known.get(`${source.through ? COMPANY_FIELD : ''}${source.field}`) !== 0;
  for (const relation of new Set(source.paths.flatMap(([step]) => step?.relation.name ?? [])))
    if (yield* exists('SELECT 1 FROM links WHERE relation = ? LIMIT 1', relation)) return true;
  return false;
}

function* isFlagSet(type: RecordType, field: string): SqlProgram<boolean> {
  const sql = "SELECT 1 FROM label_values WHERE type = ? AND field = ? AND value = 'true' AND records > 0";
  return yield* exists(sql, type, field);
}

export function createVocabulary(fullText: Pick<SearchIndex, 'epoch'>): () => SqlProgram<Vocabulary> {
  let known: { readonly epoch: number | undefined; readonly vocabulary: Vocabulary } | undefined;
  return function* vocabulary() {
    const epoch = fullText.epoch();
    if (known === undefined || known.epoch !== epoch) known = { epoch, vocabulary: yield* readVocabulary() };
    return known.vocabulary;
  };
}

function* readVocabulary(): SqlProgram<Vocabulary> {
  const rows = yield* all<ValueRow>('SELECT type, field, value, shown, records FROM label_values WHERE records > 0');
  const lists = Object.entries(VOCABULARY).map(([name, filter]) => [name, facetValues(rows, filter)]);
  const coverage: Record<string, unknown> = {};
  for (const type of RECORD_TYPES) {
    const { records, known } = yield* countsOf(type);
    const byFilter = coveredFilters(type).map((name) => [name, known.get(fieldsOf(type, name)[0] ?? '')]);
    coverage[type] = { records, known: Object.fromEntries(byFilter), covered: yield* coveredUntil([type]) };
  }
  // Built from the lists that define the type.
  return { ...Object.fromEntries(lists), coverage } as Vocabulary;
}

/** The values of a filter by what their keys count, most frequent first, as the first type that has one spells it. */
export function facetValues(rows: readonly ValueRow[], filter: FilterName): Vocabulary['tags'] {
  const found = new Map<string, { value: string; count: number; types: Partial<Record<RecordType, number>> }>();
  for (const type of RECORD_TYPES) {
    const [field] = fieldsOf(type, filter);
    for (const { value: key, shown, records } of rows.filter((row) => row.type === type && row.field === field)) {
      if (key === UNKNOWN) continue;
      const known = found.get(key) ?? { value: shown, count: 0, types: {} };
      found.set(key, { ...known, count: known.count + records, types: { ...known.types, [type]: records } });
    }
  }
  return [...found.values()]
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}
