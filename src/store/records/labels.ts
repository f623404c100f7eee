import type { SearchedType } from '../../contract/entities/index.ts';
import { FILTER_NAMES, type FilterValue, fieldOf, filters } from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import type { Document } from './document.ts';

/** A value that a record has in a field which can be filtered, folded so that case and accents do not matter. */
export interface Label {
  readonly field: string;
  readonly value: string;
}

/** Every label of a document, each once. */
export function labelsOf(document: Document): Label[] {
  const found = new Map<string, Label>();
  for (const field of labelledFields(document.type as SearchedType)) {
    for (const value of [valueAt(document, field)].flat()) {
      if (value === null || value === undefined) continue;
      const label = { field, value: labelText(value as FilterValue) };
      found.set(`${field}\n${label.value}`, label);
    }
  }
  return [...found.values()];
}

/** A value as it is compared; a text of nothing but signs is compared as it stands. */
export function labelText(value: FilterValue): string {
  const text = String(value);
  return foldName(text) || text;
}

const fieldsByType = new Map<SearchedType, readonly string[]>();

/** The fields of a type that filters ask for by value. */
export function labelledFields(type: SearchedType): readonly string[] {
  let fields = fieldsByType.get(type);
  if (fields === undefined) {
    const known = FILTER_NAMES.filter((name) => filters[name].test === 'has').flatMap(
      (name) => fieldOf(type, name) ?? [],
    );
    fields = [...new Set(known)];
    fieldsByType.set(type, fields);
  }
  return fields;
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], document);
}
