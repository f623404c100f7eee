import type { AggregateData } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { GRANT } from '../../../contract/vocabulary.ts';
import { isoDateOf, valueFields } from '../../answers/facts.ts';
import { type Columns, typeIndex } from './columns.ts';

/** What some records are, however they are grouped. */
export interface Coverage extends Pick<AggregateData['covered'], 'from' | 'to' | 'grants'> {
  /** Records with a known amount. */
  readonly known: number;
}

export function coverageOf(columns: Columns, of: RecordType, records: Uint32Array): Coverage {
  const { date, amount } = columns;
  let from = Number.POSITIVE_INFINITY;
  let [to, known] = [0, 0];
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    const day = date[code];
    if (day > to) to = day;
    if (day > 0 && day < from) from = day;
    if (!Number.isNaN(amount[code])) known += 1;
  }
  const days = to === 0 ? { from: null, to: null } : { from: isoDateOf(from), to: isoDateOf(to) };
  return { ...days, ...(of === 'rounds' ? grantsOf(columns, records) : {}), known };
}

/** Number of grants among rounds; omitted if all or none are. */
function grantsOf(columns: Columns, records: Uint32Array): { grants?: number } {
  const slot = valueFields('rounds').indexOf('stage');
  const column = columns.values[slot];
  const { pool, values } = columns.lists[typeIndex('rounds')][slot];
  const grant = values.indexOf(GRANT);
  let grants = 0;
  for (let index = 0; index < records.length; index += 1) {
    const list = column[records[index]];
    if (pool[list] > 0 && pool[list + 1] === grant) grants += 1;
  }
  return grants === 0 || grants === records.length ? {} : { grants };
}
