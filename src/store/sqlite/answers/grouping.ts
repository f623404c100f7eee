import { type Aggregate, MEASURED_FIELD } from '../../../contract/aggregate.ts';
import type { Columns } from './columns.ts';
import { type Dimension, dimensionOf } from './dimensions.ts';
import { type EntryBuffers, sortIntoGroups } from './entries.ts';
import { type Totals, totalsOf } from './totals.ts';

/** Records counted and summed by group, independent of measures and order. */
export interface Grouping {
  readonly dimensions: readonly Dimension[];
  readonly records: Uint32Array;
  readonly totals: Totals;
  /** Whether totals include amounts. */
  readonly isMeasured: boolean;
  /** Records with a value in every dimension, and records in several groups. */
  readonly complete: number;
  readonly overlapping: number;
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
  { records, isMeasured, buffers }: Pick<Grouping, 'records' | 'isMeasured'> & { readonly buffers: EntryBuffers },
): Grouping {
  const dimensions = groups.map((name) => dimensionOf(columns, of, name));
  const entries = sortIntoGroups(dimensions, records, buffers);
  const { complete, overlapping } = entries;
  const totals = totalsOf(entries, isMeasured ? columns.amount : undefined);
  return { dimensions, records, totals, isMeasured, complete, overlapping };
}
