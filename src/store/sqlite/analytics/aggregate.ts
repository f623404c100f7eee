import {
  type Aggregate,
  type AggregateData,
  columnsOf,
  isMoney,
  MEASURED_FIELD,
  type Measure,
} from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { type FactValue, MARKS } from '../../analytics/facts.ts';
import type { NamedRecord } from '../../port/analytics.ts';
import { type Columns, NAME } from './columns.ts';
import { shownCoverage, type TypeCoverage } from './coverage.ts';
import type { Dimension } from './dimensions.ts';
import { maxOf, middleOf, middleOfRecords, minOf, rankAmounts } from './order-statistics.ts';
import {
  createTally,
  exactSum,
  groupCount,
  numberAt,
  roomForGroups,
  sumOf,
  type Tally,
  talliedOf,
  tallyRecords,
} from './tally.ts';

/** A group value before its record's name is read. */
type GroupValue = FactValue | null | Pick<NamedRecord, 'type' | 'id'>;
type Cell = GroupValue | AggregateData['rows'][number][number];

/** An aggregate before the names of its records are read. */
export interface AggregateDraft extends Omit<AggregateData, 'rows'> {
  readonly rows: readonly (readonly Cell[])[];
}

interface Counted {
  /** Of the records, by the requested groups. */
  readonly tally: Tally;
  readonly coverage: TypeCoverage;
  /** Called only if they must be read again. */
  records(): Uint32Array;
}

/** A request, and whether it asks for rounds by who led them. */
export interface AggregateOfLeads extends Aggregate {
  readonly isByLeads: boolean;
}

/** Whether a request needs amounts. */
export const isMeasuring = ({ measures }: Pick<Aggregate, 'measures'>): boolean =>
  measures.some((measure) => measure !== 'count');

const RANKED: ReadonlySet<Measure | undefined> = new Set(['median', 'min', 'max']);

export function computeAggregate(columns: Columns, request: AggregateOfLeads, counted: Counted): AggregateDraft {
  const { tally, coverage, records } = counted;
  roomForGroups(tally);
  const { of, measures, order } = request;
  const orderedBy = order.by === 'measure' ? (measures[order.column] ?? 'count') : undefined;
  if (RANKED.has(orderedBy)) rankAmounts(tally, { columns, records });
  const positions = request.groups.map((name) => tally.names.indexOf(name));
  const largest = orderedBy && keysOf(tally, orderedBy);
  const keys = order.isDescending ? largest : largest && Float64Array.from(largest, (key) => -key);
  const { shown, groups } = firstOf(columns, { tally, positions, request, keys });
  if (measures.some((measure) => RANKED.has(measure))) rankAmounts(tally, { columns, records, groups: shown });
  const show = shownMeasure(tally, MEASURED_FIELD[of]);
  const { complete, overlapping } = tally;
  const isOfAmounts = isMeasuring(request);
  const known = isOfAmounts ? coverage.known : complete;
  return {
    columns: columnsOf(request),
    rows: shown.map((group) => [
      ...positions.map((position) => groupValue(columns, tally.dimensions[position], numberAt(tally, position, group))),
      ...measures.map((measure) => show(measure, group)),
    ]),
    groups,
    covered: {
      records: coverage.records,
      known,
      unknown: coverage.records - known,
      ...(known > 0 ? wholeFigures(columns, request, counted) : {}),
      ...(isOfAmounts && complete < coverage.records ? { ungrouped: coverage.records - complete } : {}),
      ...(isOfAmounts && complete < coverage.records ? ungroupedSum(tally, request) : {}),
      ...shownCoverage(coverage),
      ...unsourcedOf(columns, request, { ...counted, shown }),
      ...(overlapping === 0 ? {} : { overlapping }),
      ...(isOfAmounts ? knownByRow(tally, shown) : {}),
      ...(tally.hasGrants ? grantsByRow(tally, coverage, shown) : {}),
      ...(isByInvestor(request) && coverage.cut > 0 ? { may_be_cut: coverage.cut } : {}),
    },
  };
}

/** The sum, average and median of all records, each once, as far as they are requested. */
function wholeFigures(
  { amount }: Columns,
  { of, measures }: Aggregate,
  { coverage, records }: Counted,
): Pick<AggregateData['covered'], 'sum' | 'average' | 'median'> {
  const scale = scaleOf(MEASURED_FIELD[of]);
  const figures = {
    sum: () => coverage.sum * scale,
    average: () => divided(coverage.sum * scale, BigInt(coverage.known)),
    median: () => {
      const [lower, upper] = middleOfRecords({ amount }, records());
      return divided((BigInt(lower) + BigInt(upper)) * scale, 2n);
    },
  };
  const wanted = (Object.keys(figures) as (keyof typeof figures)[]).filter((measure) => measures.includes(measure));
  return Object.fromEntries(wanted.map((measure) => [measure, shownHundredths(figures[measure](), scale)]));
}

/** The sum of the records without a value of the only group, the first of which is for these; nothing where no amount is known. */
function ungroupedSum(
  tally: Tally,
  { of, groups, measures }: Aggregate,
): Pick<AggregateData['covered'], 'ungrouped_sum'> {
  if (groups.length > 1 || !measures.includes('sum') || tally.known[0] === 0) return {};
  return { ungrouped_sum: shownAmount(exactSum(tally, 0), MEASURED_FIELD[of]) };
}

/**
 * What only the editors of the data set state, of all and by row; nothing for none. Of companies it is a part of their
 * funding; by lead investor it includes rounds of which they state who led.
 */
function unsourcedOf(
  columns: Columns,
  request: AggregateOfLeads,
  { tally, coverage, records, shown }: Counted & Pick<FirstGroups, 'shown'>,
): Pick<AggregateData['covered'], 'unsourced' | 'unsourced_by_row'> {
  const { of, measures, isByLeads } = request;
  const leads = isByLeads ? coverage.unsourcedLeads : 0;
  const all = coverage.unsourced + leads;
  if (all === 0 || (of !== 'rounds' && !isMeasuring(request))) return {};
  const own = unsourcedTally(columns, tally, { records: records(), isByLeads });
  const groups = shown.map(
    (group) => own.pairs?.groupOf(numberAt(tally, 0, group), numberAt(tally, 1, group)) ?? group,
  );
  roomForGroups(own);
  const counts = { records: all, ...(leads > 0 && { leads }) };
  if (!measures.includes('sum'))
    return { unsourced: counts, unsourced_by_row: groups.map((group) => own.count[group]) };
  const show = (amount: bigint): string | number => shownAmount(amount, MEASURED_FIELD[of]);
  const sum = coverage.unsourcedSum + (isByLeads ? coverage.unsourcedLeadsSum : 0);
  return {
    unsourced: { ...counts, sum: show(BigInt(sum)) },
    unsourced_by_row: groups.map((group) => show(exactSum(own, group))),
  };
}

/** A tally by the same groups of what only the editors of the data set state. */
function unsourcedTally(
  columns: Columns,
  { names, dimensions }: Tally,
  { records, isByLeads }: { readonly records: Uint32Array; readonly isByLeads: boolean },
): Tally {
  const { entries, marks } = columns;
  const own = createTally({ names, dimensions, isMeasured: true, hasGrants: false });
  const wanted = isByLeads ? MARKS.unsourced | MARKS.unsourcedLeads : MARKS.unsourced;
  const some = records.filter((code) => (marks[code] & wanted) !== 0);
  // Of rounds, all of the amount.
  tallyRecords(own, entries, {
    ...talliedOf(columns, own, some),
    amount: isByLeads ? columns.amount : columns.unsourced,
  });
  return own;
}

/** Whether rounds are counted by their investors, of whom only some are listed; leads always are. */
const isByInvestor = ({ of, groups }: Aggregate): boolean => of === 'rounds' && groups.includes('investor');

/** How many are grants by row, unless all or none are. */
function grantsByRow(tally: Tally, coverage: TypeCoverage, shown: readonly number[]): { grants_by_row?: number[] } {
  const { grants } = tally;
  return coverage.grants === 0 || coverage.grants === coverage.records
    ? {}
    : { grants_by_row: shown.map((group) => grants[group]) };
}

/** Records with a known amount per row; omitted if all have one. */
function knownByRow({ known, count }: Tally, shown: readonly number[]): { known_by_row?: number[] } {
  return shown.every((group) => known[group] === count[group])
    ? {}
    : { known_by_row: shown.map((group) => known[group]) };
}

/** A measure of each group as sort key; NaN if unknown. */
function keysOf(tally: Tally, measure: Measure): Uint32Array | Float64Array {
  const { count, known } = tally;
  if (measure === 'count') return count;
  const keyOf: Readonly<Record<Exclude<Measure, 'count'>, (group: number) => number>> = {
    sum: (group) => sumOf(tally, group),
    average: (group) => sumOf(tally, group) / known[group],
    min: (group) => minOf(tally, group),
    max: (group) => maxOf(tally, group),
    median: (group) => {
      const [lower, upper] = middleOf(tally, group);
      return lower / 2 + upper / 2;
    },
  };
  const key = keyOf[measure];
  const keys = new Float64Array(groupCount(tally));
  for (let group = 0; group < keys.length; group += 1) keys[group] = known[group] === 0 ? Number.NaN : key(group);
  return keys;
}

function groupValue({ type, id, names }: Columns, { valueAt }: Dimension, number: number): GroupValue {
  if (number === 0) return null;
  const value = valueAt(number);
  if (typeof value !== 'object') return value;
  const { code } = value;
  return type[code] === NAME ? names[id[code]] : { type: RECORD_TYPES[type[code]] as RecordType, id: id[code] };
}

const HUNDRED = 100n;

/** Of a measured field, how many hundredths a unit of its amounts has. */
const scaleOf = (field = ''): bigint => (isMoney(field) ? 1n : HUNDRED);

/** Hundredths for display: money as text, counts with at most two decimals. */
function shownHundredths(hundredths: bigint, scale: bigint): string | number {
  if (scale === HUNDRED) return Number(hundredths) / Number(HUNDRED);
  const digits = hundredths.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const shownAmount = (amount: bigint, field?: string): string | number =>
  shownHundredths(amount * scaleOf(field), scaleOf(field));

/** Measures for display; null if unknown. */
function shownMeasure(tally: Tally, field?: string) {
  const scale = scaleOf(field);
  const hundredths: Readonly<Record<Exclude<Measure, 'count'>, (group: number) => bigint>> = {
    sum: (group) => exactSum(tally, group) * scale,
    average: (group) => divided(exactSum(tally, group) * scale, BigInt(tally.known[group])),
    min: (group) => BigInt(minOf(tally, group)) * scale,
    max: (group) => BigInt(maxOf(tally, group)) * scale,
    median: (group) => {
      const [lower, upper] = middleOf(tally, group);
      return divided((BigInt(lower) + BigInt(upper)) * scale, 2n);
    },
  };
  return (measure: Measure, group: number): string | number | null => {
    if (measure === 'count') return tally.count[group];
    return tally.known[group] === 0 ? null : shownHundredths(hundredths[measure](group), scale);
  };
}

/** Rounded half up. */
const divided = (sum: bigint, by: bigint): bigint => (2n * sum + by) / (2n * by);

interface Ordering {
  readonly tally: Tally;
  /** The dimension of the tally of each requested group. */
  readonly positions: readonly number[];
  readonly request: Aggregate;
  /** Sort keys of the groups, the first largest; NaN if unknown. Undefined if they are ordered by value. */
  readonly keys: ArrayLike<number> | undefined;
}

interface FirstGroups {
  readonly shown: readonly number[];
  readonly groups: number;
}

/**
 * The first groups in the requested order. Unknown keys come last, groups without a value after all others; ties are
 * ordered by value, records first, by type and id.
 */
function firstOf(columns: Columns, { tally, positions, request, keys }: Ordering): FirstGroups {
  const { column, isDescending } = request.order;
  const compareValues = (one: number, other: number, group: number): number => {
    const position = positions[group];
    const [left, right] = [numberAt(tally, position, one), numberAt(tally, position, other)];
    return compareNumbers(columns, tally.dimensions[position], left, right);
  };
  const isLacking = (group: number): number =>
    Number(numberAt(tally, 0, group) === 0 || (positions.length > 1 && numberAt(tally, 1, group) === 0));
  const byValue = (one: number, other: number): number => {
    for (let group = 0; group < positions.length; group += 1) {
      const order = compareValues(one, other, group);
      if (order !== 0) return order;
    }
    return 0;
  };
  const compare = (one: number, other: number): number => {
    const lacking = isLacking(one) - isLacking(other);
    if (lacking !== 0) return lacking;
    if (keys !== undefined) return compareKeys(keys[one], keys[other]) || byValue(one, other);
    const order = compareValues(one, other, column);
    return (isDescending ? -order : order) || byValue(one, other);
  };
  const first = smallest(tally, { compare, isLacking, keys }, request.top);
  if (request.order.isSeries !== true) return first;
  const shown = [...first.shown].sort(
    (one, other) =>
      isLacking(one) - isLacking(other) ||
      compareValues(one, other, 0) ||
      (keys && compareKeys(keys[one], keys[other])) ||
      byValue(one, other),
  );
  return { ...first, shown };
}

/** Descending; NaN last. */
function compareKeys(one: number, other: number): number {
  if (one === other) return 0;
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  return one > other ? -1 : 1;
}

function compareNumbers(columns: Columns, dimension: Dimension, one: number, other: number): number {
  if (one === other) return 0;
  if (one === 0 || other === 0) return Number(one === 0) - Number(other === 0);
  const [left, right] = [sortValue(columns, dimension, one), sortValue(columns, dimension, other)];
  if (typeof left === typeof right) return left < right ? -1 : Number(left > right);
  return typeof left === 'number' ? -1 : 1;
}

/** Sort key of a record by type and id, before names. */
function sortValue({ type, id, names }: Columns, { valueAt }: Dimension, number: number): string | number {
  const value = valueAt(number);
  if (typeof value !== 'object') return value;
  const index = type[value.code];
  return index === NAME ? names[id[value.code]] : index * 2 ** 40 + id[value.code];
}

interface Comparison {
  compare(one: number, other: number): number;
  /** 1 for groups that come after all others, whatever their key. */
  isLacking(group: number): number;
  readonly keys: Ordering['keys'];
}

/** The smallest groups that are not empty, sorted; a bounded selection. */
function smallest(tally: Tally, { compare, isLacking, keys }: Comparison, top: number): FirstGroups {
  const { count } = tally;
  const size = groupCount(tally);
  let kept: number[] = [];
  let last: number | undefined;
  // Groups with a smaller key are later, which spares most comparisons.
  let least = Number.NEGATIVE_INFINITY;
  let groups = 0;
  for (let each = 0; each < size; each += 1) {
    if (count[each] === 0) continue;
    groups += 1;
    if (keys !== undefined && keys[each] < least) continue;
    if (last !== undefined && compare(each, last) > 0) continue;
    kept.push(each);
    if (kept.length < top * 2) continue;
    kept = kept.sort(compare).slice(0, top);
    last = kept[top - 1];
    if (keys !== undefined && isLacking(last) === 0) least = keys[last];
  }
  return { shown: kept.sort(compare).slice(0, top), groups };
}
