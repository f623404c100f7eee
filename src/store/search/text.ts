import { entityOf, type SearchedType } from '../../contract/entities/index.ts';
import type { SearchedFields } from '../../contract/entity.ts';
import { foldName, webDomain } from '../../contract/names.ts';
import type { Document } from '../records/document.ts';

/** What search reads of a document, by column. */
export interface SearchedText {
  readonly names: string;
  readonly keywords: string;
  readonly headline: string;
  readonly overview: string;
  readonly related: string;
}

/** How much a match in each column says, in the order of the columns. */
export const COLUMN_WEIGHTS = [10, 5, 3, 1, 2];

export function searchedText(document: Document): SearchedText {
  const { searched } = entityOf(document.type as SearchedType) as { searched: SearchedFields };
  const read = (fields: readonly string[]): string => fields.map((field) => plainText(document[field])).join(' ');
  const names = read([...searched.names, ...searched.tickers, 'slug']);
  const domain = searched.domain === null ? null : webDomain(plainText(document[searched.domain]));
  return {
    names: `${names} ${foldName(document.name)} ${domain ?? ''}`,
    keywords: read(searched.keywords).replaceAll('_', ' '),
    headline: read(searched.headline),
    overview: read(searched.overview),
    related: read(searched.related),
  };
}

/** The words of a value: text itself, and of a list or an object everything in it that is text. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value).map(plainText).join(' ');
}

const NOT_WORD = /[^\p{L}\p{N}]+/u;

/** The words of a query as search compares them; none for punctuation alone. */
export function queryWords(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(NOT_WORD)
    .filter((word) => word !== '');
}
