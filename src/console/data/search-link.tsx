import type { ComponentChildren } from 'preact';
import { SmallLink, usePage } from '../components.tsx';
import { EMPTY_SEARCH, type ParsedSearch, recordPath } from './parsed-search.ts';

/** A link to a search that asks for nothing else. */
export const SearchLink = ({ search, children }: { search: Partial<ParsedSearch>; children: ComponentChildren }) => (
  <SmallLink to={recordPath(usePage().searchAt, EMPTY_SEARCH, search)}>{children}</SmallLink>
);
