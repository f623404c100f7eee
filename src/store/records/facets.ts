import { LRUCache } from 'lru-cache';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FacetKind, facetDefinition, facets } from '../../contract/facets.ts';
import { COMPANY_FIELD, FILTER_NAMES, fieldsOf, filterOf } from '../../contract/filters.ts';
import { cached } from '../cached.ts';
import type { Document } from './document.ts';

export interface FacetValue {
  readonly field: string;
  /** Normalized key, or `UNKNOWN`. */
  readonly value: string;
  /** The value as spelled in the record. */
  readonly shown: string;
}

/** Facet value of a record without the field. */
export const UNKNOWN = '';

interface FacetField {
  /** Paths of its values; the first is the field name. */
  readonly paths: readonly string[];
  /** Normalization of its values; without it, only presence is recorded. */
  readonly kind: FacetKind | undefined;
}

interface FieldReader {
  readonly paths: readonly (readonly string[])[];
  readonly unknown: FacetValue;
  /** Maps a value to its facet; undefined if only presence is recorded. */
  readonly facetOf: ((value: unknown) => FacetValue) | undefined;
}

const REMEMBERED = 1_024;

/** The distinct facets of a document. Equal values mostly share one object. */
export function facetsOf(document: Document): FacetValue[] {
  const found: FacetValue[] = [];
  for (const { paths, unknown, facetOf } of readersOf(document.type as RecordType)) {
    const values: unknown[] = [];
    for (const path of paths) addValues(values, document, path);
    if (values.length === 0) found.push(unknown);
    else if (facetOf !== undefined) {
      const each = values.map(facetOf);
      found.push(...(each.length === 1 ? each : new Map(each.map((facet) => [facet.value, facet])).values()));
    }
  }
  return found;
}

const readersByType = new Map<RecordType, readonly FieldReader[]>();

function readersOf(type: RecordType): readonly FieldReader[] {
  const readers = readersByType.get(type) ?? facetFieldsOf(type).map(toReader);
  readersByType.set(type, readers);
  return readers;
}

function toReader({ paths, kind }: FacetField): FieldReader {
  const [field = ''] = paths;
  const known = new LRUCache<string, FacetValue>({ max: REMEMBERED });
  const toFacet = (shown: string): FacetValue => ({ field, value: kind ? facets[kind].key(shown) : '', shown });
  return {
    paths: paths.map((path) => path.split('.')),
    unknown: { field, value: UNKNOWN, shown: '' },
    facetOf: kind && ((value) => cached(known, String(value), toFacet)),
  };
}

/** Filterable fields of a type's own documents. */
function facetFieldsOf(type: RecordType): readonly FacetField[] {
  return distinct(FILTER_NAMES.map((name) => ({ paths: fieldsOf(type, name), kind: facetKindOf(filterOf(name)) })));
}

/** Normalization of the facets that a filter compares; undefined if it compares none. */
export function facetKindOf(filter: ReturnType<typeof filterOf>): FacetKind | undefined {
  if (filter.test === 'facet') return filter.kind;
  return filter.test === 'flag' ? 'flag' : undefined;
}

function distinct(fields: readonly FacetField[]): FacetField[] {
  const own = fields.filter(({ paths: [first] }) => first !== undefined && !first.startsWith(COMPANY_FIELD));
  return own.filter((field, index) => own.findIndex((other) => other.paths[0] === field.paths[0]) === index);
}

/** Company fields that rounds inherit, by their names in rounds. */
export const INHERITED = FILTER_NAMES.flatMap((name) => fieldsOf('rounds', name)).filter((field) =>
  field.startsWith(COMPANY_FIELD),
);

/** Everything that the facets of a type depend on; facets are rebuilt when it changes. */
export const facetFields = (type: RecordType): unknown => [
  facetFieldsOf(type),
  facetFieldsOf(type).map(({ kind }) => kind && facetDefinition(kind)),
  type === 'rounds' ? INHERITED : [],
];

function addValues(values: unknown[], document: Document, path: readonly string[]): void {
  let found: unknown = document;
  for (const name of path) found = (found as Record<string, unknown> | null | undefined)?.[name];
  if (Array.isArray(found)) {
    for (const value of found) if (value != null) values.push(value);
  } else if (found != null) values.push(found);
}
