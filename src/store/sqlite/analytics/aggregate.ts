import {
  type Aggregate,
  type AggregateData,
  columnsOf,
  isMoney,
  MEASURED_FIELD,
  type Measure,
} from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import type { FactValue } from '../../analytics/facts.ts';
import type { NamedRecord } from '../../port/analytics.ts';
import { type Columns, NAME } from './columns.ts';
import { shownCoverage, type TypeCoverage } from './coverage.ts';
import type { Dimension } from './dimensions.ts';
import { maxOf, middleOf, minOf, rankAmounts } from './order-statistics.ts';
import { firstOf } from './row-order.ts';
import { exactSum, groupCount, numberAt, roomForGroups, sumOf, type Tally } from './tally.ts';

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

/** Whether a request needs amounts. */
export const isMeasuring = ({ measures }: Pick<Aggregate, 'measures'>): boolean =>
  measures.some((measure) => measure !== 'count');

const RANKED: ReadonlySet<Measure | undefined> = new Set(['median', 'min', 'max']);

/** Computes a result from records counted as requested. */
export function computeAggregate(
  columns: Columns,
  request: Aggregate,
  { tally, coverage, records }: Counted,
): AggregateDraft {
  roomForGroups(tally);
  const { of, measures, order } = request;
  const orderedBy = order.by === 'measure' ? (measures[order.column] ?? 'count') : undefined;
  if (RANKED.has(orderedBy)) rankAmounts(tally, { columns, records });
  const positions = request.groups.map((name) => tally.names.indexOf(name));
  const keys = orderedBy && keysOf(tally, orderedBy);
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
      ...(isOfAmounts && complete < coverage.records ? { ungrouped: coverage.records - complete } : {}),
      ...shownCoverage(coverage),
      ...(overlapping === 0 ? {} : { overlapping }),
      ...(isOfAmounts ? knownByRow(tally, shown) : {}),
      ...(tally.hasGrants ? grantsByRow(tally, coverage, shown) : {}),
      ...(isByInvestor(request) && coverage.cut > 0 ? { may_be_cut: coverage.cut } : {}),
    },
  };
}

/** Whether rounds are counted by their investors, of whom only some are listed; leads always are. */
const isByInvestor = ({ of, groups }: Aggregate): boolean => of === 'rounds' && groups.includes('investor');

/** How many are grants by row, unless all or none are. */
function grantsByRow(
  { grants }: Tally,
  coverage: TypeCoverage,
  shown: readonly number[],
): { grants_by_row?: number[] } {
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

/** Measures for display: money as text, counts with at most two decimals, null if unknown. */
function shownMeasure(tally: Tally, field = '') {
  const scale = isMoney(field) ? 1n : HUNDRED;
  const show = (hundredths: bigint): string | number => {
    if (scale === HUNDRED) return Number(hundredths) / Number(HUNDRED);
    const digits = hundredths.toString().padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
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
    return tally.known[group] === 0 ? null : show(hundredths[measure](group));
  };
}

/** Rounded half up. */
const divided = (sum: bigint, by: bigint): bigint => (2n * sum + by) / (2n * by);
