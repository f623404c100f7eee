import type { SearchedType } from '../../contract/entities/index.ts';
import {
  type FilterName,
  type Filters,
  type FilterValue,
  fieldOf,
  filters,
  type SortedField,
} from '../../contract/filters.ts';
import { labelText } from '../records/labels.ts';
import type { Condition } from '../search/search-index.ts';

/** The filters of a search as a condition on one type; a type without the field of a filter has no match. */
export function conditionOf(type: SearchedType, given: Filters): Condition | undefined {
  const parts = Object.entries(given).map(([name, value]) => partOf(type, name as FilterName, value));
  if (parts.length === 0) return undefined;
  return { sql: parts.map((part) => part.sql).join(' AND '), parameters: parts.flatMap((part) => part.parameters) };
}

function partOf(type: SearchedType, name: FilterName, value: FilterValue): Condition {
  const field = fieldOf(type, name);
  if (field === undefined) return { sql: '0', parameters: [] };
  switch (filters[name].test) {
    case 'has':
      return {
        sql: `${type}.id IN (SELECT labels.id FROM labels WHERE labels.type = '${type}' AND field = ? AND value = ?)`,
        parameters: [field, labelText(value)],
      };
    case 'from':
      return { sql: `${columnOf(type, field)} >= ?`, parameters: [value as string | number] };
    case 'to':
      return { sql: `${columnOf(type, field)} <= ?`, parameters: [value as string | number] };
  }
}

/** A field as SQL compares it: money as a number, names without their case. The indexes are over the same texts. */
export function columnOf(type: SearchedType, field: SortedField | string): string {
  const value = `${type}.document ->> '$.${field}'`;
  if (field.endsWith('_usd')) return `CAST(${value} AS REAL)`;
  return field === 'name' ? `lower(${value})` : `(${value})`;
}
