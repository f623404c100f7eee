import { type Aggregate, type AggregateData, MEASURED_FIELD } from '../../../contract/aggregate.ts';
import { GRANT } from '../../../contract/vocabulary.ts';
import { isoDateOf, valueFields } from '../../answers/facts.ts';
import { type Columns, typePlace } from './columns.ts';
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
  { records, isMeasured, buffers }: Pick<Grouping, 'records' | 'isMeasured'> & { readonly buffers: EntryBuffers },
): Grouping {
  const dimensions = groups.map((name) => dimensionOf(columns, of, name));
  const entries = sortIntoGroups(dimensions, records, buffers);
  const { complete, overlapping } = entries;
  return {
    dimensions,
    records,
    totals: totalsOf(entries, isMeasured ? columns.amount : undefined),
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
  for (let place = 0; place < records.length; place += 1) {
    const day = date[records[place]];
    if (day > to) to = day;
    if (day > 0 && day < from) from = day;
  }
  return to === 0 ? { from: null, to: null } : { from: isoDateOf(from), to: isoDateOf(to) };
}

/** Number of grants among rounds; omitted if all or none are. */
function grantsOf(columns: Columns, records: Uint32Array): { grants?: number } {
  const slot = valueFields('rounds').indexOf('stage');
  const column = columns.values[slot];
  const { pool, values } = columns.lists[typePlace('rounds')][slot];
  const grant = values.indexOf(GRANT);
  let grants = 0;
  for (let place = 0; place < records.length; place += 1) {
    const list = column[records[place]];
    if (pool[list] > 0 && pool[list + 1] === grant) grants += 1;
  }
  return grants === 0 || grants === records.length ? {} : { grants };
}

function countKnown(records: Uint32Array, amounts: Float64Array): number {
  let known = 0;
  for (let place = 0; place < records.length; place += 1) if (!Number.isNaN(amounts[records[place]])) known += 1;
  return known;
}
