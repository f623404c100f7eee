import { FIELD, FIELDS, type Field } from '../../search/layers.ts';

/** A field's class: the index tells them apart, and the last two are told apart by their place. */
const CLASSES = ['A', 'B', 'C', 'D', 'D'];

const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Up to this field, a term where it stands is a lexeme of its own: the index finds it there, and looks at nothing else. */
const EXACT_FIELDS = FIELD.headline + 1;

const exactLexeme = (term: string, field: Field): string => quoted(`${CLASSES[field]}${term}`);

/** The terms of a document as a tsvector: the place of a term is its field; what is a lexeme for its field has none. */
export function vectorOf(terms: ReadonlyMap<string, Field>): string {
  return [...terms]
    .flatMap(([term, field]) => [
      `${quoted(term)}:${placeOf(field)}${CLASSES[field]}`,
      ...(field < EXACT_FIELDS ? [exactLexeme(term, field)] : []),
    ])
    .join(' ');
}

export const placeOf = (field: Field): number => field + 1;

const ENTRY = /'((?:[^'\\]|''|\\.)*)'(?::(\d+))?/g;

/** The terms of a tsvector's text, with their fields. */
export function termsOf(vector: string): Map<string, Field> {
  const terms = new Map<string, Field>();
  for (const [, text = '', place] of vector.matchAll(ENTRY)) {
    if (place === undefined) continue;
    const term = text.replaceAll("''", "'").replaceAll('\\\\', '\\');
    terms.set(term, (Number(place) - 1) as Field);
  }
  return terms;
}

/** A term where it stands in one of the first fields, as a part of a tsquery. */
export function termQuery(term: string, fields: number): string {
  return fields > EXACT_FIELDS ? quoted(term) : anyOf(FIELDS.slice(0, fields).map((field) => exactLexeme(term, field)));
}

/** A term where it stands in a field, or in one that the index does not tell from it. */
export const fieldQuery = (term: string, field: Field): string => `${quoted(term)}:${CLASSES[field]}`;

export const anyOf = (queries: readonly string[]): string => `(${queries.join(' | ')})`;
export const allOf = (queries: readonly string[]): string => `(${queries.join(' & ')})`;

/** Texts as the text of an array. */
export function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
