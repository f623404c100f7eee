import type { AggregateData } from './aggregate.ts';
import { isVocabularyField, vocabularyLabel } from './vocabulary.ts';

/** Rows of an aggregate, apart from its schemas, which a view in a host does without. */

export const MEASURES = ['count', 'sum', 'median', 'average', 'min', 'max'] as const;

/** Whether a column of an aggregate is a measure, not a group. */
export const isMeasureColumn = (column: string): boolean =>
  MEASURES.some((measure) => column === measure || column.startsWith(`${measure}_`));

/** Number of values that records are grouped by: those without one are a row, but no value. Of two groups, all pairs. */
export function countValues({ columns, rows, groups, covered }: AggregateData): number {
  if (columns.filter((column) => !isMeasureColumn(column)).length > 1) return groups;
  const isCount = columns.every((column) => column === 'count' || !isMeasureColumn(column));
  const lacking = (isCount ? covered.unknown : covered.ungrouped) ?? 0;
  // The row without a value is the last one.
  return groups - Number(rows.length < groups ? lacking > 0 : rows.at(-1)?.[0] === null);
}

/** How many records an aggregate of amounts has without a value of a group, unless a row is of these; 0 for none. */
export function unshownWithoutGroup({ columns, rows, covered }: AggregateData): number {
  const groups = columns.filter((column) => !isMeasureColumn(column)).length;
  return rows.some((row) => row.slice(0, groups).includes(null)) ? 0 : (covered.ungrouped ?? 0);
}

/** The value of a group in words. */
export function cellName(cell: AggregateData['rows'][number][number], group: string): string {
  if (cell === null) return 'Not known';
  if (typeof cell === 'object') return cell.name;
  return isVocabularyField(group) ? vocabularyLabel(String(cell)) : String(cell);
}
