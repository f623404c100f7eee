import type { LRUCache } from 'lru-cache';
import { type AggregateData, datedField, isMoney, MEASURED_FIELD } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import type { FilterName } from '../../../contract/filters.ts';
import { type FactValue, MARKS } from '../../analytics/facts.ts';
import type { AggregateRequest } from '../../port/analytics.ts';
import {
  type FacetTest,
  type FilterSets,
  filterSets,
  type RangeTest,
  type ResolvedFilters,
} from '../../records/conditions.ts';
import { UNKNOWN } from '../../records/facets.ts';
import type { Condition } from '../../search/search-index.ts';
import { type SqlProgram, value } from '../../sql.ts';
import { addTo, bitmapUpTo, isIn } from '../bitmaps.ts';
import { type Columns, codeOf, liveCodes } from './columns.ts';
import { fieldLists, filteredField } from './dimensions.ts';

/** Codes as a bitmap; it may include deleted records. */
export type IdSet = Uint32Array;

interface Filtering {
  readonly columns: Columns;
  /** Cached sets by statement, of the current epoch. */
  readonly filtered: LRUCache<string, IdSet>;
}

interface Matching {
  readonly records: Uint32Array;
  readonly leftOut: Pick<AggregateData['covered'], 'left_out' | 'left_out_grants'>;
}

type Verdicts = Uint8Array;
const PASSES = 0;
const FAILS = 1;
/** Fails, because the field is unknown. */
const UNSTATED = 2;

export interface ResolvedAggregate extends Omit<AggregateRequest, 'filters'> {
  readonly filters: ResolvedFilters;
}

/** The records of a type that pass the filters, and how many were excluded only because a field is unknown. */
export function* matching(filtering: Filtering, { of, filters }: ResolvedAggregate): SqlProgram<Matching | undefined> {
  const facts = filterSets(of, filters);
  if (facts?.length === 0) return undefined;
  if (facts === undefined) return { records: new Uint32Array(0), leftOut: {} };
  const { columns } = filtering;
  const all = liveCodes(columns, of);
  // By stage, whether a round is a grant is asked for.
  const hasGrants = of === 'rounds' && filters.given.funding_stage === undefined;
  const verdicts: Verdicts[] = [];
  for (const fact of facts) {
    const found = columnVerdicts(columns, { of, records: all, fact });
    const isAlone = facts.length === 1 && !hasGrants;
    verdicts.push(found ?? (yield* statementVerdicts(filtering, { of, records: all, fact, isAlone })));
  }
  const unknown: Counts = {};
  const grants: Counts = {};
  for (const [index, { names, lacking, known }] of facts.entries()) {
    if (names.length === 0) continue;
    const others = verdicts.filter(
      (_, other) => other !== index && !names.some((name) => name === facts[other]?.restricts),
    );
    const isAlone = facts.length === 1 && known === undefined;
    const count = isAlone ? lacking : countUnstated(verdicts[index], others);
    const granted = hasGrants ? countUnstated(verdicts[index], others, grantsAmong(columns, all)) : 0;
    for (const name of names) if (count > 0) unknown[name] = count;
    for (const name of names) if (count > 0 && granted > 0) grants[name] = granted;
  }
  return { records: passing(all, verdicts), leftOut: leftOutOf(unknown, grants) };
}

type Counts = Partial<Record<FilterName, number>>;

const leftOutOf = (unknown: Counts, grants: Counts): Matching['leftOut'] => ({
  ...(Object.keys(unknown).length > 0 && { left_out: unknown }),
  ...(Object.keys(grants).length > 0 && { left_out_grants: grants }),
});

/** Whether each of some rounds is a grant, by its place among them. */
const grantsAmong =
  ({ marks }: Columns, rounds: Uint32Array) =>
  (index: number): boolean =>
    (marks[rounds[index]] & MARKS.grant) !== 0;

/** Number of records, or of those that are counted, that pass all filters but one, whose field is unknown. */
function countUnstated(
  verdicts: Verdicts,
  others: readonly Verdicts[],
  isCounted: (index: number) => boolean = () => true,
): number {
  let count = 0;
  for (let index = 0; index < verdicts.length; index += 1) {
    if (verdicts[index] === UNSTATED && others.every((other) => other[index] === PASSES) && isCounted(index))
      count += 1;
  }
  return count;
}

function passing(all: Uint32Array, verdicts: readonly Verdicts[]): Uint32Array {
  const failed = verdicts.reduce((one, other) => one.map((verdict, index) => verdict | other[index]));
  const passed = new Uint32Array(all.length + 1);
  let length = 0;
  for (let index = 0; index < all.length; index += 1) {
    // Without branches, because no processor predicts them.
    passed[length] = all[index];
    length += Number(failed[index] === PASSES);
  }
  return passed.subarray(0, length);
}

interface Judged {
  readonly of: RecordType;
  readonly records: Uint32Array;
  readonly fact: FilterSets;
}

/** Undefined if the columns do not have the field. */
function columnVerdicts(columns: Columns, { of, records, fact: { facet, range } }: Judged): Verdicts | undefined {
  if (facet !== undefined) return listVerdicts(records, facetedField(columns, of, facet));
  if (range === undefined) return undefined;
  const { field, bounds } = range;
  const { date, amount } = columns;
  if (field === datedField(of)) return numberVerdicts(records, date, { ...intervalOf(bounds, 1), unknown: 0 });
  if (field === MEASURED_FIELD[of])
    return numberVerdicts(records, amount, { ...intervalOf(bounds, isMoney(field) ? CENTS : 1), unknown: Number.NaN });
  const { least, most } = intervalOf(bounds, 1);
  const listed = fieldLists(columns, filteredField(of, field));
  const flags = listed.lists.values.map((value, number) => {
    if (number === 0) return IS_UNKNOWN;
    return IS_KNOWN | Number(comparable(value) >= least && comparable(value) <= most);
  });
  return listVerdicts(records, { ...listed, flags, verdictOf: VERDICTS.any });
}

const CENTS = 100;

/** A number, or a date as YYYYMMDD, where a month or year alone is before its first day, as it is as text. */
const comparable = (value: FactValue): number =>
  typeof value === 'string' && DATE.test(value) ? Number(value.replaceAll('-', '').padEnd(8, '0')) : Number(value);

const DATE = /^\d{4}(?:-\d\d){0,2}$/;

/** The smallest and the largest number within some bounds. */
function intervalOf(bounds: RangeTest['bounds'], unit: number): { least: number; most: number } {
  const of = (operator: string) =>
    bounds.filter((bound) => bound.operator === operator).map(({ value }) => comparable(value) * unit);
  const below = of('<').map((end) => end - 1);
  return { least: Math.max(0, ...of('>=')), most: Math.min(...of('<='), ...below) };
}

function numberVerdicts(
  records: Uint32Array,
  numbers: Uint32Array | Float64Array,
  { least, most, unknown }: { least: number; most: number; unknown: number },
): Verdicts {
  const verdicts = new Uint8Array(records.length);
  for (let index = 0; index < records.length; index += 1) {
    const number = numbers[records[index]];
    const isUnknown = Number(number === unknown) | Number(Number.isNaN(number));
    const isOutside = Number(number < least) | Number(number > most);
    verdicts[index] = isUnknown * UNSTATED + (isOutside & (isUnknown ^ 1)) * FAILS;
  }
  return verdicts;
}

/** Flags of the values of a list: one matches, one is known, one is unknown. */
const MATCHES = 1;
const IS_KNOWN = 2;
const IS_UNKNOWN = 4;

/** By mode, the verdict for each set of flags. */
const VERDICTS = {
  any: verdictsOf((has) => (has & MATCHES) > 0),
  none: verdictsOf((has) => (has & MATCHES) === 0 && (has & IS_KNOWN) > 0),
  except: verdictsOf((has) => (has & MATCHES) === 0),
};

function verdictsOf(passes: (flags: number) => boolean): Verdicts {
  return Uint8Array.from({ length: 8 }, (_, flags) => {
    if (passes(flags)) return PASSES;
    return (flags & IS_UNKNOWN) > 0 ? UNSTATED : FAILS;
  });
}

interface Flagged extends ReturnType<typeof fieldLists> {
  /** By number of a value. */
  readonly flags: ArrayLike<number>;
  /** By the flags of all values of a list. */
  readonly verdictOf: Verdicts;
}

function facetedField(columns: Columns, of: RecordType, { field, mode, keys }: FacetTest): Flagged {
  const listed = fieldLists(columns, filteredField(of, field));
  const wanted = new Set(keys);
  const flags = listed.lists.keys.map((key) => Number(wanted.has(key)) | (key === UNKNOWN ? IS_UNKNOWN : IS_KNOWN));
  return { ...listed, flags, verdictOf: VERDICTS[mode] };
}

/** Each list is judged once, for all records that share it. */
function listVerdicts(records: Uint32Array, { lists, column, through, flags, verdictOf }: Flagged): Verdicts {
  const { pool, length } = lists;
  const byList = new Uint8Array(length);
  byList[0] = verdictOf[flags[0]];
  for (let list = 1; list < length; list += pool[list] + 1) {
    let has = 0;
    for (let entry = list + 1; entry <= list + pool[list]; entry += 1) has |= flags[pool[entry]];
    byList[list] = verdictOf[has];
  }
  const verdicts = new Uint8Array(records.length);
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    verdicts[index] = byList[column[through === undefined ? code : through[code]]];
  }
  return verdicts;
}

/** @param isAlone whether there is no other filter, so that the number of unknown fields is known without a query */
function* statementVerdicts(
  filtering: Filtering,
  { of, records, fact, isAlone }: Judged & { readonly isAlone: boolean },
): SqlProgram<Verdicts> {
  const { matches, unknown, known, names } = fact;
  const passing = yield* setOf(filtering, of, matches);
  const isCounted = names.length > 0 && (!isAlone || known !== undefined);
  const lacking = isCounted ? yield* setOf(filtering, of, unknown) : undefined;
  const others = isCounted && known !== undefined ? yield* setOf(filtering, of, known) : undefined;
  const verdicts = new Uint8Array(records.length);
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    if (isIn(passing, code)) continue;
    const isUnstated = lacking !== undefined && isIn(lacking, code) && !(others !== undefined && isIn(others, code));
    verdicts[index] = isUnstated ? UNSTATED : FAILS;
  }
  return verdicts;
}

function* setOf(filtering: Filtering, of: ResolvedAggregate['of'], condition: Condition): SqlProgram<IdSet> {
  const { columns, filtered } = filtering;
  const { sql, parameters } = condition;
  const key = JSON.stringify([sql, parameters]);
  const known = filtered.get(key);
  if (known !== undefined) return known;
  const set = bitmapUpTo(columns.size);
  // As one JSON text, because many small rows cost more to fetch than to find.
  const ids = (yield* value<string>(`SELECT json_group_array(id) FROM (${sql})`, ...(parameters as string[]))) ?? '[]';
  for (const id of JSON.parse(ids) as number[]) addTo(set, codeOf(columns, of, id));
  filtered.set(key, set);
  return set;
}
