import { type Aggregate, type AggregateData, MEASURED_FIELD } from '../../../contract/aggregate.ts';
import type { FundingStage } from '../../../contract/vocabulary.ts';
import { isoDateOf } from '../../answers/facts.ts';
import { type Cells, sortIntoCells } from './cells.ts';
import type { Columns } from './columns.ts';
import { type Dimension, dimensionOf } from './dimensions.ts';
import { type Totals, totalsOf } from './totals.ts';

/** Records counted and summed by group, independent of measures and order. */
export interface Grouping {
  readonly dimensions: readonly Dimension[];
  readonly records: Uint32Array;
  /** Undefined if evicted to save memory; computed again for medians. */
  readonly cells: Cells | undefined;
  readonly totals: Totals;
  /** Whether totals include amounts. */
  readonly isMeasured: boolean;
  readonly covered: Pick<AggregateData['covered'], 'from' | 'to' | 'grants' | 'overlapping'>;
  /** Records with a value in every dimension. */
  readonly complete: number;
  /** Records with a known amount; 0 if not measured. */
  readonly known: number;
}

/** Whether a request needs amounts. */
export const isMeasuring = ({ measures }: Pick<Aggregate, 'measures'>): boolean =>
  measures.some((measure) => measure !== 'count');

/** Whether records of a type have amounts. */
export const isMeasurable = ({ of }: Pick<Aggregate, 'of'>): boolean => MEASURED_FIELD[of] !== undefined;

/** Groups records by code, with sums if measured. */
export function groupingOf(
  columns: Columns,
  { of, groups }: Pick<Aggregate, 'of' | 'groups'>,
  { records, isMeasured }: Pick<Grouping, 'records' | 'isMeasured'>,
): Grouping {
  const dimensions = groups.map((name) => dimensionOf(columns, of, name));
  const cells = sortIntoCells(dimensions, records);
  const { complete, overlapping } = countGrouped(cells);
  return {
    dimensions,
    records,
    cells,
    totals: totalsOf(cells, isMeasured ? columns.amount : undefined),
    isMeasured,
    covered: {
      ...daysOf(columns, records),
      ...(of === 'rounds' ? grantsOf(columns, records) : {}),
      ...(overlapping === 0 ? {} : { overlapping }),
    },
    complete,
    known: isMeasured ? countKnown(records, columns.amount) : 0,
  };
}

function daysOf({ date }: Columns, records: Uint32Array): Pick<Grouping['covered'], 'from' | 'to'> {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const code of records) {
    const day = date[code];
    if (day > to) to = day;
    if (day > 0 && day < from) from = day;
  }
  return to === 0 ? { from: null, to: null } : { from: isoDateOf(from), to: isoDateOf(to) };
}

/** Number of grants among rounds; omitted if all or none are. */
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

const GRANT = 'grant' satisfies FundingStage;
function countKnown(records: Uint32Array, amounts: Float64Array): number {
  let known = 0;
  for (const code of records) if (!Number.isNaN(amounts[code])) known += 1;
  return known;
}

/** Counts records with a value in every dimension, and records in several groups; entries of a record are adjacent. */
function countGrouped(cells: Cells): { complete: number; overlapping: number } {
  const { cell, record } = cells;
  const isComplete = Uint8Array.from({ length: cells.size }, (_, of) => Number(cells.isComplete(of)));
  const isShared = Uint8Array.from({ length: cells.size }, (_, of) => Number(cells.groupsOf(of).length > 1));
  let complete = 0;
  let overlapping = 0;
  for (let entry = 0; entry < cell.length; entry += 1) {
    if (entry > 0 && record[entry] === record[entry - 1]) continue;
    complete += isComplete[cell[entry]];
    // Of several entries each is a group of its own.
    overlapping += record[entry + 1] === record[entry] ? 1 : isShared[cell[entry]];
  }
  return { complete, overlapping };
}
