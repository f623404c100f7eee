import { GROUPS, type GroupSource } from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { COMPANY_FIELD } from '../../../contract/filters.ts';
import type { PeriodUnit } from '../../../contract/periods.ts';
import { type FactValue, valueFields } from '../../analytics/facts.ts';
import { ensureCapacity } from '../ensure-capacity.ts';
import { type Columns, typeIndex } from './columns.ts';
import { linkGroup } from './link-lists.ts';

/** A grouping dimension: the numbered values of each record. A number keeps its value. */
export interface Dimension {
  lists(): Lists;
  /** The value of a number: a value, or the code of a record or name. */
  valueAt(number: number): FactValue | { readonly code: number };
}

interface Lists {
  /** Upper bound of the numbers; 0 is "no value". */
  readonly size: number;
  /** By code, index of the list in the pool. */
  readonly column: Uint32Array;
  /** By code, the other record whose list applies. */
  readonly through: Uint32Array | undefined;
  /** Lists of distinct entries, each preceded by its length; list 0 is empty. */
  readonly pool: Uint32Array;
  /** Numbers of the entries; undefined if they are the numbers. */
  readonly numberOf: Uint32Array | undefined;
}

/** The groups of all types, by name. */
export type AllDimensions = Readonly<Record<RecordType, Readonly<Record<string, Dimension>>>>;

export const createDimensions = (columns: Columns): AllDimensions =>
  Object.fromEntries(
    RECORD_TYPES.map((type) => [
      type,
      Object.fromEntries(
        Object.entries(GROUPS[type]).map(([group, source]) => [group, dimensionOf(columns, { type, group, source })]),
      ),
    ]),
  ) as Record<RecordType, Record<string, Dimension>>;

function dimensionOf(
  columns: Columns,
  { type, group, source }: { readonly type: RecordType; readonly group: string; readonly source: GroupSource },
): Dimension {
  if (source.kind === 'period') return byPeriod(columns, PERIODS[source.period]);
  if (source.kind === 'value') {
    const { field, through } = source;
    return byValue(columns, { type: through?.to[0] ?? type, field, isOfCompany: through !== undefined });
  }
  const lists = columns.linkLists[linkGroup(type, group)];
  return {
    lists: () => ({
      size: lists.members,
      column: lists.column,
      through: undefined,
      pool: lists.pool,
      numberOf: undefined,
    }),
    valueAt: (number) => ({ code: lists.memberAt[number] }),
  };
}

/** The lists of a field of a type, or of the company of a round. */
export interface ListedField {
  readonly type: RecordType;
  readonly field: string;
  readonly isOfCompany: boolean;
}

/** A field that filters test, which for rounds may be one of their company. */
export const filteredField = (type: RecordType, field: string): ListedField =>
  field.startsWith(COMPANY_FIELD)
    ? { type: 'companies', field: field.slice(COMPANY_FIELD.length), isOfCompany: true }
    : { type, field, isOfCompany: false };

export function fieldLists(columns: Columns, { type, field, isOfCompany }: ListedField) {
  const slot = valueFields(type).indexOf(field);
  const lists = columns.lists[typeIndex(type)][slot];
  return { lists, column: columns.values[slot], through: isOfCompany ? columns.company : undefined };
}

function byValue(columns: Columns, listed: ListedField): Dimension {
  const { values } = fieldLists(columns, listed).lists;
  return {
    lists: () => {
      const { lists, column, through } = fieldLists(columns, listed);
      return { size: values.length, column, through, pool: lists.pool, numberOf: undefined };
    },
    valueAt: (number) => values[number],
  };
}

const MONTHS_A_QUARTER = 3;
const PERIODS: Readonly<Record<PeriodUnit, (yearMonth: number) => FactValue>> = {
  year: (yearMonth) => Math.floor(yearMonth / 100),
  quarter: (yearMonth) => `${yearOf(yearMonth)}-Q${Math.ceil((yearMonth % 100) / MONTHS_A_QUARTER)}`,
  month: (yearMonth) => `${yearOf(yearMonth)}-${String(yearMonth % 100).padStart(2, '0')}`,
};
const yearOf = (yearMonth: number): string => String(Math.floor(yearMonth / 100)).padStart(4, '0');

/** Maps months to periods, several of which can form one group. */
function byPeriod(columns: Columns, periodOf: (yearMonth: number) => FactValue): Dimension {
  const { months } = columns;
  const periods: FactValue[] = [''];
  const numbers = new Map<FactValue, number>();
  let numberOf = new Uint32Array(1);
  let known = 1;
  const follow = (): void => {
    numberOf = ensureCapacity(numberOf, months.values.length);
    for (; known < months.values.length; known += 1) {
      const period = periodOf(months.values[known] as number);
      const number = numbers.get(period) ?? periods.push(period) - 1;
      numbers.set(period, number);
      numberOf[known] = number;
    }
  };
  return {
    lists: () => {
      follow();
      return { size: periods.length, column: columns.month, through: undefined, pool: months.pool, numberOf };
    },
    valueAt: (number) => periods[number],
  };
}
