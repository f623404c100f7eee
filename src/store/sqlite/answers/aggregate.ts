import {
  type Aggregate,
  type AggregateData,
  columnsOf,
  isMoney,
  MEASURED_FIELD,
  type Measure,
} from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import type { FundingStage } from '../../../contract/vocabulary.ts';
import { type FactValue, isoDateOf } from '../../answers/facts.ts';
import type { NamedPlace } from '../../port/answers.ts';
import { type Cells, numbersOfKey, sortIntoCells } from './cells.ts';
import { type Columns, NAME } from './columns.ts';
import { type Dimension, dimensionOf } from './dimensions.ts';
import { type Middle, middlesOf } from './medians.ts';
import { firstOf } from './order.ts';
import { CARRY, exactSum, type Totals, totalsOf } from './totals.ts';

/** A value of a group before records are named. */
type GroupValue = FactValue | null | Pick<NamedPlace, 'type' | 'id'>;
type Cell = GroupValue | AggregateData['rows'][number][number];

/** An answer whose records are still to be named. */
export interface Draft extends Omit<AggregateData, 'rows'> {
  readonly rows: readonly (readonly Cell[])[];
}

/** Counts and sums some records, given by their codes. */
export function aggregate(columns: Columns, request: Aggregate, records: Uint32Array): Draft {
  const { of, groups: names, measures } = request;
  const dimensions = names.map((name) => dimensionOf(columns, of, name));
  const amounts = measures.some((measure) => measure !== 'count') ? columns.amount : undefined;
  const cells = sortIntoCells(dimensions, records);
  const totals = totalsOf(cells, amounts);

  const medians = (groups: readonly number[]): ReadonlyMap<number, Middle> =>
    amounts === undefined || !measures.includes('median') ? NO_MIDDLES : middlesOf(cells, amounts, { totals, groups });
  const isByMedian = request.order.by === 'measure' && measures[request.order.place] === 'median';
  const allMedians = isByMedian ? medians(Array.from({ length: totals.size }, (_, group) => group)) : NO_MIDDLES;
  const key = (group: number): number => measured(totals, measures[request.order.place], group, allMedians);
  const shown = firstOf(columns, { totals, dimensions, request, key });
  const middles = isByMedian ? allMedians : medians(shown);
  const show = shownMeasure(totals, middles, MEASURED_FIELD[of]);
  return {
    columns: columnsOf(request),
    rows: shown.map((group) => [
      ...numbersOfKey(dimensions, totals.keys[group]).map((number, place) =>
        groupValue(columns, dimensions[place], number),
      ),
      ...measures.map((measure) => show(measure, group)),
    ]),
    groups: totals.size,
    covered: {
      ...coveredOf(columns, cells, { records, amounts }),
      ...(of === 'rounds' ? grantsOf(columns, records) : {}),
      ...(amounts === undefined ? {} : knownByRow(totals, shown)),
    },
  };
}

/** How many of some rounds are grants; nothing where all or none are. */
function grantsOf(columns: Columns, records: Uint32Array): { grants?: number } {
  const { shared, valueAt } = dimensionOf(columns, 'rounds', 'stage');
  if (shared === undefined) return {};
  const isGrant = new Map<number, number>();
  let grants = 0;
  for (const code of records) {
    const list = shared.column[code];
    let known = isGrant.get(list);
    if (known === undefined) {
      known = Number(shared.numbersOf(list).some((number) => valueAt(number) === GRANT));
      isGrant.set(list, known);
    }
    grants += known;
  }
  return grants === 0 || grants === records.length ? {} : { grants };
}

/** How many records of each row have an amount; nothing where all have one. */
function knownByRow({ count, known }: Totals, shown: readonly number[]): { known_by_row?: number[] } {
  const isComplete = shown.every((group) => known[group] === count[group]);
  return isComplete ? {} : { known_by_row: shown.map((group) => known[group]) };
}

const GRANT = 'grant' satisfies FundingStage;
const NO_MIDDLES: ReadonlyMap<number, Middle> = new Map();

/** A measure of a group as a number that groups are put in order by; NaN when nothing is known. */
function measured(
  totals: Totals,
  measure: Measure | undefined,
  group: number,
  medians: ReadonlyMap<number, Middle>,
): number {
  const { count, known, sum, carry, min, max } = totals;
  switch (measure) {
    case 'sum':
      return known[group] === 0 ? Number.NaN : carry[group] * CARRY + sum[group];
    case 'average':
      return (carry[group] * CARRY + sum[group]) / known[group];
    case 'min':
      return min[group];
    case 'max':
      return max[group];
    case 'median': {
      const [lower, upper] = medians.get(group) ?? [Number.NaN, Number.NaN];
      return lower / 2 + upper / 2;
    }
    default:
      return count[group];
  }
}

function groupValue({ type, id, names }: Columns, { valueAt }: Dimension, number: number): GroupValue {
  if (number === 0) return null;
  const value = valueAt(number);
  if (typeof value !== 'object') return value;
  const { code } = value;
  return type[code] === NAME ? names[id[code]] : { type: RECORD_TYPES[type[code]] as RecordType, id: id[code] };
}

const HUNDRED = 100n;

/** Measures as they are shown: money as text, numbers of things with at most two decimals, null when nothing is known. */
function shownMeasure(totals: Totals, middles: ReadonlyMap<number, Middle>, field = '') {
  const scale = isMoney(field) ? 1n : HUNDRED;
  const show = (hundredths: bigint): string | number => {
    if (scale === HUNDRED) return Number(hundredths) / Number(HUNDRED);
    const digits = hundredths.toString().padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  const hundredths: Readonly<Record<Exclude<Measure, 'count'>, (group: number) => bigint>> = {
    sum: (group) => exactSum(totals, group) * scale,
    average: (group) => divided(exactSum(totals, group) * scale, BigInt(totals.known[group])),
    min: (group) => BigInt(totals.min[group]) * scale,
    max: (group) => BigInt(totals.max[group]) * scale,
    median: (group) => {
      const [lower, upper] = middles.get(group) as Middle;
      return divided((BigInt(lower) + BigInt(upper)) * scale, 2n);
    },
  };
  return (measure: Measure, group: number): string | number | null => {
    if (measure === 'count') return totals.count[group];
    return totals.known[group] === 0 ? null : show(hundredths[measure](group));
  };
}

/** Rounded to the nearest, half up. */
const divided = (sum: bigint, by: bigint): bigint => (2n * sum + by) / (2n * by);

function coveredOf(
  { date }: Columns,
  cells: Cells,
  { records, amounts }: { readonly records: Uint32Array; readonly amounts: Float64Array | undefined },
): AggregateData['covered'] {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const code of records) {
    const day = date[code];
    if (day > to) to = day;
    if (day > 0 && day < from) from = day;
  }
  const known = amounts === undefined ? countComplete(cells) : countKnown(records, amounts);
  const dates = to === 0 ? { from: null, to: null } : { from: isoDateOf(from), to: isoDateOf(to) };
  return { records: records.length, known, unknown: records.length - known, ...dates };
}

function countKnown(records: Uint32Array, amounts: Float64Array): number {
  let known = 0;
  for (const code of records) if (!Number.isNaN(amounts[code])) known += 1;
  return known;
}

/** Records with a value of every group; the entries of one record follow each other. */
function countComplete(cells: Cells): number {
  const { cell, record } = cells;
  const isComplete = Uint8Array.from({ length: cells.size }, (_, of) => Number(cells.isComplete(of)));
  let complete = 0;
  for (let entry = 0; entry < cell.length; entry += 1) {
    if (entry === 0 || record[entry] !== record[entry - 1]) complete += isComplete[cell[entry]];
  }
  return complete;
}
