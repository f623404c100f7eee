import type { AggregateData } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { GRANT } from '../../../contract/vocabulary.ts';
import { CUT_FIELD, isoDateOf, valueFields } from '../../answers/facts.ts';
import { type Columns, typeIndex } from './columns.ts';
import type { Entries } from './entries.ts';

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
  const isGrant = roundTest(columns, 'stage', GRANT);
  let grants = 0;
  for (let index = 0; index < records.length; index += 1) if (isGrant(records[index])) grants += 1;
  return grants === 0 || grants === records.length ? {} : { grants };
}

/** Number of rounds whose investors may be cut; omitted for none. */
export function cutOf(columns: Columns, records: Uint32Array): { may_be_cut?: number } {
  const isCut = roundTest(columns, CUT_FIELD, 'true');
  let cut = 0;
  for (let index = 0; index < records.length; index += 1) if (isCut(records[index])) cut += 1;
  return cut === 0 ? {} : { may_be_cut: cut };
}

/** Of some groups, the grants among the rounds. */
export function grantsByGroup(
  columns: Columns,
  { length, group, record }: Entries,
  groups: readonly number[],
): number[] {
  const isGrant = roundTest(columns, 'stage', GRANT);
  const grants = new Map(groups.map((each) => [each, 0]));
  for (let entry = 0; entry < length; entry += 1) {
    const known = grants.get(group[entry]);
    if (known !== undefined && isGrant(record[entry])) grants.set(group[entry], known + 1);
  }
  return groups.map((each) => grants.get(each) as number);
}

/** Whether a round has this value of a field with one value. */
function roundTest(columns: Columns, field: string, value: string): (code: number) => boolean {
  const slot = valueFields('rounds').indexOf(field);
  const column = columns.values[slot];
  const { pool, values } = columns.lists[typeIndex('rounds')][slot];
  const wanted = values.indexOf(value);
  return (code) => pool[column[code]] > 0 && pool[column[code] + 1] === wanted;
}
