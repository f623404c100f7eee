import type { RecordType } from '../../contract/entities/index.ts';
import { type FacetKind, facetDefinition, facets } from '../../contract/facets.ts';
import { COMPANY_FIELD, FILTER_NAMES, fieldsOf, filterOf } from '../../contract/filters.ts';
import type { Document } from './document.ts';

/** A value that a record has in a field which can be filtered. */
export interface Label {
  readonly field: string;
  /** The key of the value, or `UNKNOWN`. */
  readonly value: string;
  /** The value as the record spells it. */
  readonly shown: string;
}

/** The label of a record that lacks the field. */
export const UNKNOWN = '';

/** A field whose values are kept as labels. */
interface LabelledField {
  /** The paths of its values, of which the first is its name. */
  readonly paths: readonly string[];
  /** How its values are told apart; without it only whether there are any is kept. */
  readonly kind: FacetKind | undefined;
}

/** Every label of a document, each once. */
export function labelsOf(document: Document): Label[] {
  return labelledFields(document.type as RecordType).flatMap(({ paths, kind }) => {
    const [field = ''] = paths;
    const values = paths.flatMap((path) => [valueAt(document, path)].flat()).filter((value) => value != null);
    if (values.length === 0) return [{ field, value: UNKNOWN, shown: '' }];
    if (kind === undefined) return [];
    const found = new Map(values.map((value) => [facets[kind].key(String(value)), String(value)]));
    return [...found].map(([value, shown]) => ({ field, value, shown }));
  });
}

const fieldsByType = new Map<RecordType, readonly LabelledField[]>();

/** The fields of a type's own documents that filters ask for. */
function labelledFields(type: RecordType): readonly LabelledField[] {
  let fields = fieldsByType.get(type);
  if (fields === undefined) {
    fields = distinct(FILTER_NAMES.map((name) => ({ paths: fieldsOf(type, name), kind: kindOf(filterOf(name)) })));
    fieldsByType.set(type, fields);
  }
  return fields;
}

function kindOf(filter: ReturnType<typeof filterOf>): FacetKind | undefined {
  if (filter.test === 'facet') return filter.kind;
  return filter.test === 'flag' ? 'flag' : undefined;
}

function distinct(fields: readonly LabelledField[]): LabelledField[] {
  const own = fields.filter(({ paths: [first] }) => first !== undefined && !first.startsWith(COMPANY_FIELD));
  return own.filter((field, index) => own.findIndex((other) => other.paths[0] === field.paths[0]) === index);
}

/** Fields of a company that its rounds have too, as rounds name them. */
export const INHERITED = FILTER_NAMES.flatMap((name) => fieldsOf('rounds', name)).filter((field) =>
  field.startsWith(COMPANY_FIELD),
);

/** All that decides the labels of a type, to tell when they have to be made anew. */
export const labelDefinition = (type: RecordType): unknown => [
  labelledFields(type),
  labelledFields(type).map(({ kind }) => kind && facetDefinition(kind)),
  type === 'rounds' ? INHERITED : [],
];

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], document);
}
