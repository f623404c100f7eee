import { GROUPS, type GroupSource, type PeriodUnit } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { COMPANY_FIELD } from '../../../contract/filters.ts';
import { type FactValue, valueFields } from '../../answers/facts.ts';
import { type Columns, typeIndex } from './columns.ts';
import { linkGroup } from './link-lists.ts';

/** A grouping dimension: maps each record to the numbers of its values, through lists that records may share. */
export interface Dimension {
  /** Upper bound of the numbers; 0 is "no value". */
  readonly size: number;
  /** By code, index of the list in the pool. */
  readonly column: Uint32Array;
  /** By code, the record whose list applies, if it is another one. */
  readonly through: Uint32Array | undefined;
  /** Lists of distinct entries, each preceded by its length; list 0 is empty. */
  readonly pool: Uint32Array;
  /** Numbers of the entries; undefined if they are the numbers. */
  readonly numberOf: Uint32Array | undefined;
  /** The value of a number: a value, or the code of a record or name. */
  valueAt(number: number): FactValue | { readonly code: number };
}

export function dimensionOf(columns: Columns, type: RecordType, group: string): Dimension {
  const source = GROUPS[type][group] as GroupSource;
  if (source.kind === 'period') {
    const { pool, values } = columns.months;
    const periods = values.map((value) => PERIODS[source.period](value as number));
    return byValues({ column: columns.month, through: undefined, pool }, periods);
  }
  if (source.kind === 'value') {
    const { field, through } = source;
    const lists = listsOf(columns, { type: through?.to[0] ?? type, field, isOfCompany: through !== undefined });
    return byValues(lists, lists.values);
  }
  const { column, pool } = columns.linkLists[linkGroup(type, group)];
  return { column, pool, through: undefined, numberOf: undefined, size: columns.size, valueAt: (code) => ({ code }) };
}

/** The keys by which filters compare a field, and those of its company for a round. */
export function facetDimension(columns: Columns, type: RecordType, field: string): Dimension {
  const isOfCompany = field.startsWith(COMPANY_FIELD);
  const lists = isOfCompany
    ? listsOf(columns, { type: 'companies', field: field.slice(COMPANY_FIELD.length), isOfCompany })
    : listsOf(columns, { type, field, isOfCompany });
  return byValues(lists, lists.keys);
}

interface ListedField {
  readonly type: RecordType;
  readonly field: string;
  readonly isOfCompany: boolean;
}

function listsOf(columns: Columns, { type, field, isOfCompany }: ListedField) {
  const slot = valueFields(type).indexOf(field);
  const { pool, values, keys } = columns.lists[typeIndex(type)][slot];
  return { column: columns.values[slot], through: isOfCompany ? columns.company : undefined, pool, values, keys };
}

const MONTHS_A_QUARTER = 3;
const PERIODS: Readonly<Record<PeriodUnit, (yearMonth: number) => FactValue>> = {
  year: (yearMonth) => Math.floor(yearMonth / 100),
  quarter: (yearMonth) => `${yearOf(yearMonth)}-Q${Math.ceil((yearMonth % 100) / MONTHS_A_QUARTER)}`,
  month: (yearMonth) => `${yearOf(yearMonth)}-${String(yearMonth % 100).padStart(2, '0')}`,
};
const yearOf = (yearMonth: number): string => String(Math.floor(yearMonth / 100)).padStart(4, '0');

function byValues(
  { column, through, pool }: Pick<Dimension, 'column' | 'through' | 'pool'>,
  values: readonly FactValue[],
): Dimension {
  // Distinct values can be one group, such as months of a year.
  const distinct = [...new Set(values)];
  const numbers = new Map(distinct.map((value, index) => [value, index + 1]));
  return {
    column,
    through,
    pool,
    numberOf: Uint32Array.from(values, (value) => numbers.get(value) as number),
    size: distinct.length + 1,
    valueAt: (number) => distinct[number - 1] as FactValue,
  };
}
