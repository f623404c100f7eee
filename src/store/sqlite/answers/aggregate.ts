import {
  type Aggregate,
  type AggregateData,
  columnsOf,
  isMoney,
  MEASURED_FIELD,
  type Measure,
} from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import type { FactValue } from '../../answers/facts.ts';
import type { NamedRecord } from '../../port/answers.ts';
import { type Columns, NAME } from './columns.ts';
import { type Coverage, cutOf, grantsByGroup } from './coverage.ts';
import type { Dimension } from './dimensions.ts';
import { type Entries, type EntryBuffers, sortIntoGroups } from './entries.ts';
import { type Grouping, isMeasuring } from './grouping.ts';
import { type Middle, middlesOf } from './medians.ts';
import { firstOf } from './row-order.ts';
import { exactSum, knownOf, maxOf, minOf, sumOf, type Totals } from './totals.ts';

/** A group value whose record is not named yet. */
type GroupValue = FactValue | null | Pick<NamedRecord, 'type' | 'id'>;
type Cell = GroupValue | AggregateData['rows'][number][number];

/** A result whose records are not named yet. */
export interface AggregateDraft extends Omit<AggregateData, 'rows'> {
  readonly rows: readonly (readonly Cell[])[];
}

interface Grouped {
  readonly grouping: Grouping;
  /** Of the records of the grouping. */
  readonly coverage: Coverage;
  readonly buffers: EntryBuffers;
}

/** Computes a result from records grouped as requested. */
export function computeAggregate(
  columns: Columns,
  request: Aggregate,
  { grouping, coverage: { known, ...covered }, buffers }: Grouped,
): AggregateDraft {
  const { of, measures } = request;
  const { dimensions, totals, records, complete, overlapping } = grouping;
  const medians = (groups: readonly number[]): ReadonlyMap<number, Middle> => {
    if (!measures.includes('median')) return NO_MIDDLES;
    return middlesOf(entriesOf(grouping, buffers), columns.amount, { buffers, totals, groups });
  };
  const isByMeasure = request.order.by === 'measure';
  const isByMedian = isByMeasure && measures[request.order.column] === 'median';
  const allMedians = isByMedian ? medians(Array.from({ length: totals.size }, (_, group) => group)) : NO_MIDDLES;
  const keys = isByMeasure ? keysOf(totals, measures[request.order.column], allMedians) : undefined;
  const shown = firstOf(columns, { totals, dimensions, request, keys });
  const middles = isByMedian ? allMedians : medians(shown);
  const show = shownMeasure(totals, middles, MEASURED_FIELD[of]);
  const counted = isMeasuring(request) ? known : complete;
  return {
    columns: columnsOf(request),
    rows: shown.map((group) => [
      ...dimensions.map((dimension, index) => groupValue(columns, dimension, totals.numbers[index][group])),
      ...measures.map((measure) => show(measure, group)),
    ]),
    groups: totals.size,
    covered: {
      records: records.length,
      known: counted,
      unknown: records.length - counted,
      ...(isMeasuring(request) && complete < records.length ? { ungrouped: records.length - complete } : {}),
      ...covered,
      ...(overlapping === 0 ? {} : { overlapping }),
      ...(isMeasuring(request) ? knownByRow(totals, shown) : {}),
      ...(isByInvestor(request)
        ? investorsOf(columns, { grouping, coverage: { known, ...covered }, buffers }, shown)
        : {}),
    },
  };
}

/** Whether rounds are counted by their investors, of whom only some are listed, and who may be givers of grants. */
const isByInvestor = ({ of, groups }: Aggregate): boolean =>
  of === 'rounds' && groups.some((group) => group === 'investor' || group === 'lead_investor');

/** How many rounds may have further investors, and by row how many are grants. */
function investorsOf(
  columns: Columns,
  { grouping, coverage, buffers }: Grouped,
  shown: readonly number[],
): Pick<AggregateData['covered'], 'may_be_cut' | 'grants_by_row'> {
  const cut = cutOf(columns, grouping.records);
  if (coverage.grants === undefined) return cut;
  return { ...cut, grants_by_row: grantsByGroup(columns, entriesOf(grouping, buffers), shown) };
}

/** The entries of a grouping, sorted again unless the buffers still hold them. */
const entriesOf = ({ dimensions, totals, records }: Grouping, buffers: EntryBuffers): Entries =>
  buffers.latest?.numbers === totals.numbers ? buffers.latest : sortIntoGroups(dimensions, records, buffers);

/** Records with a known amount per row; omitted if all have one. */
function knownByRow(totals: Totals, shown: readonly number[]): { known_by_row?: number[] } {
  const known = shown.map((group) => knownOf(totals, group));
  return shown.every((group, row) => known[row] === totals.count[group]) ? {} : { known_by_row: known };
}

const NO_MIDDLES: ReadonlyMap<number, Middle> = new Map();

/** A measure of each group as sort key; NaN if unknown. */
function keysOf(
  totals: Totals,
  measure: Measure | undefined,
  medians: ReadonlyMap<number, Middle>,
): Uint32Array | Float64Array {
  if (measure === undefined || measure === 'count') return totals.count;
  const keyOf: Readonly<Record<Exclude<Measure, 'count'>, (group: number) => number>> = {
    sum: (group) => sumOf(totals, group),
    average: (group) => sumOf(totals, group) / knownOf(totals, group),
    min: (group) => minOf(totals, group),
    max: (group) => maxOf(totals, group),
    median: (group) => {
      const [lower, upper] = medians.get(group) ?? [Number.NaN, Number.NaN];
      return lower / 2 + upper / 2;
    },
  };
  const key = keyOf[measure];
  const keys = new Float64Array(totals.size);
  for (let group = 0; group < totals.size; group += 1) keys[group] = key(group);
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

/** Measures for display: money as text, counts with at most two decimals, null if unknown. */
function shownMeasure(totals: Totals, middles: ReadonlyMap<number, Middle>, field = '') {
  const scale = isMoney(field) ? 1n : HUNDRED;
  const show = (hundredths: bigint): string | number => {
    if (scale === HUNDRED) return Number(hundredths) / Number(HUNDRED);
    const digits = hundredths.toString().padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  const hundredths: Readonly<Record<Exclude<Measure, 'count'>, (group: number) => bigint>> = {
    sum: (group) => exactSum(totals, group) * scale,
    average: (group) => divided(exactSum(totals, group) * scale, BigInt(knownOf(totals, group))),
    min: (group) => BigInt(minOf(totals, group)) * scale,
    max: (group) => BigInt(maxOf(totals, group)) * scale,
    median: (group) => {
      const [lower, upper] = middles.get(group) as Middle;
      return divided((BigInt(lower) + BigInt(upper)) * scale, 2n);
    },
  };
  return (measure: Measure, group: number): string | number | null => {
    if (measure === 'count') return totals.count[group];
    return knownOf(totals, group) === 0 ? null : show(hundredths[measure](group));
  };
}

/** Rounded half up. */
const divided = (sum: bigint, by: bigint): bigint => (2n * sum + by) / (2n * by);
