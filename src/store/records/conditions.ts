import type { SearchedType } from '../../contract/entities/index.ts';
import { type FilterName, type Filters, type FilterValue, fieldOf, filters } from '../../contract/filters.ts';
import type { Condition } from '../search/search-index.ts';
import type { Dialect, FieldKind } from '../sql/dialect.ts';
import { labelText } from './labels.ts';

/** The filters of a search as a condition on one type; a type without the field of a filter has no match. */
export function conditionOf(dialect: Dialect, type: SearchedType, given: Filters): Condition | undefined {
  const parts = Object.entries(given).map(([name, value]) => partOf(dialect, type, [name as FilterName, value]));
  if (parts.length === 0) return undefined;
  return { sql: parts.map((part) => part.sql).join(' AND '), parameters: parts.flatMap((part) => part.parameters) };
}

function partOf(dialect: Dialect, type: SearchedType, [name, value]: [FilterName, FilterValue]): Condition {
  const field = fieldOf(type, name);
  if (field === undefined) return { sql: '1 = 0', parameters: [] };
  switch (filters[name].test) {
    case 'has':
      return {
        sql: `${type}.id IN (SELECT labels.id FROM labels WHERE labels.type = '${type}' AND field = ? AND value = ?)`,
        parameters: [field, labelText(value)],
      };
    case 'from':
      return { sql: `${columnOf(dialect, type, field)} >= ?`, parameters: [value as string | number] };
    case 'to':
      return { sql: `${columnOf(dialect, type, field)} <= ?`, parameters: [value as string | number] };
  }
}

/** A field as it is compared: money as a number, names without their case. */
export function columnOf(dialect: Dialect, type: SearchedType, field: string): string {
  return dialect.field(type, field, kindOf(field));
}

function kindOf(field: string): FieldKind {
  if (field.endsWith('_usd')) return 'money';
  if (field === 'name') return 'name';
  return field.endsWith('_at') || field.endsWith('_date') ? 'text' : 'number';
}
