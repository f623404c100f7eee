import { FIELDS, type Field } from '../../search/layers.ts';

/** A field's class: the index tells them apart, and the last two are told apart by their place. */
const CLASSES = ['A', 'B', 'C', 'D', 'D'];

const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** The terms of a document as a tsvector: the place of a term is its field. */
export function vectorOf(terms: ReadonlyMap<string, Field>): string {
  return [...terms].map(([term, field]) => `${quoted(term)}:${placeOf(field)}${CLASSES[field]}`).join(' ');
}

export const placeOf = (field: Field): number => field + 1;

const ENTRY = /'((?:[^'\\]|''|\\.)*)':(\d+)/g;

/** The terms of a tsvector's text, with their fields. */
export function termsOf(vector: string): Map<string, Field> {
  const terms = new Map<string, Field>();
  for (const [, text = '', place] of vector.matchAll(ENTRY)) {
    const term = text.replaceAll("''", "'").replaceAll('\\\\', '\\');
    terms.set(term, (Number(place) - 1) as Field);
  }
  return terms;
}

/** A term where it stands in one of the first fields, as a part of a tsquery. */
export function termQuery(term: string, fields: number): string {
  const isAnywhere = fields >= FIELDS.length;
  return isAnywhere ? quoted(term) : `${quoted(term)}:${[...new Set(CLASSES.slice(0, fields))].join('')}`;
}

/** A term where it stands in a field, or in one that the index does not tell from it. */
export const fieldQuery = (term: string, field: Field): string => `${quoted(term)}:${CLASSES[field]}`;

export const anyOf = (queries: readonly string[]): string => `(${queries.join(' | ')})`;
export const allOf = (queries: readonly string[]): string => `(${queries.join(' & ')})`;

/** Texts as the text of an array. */
export function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
