import type { RecordType } from '../../contract/entities/index.ts';
import { writableFields } from '../../contract/import-names.ts';
import { slugify } from '../../contract/names.ts';
import { relations } from '../../contract/relations.ts';

type Fields = Readonly<Record<string, unknown>>;

const PLACE = 'location_json';
const PLACE_PARTS = ['city', 'country'];

/** The columns of a type's CSV file, in the order of the record. */
export function csvColumns(type: RecordType): string[] {
  const parts = PLACE_PARTS.map((part) => `${PLACE}.${part}`);
  return ['id', ...writableFields(type).flatMap((field) => (field === PLACE ? parts : [field]))];
}

/** A written record as the cells of those columns. */
export function csvCells(type: RecordType, columns: readonly string[], record: Fields): string[] {
  const place = (record[PLACE] ?? {}) as Fields;
  return columns.map((column) => {
    const value = column.startsWith(`${PLACE}.`) ? place[column.slice(PLACE.length + 1)] : record[column];
    return cellOf(value, slugKeys.get(`${type}.${column}`));
  });
}

/** Where a reference of a field keeps its slug and its name. */
const slugKeys = new Map(relations.map(({ name, keys }) => [name, keys]));
type Keys = typeof slugKeys extends Map<string, infer Value> ? Value : never;

function cellOf(value: unknown, keys: Keys | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  const items = (Array.isArray(value) ? value : [value]).map((item: unknown) => plainItem(item, keys));
  const isPlain = items.every((item) => item !== undefined && isUnmistakable(item));
  return isPlain ? items.join('|') : JSON.stringify(value);
}

/**
 * An item as text alone: its slug, or its name when it has none. Undefined when it says more than that, which a name does that is
 * not the one of its record.
 */
function plainItem(item: unknown, keys: Keys | undefined): string | undefined {
  if (typeof item === 'string') return item;
  if (keys === undefined) return undefined;
  const { [keys.name]: name, [keys.slug]: slug, ...more } = item as Fields;
  const isWhole = Object.keys(more).length === 0 && (slug === undefined || slugify(String(name)) === slug);
  return isWhole ? String(slug ?? name) : undefined;
}

/** Whether a text is read again as this one item, and not as several, a number or JSON. */
function isUnmistakable(item: string): boolean {
  return !/[|]|^\s*[[{]|^\s|\s$|^\d*$/.test(item);
}
