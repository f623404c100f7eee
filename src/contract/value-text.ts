/** A count as people write it: `1,234`. */
export const countText = (count: number): string => count.toLocaleString('en-US');

/** `1 row`, `2 rows`, `3 companies`: give the plural noun. */
export const counted = (count: number, nouns: string): string =>
  `${countText(count)} ${count === 1 ? singular(nouns) : nouns}`;

const singular = (nouns: string): string =>
  nouns
    .replace(/ies$/, 'y')
    .replace(/people$/, 'person')
    .replace(/s$/, '');

/** Whether a value says nothing: null, an empty text or list, or an object of such values. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isBlank);
}

/** The texts that are not blank, as one. */
export const joinTexts = (separator: string, ...texts: readonly unknown[]): string =>
  texts.filter(Boolean).join(separator);

interface Writing {
  /** Text of an item that is no object. */
  readonly write?: (item: unknown) => string;
  /** Text of a reference with a title, such as a role; by default the name alone. */
  readonly titled?: (title: string, name: string) => string;
}

/** A field's value as one line: its items, references and roles by name and other objects by their different parts. */
export function valueText(value: unknown, { write = String, titled = (_, name) => name }: Writing = {}): string {
  const textOf = (item: unknown): string => {
    if (item === null || item === undefined) return '';
    if (typeof item !== 'object') return write(item);
    const { organization, name = organization, title } = item as Readonly<Record<string, unknown>>;
    if (name !== undefined) return title == null ? String(name) : titled(String(title), String(name));
    const parts = [...new Set(Object.values(item))].filter((part) => part != null && part !== '');
    return parts.join('address' in item ? ' ' : ', ');
  };
  return [value]
    .flat()
    .map(textOf)
    .filter((text) => text !== '')
    .join(', ');
}

/** Names with commas, and `and` before the last. */
export const withAnd = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);

/** Names with commas, and `or` before the last. */
export const withOr = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
