import { utcDay } from '../../contract/periods.ts';
import type { Cache } from '../cached.ts';
import type { SearchPage, SearchRequest } from '../port/records.ts';
import type { LazySentence } from '../sentences/sentence.ts';

/** Capacity of the cache: in pages, because many are empty, and in characters; and the size of a cached page. */
const PAGES_MAX = 2_048;
const PAGES_LENGTH_MAX = 16_777_216;
const PAGE_LENGTH_MAX = 131_072;

/** A cache of pages that is emptied when full. */
export function createPageCache(): Pick<Cache<string, SearchPage>, 'get' | 'set' | 'clear'> {
  const pages = new Map<string, SearchPage>();
  let length = 0;
  const clear = () => {
    pages.clear();
    length = 0;
  };
  return {
    get: (key) => pages.get(key),
    set(key, page) {
      const own = page.results.reduce((sum, json) => sum + json.length, key.length);
      if (own > PAGE_LENGTH_MAX) return;
      if (pages.size >= PAGES_MAX || length + own > PAGES_LENGTH_MAX) clear();
      length += own;
      pages.set(key, page);
    },
    clear,
  };
}

/** All that a page depends on; joined by hand, because serializing the request costs a tenth of a search. */
export function pageKey(request: SearchRequest, sentence?: LazySentence): string {
  const { types, text, filters, sort, window, isInterleaved } = request;
  const narrowed = filters === undefined && sort === undefined ? '' : JSON.stringify([filters, sort]);
  const today = sentence === undefined ? '' : utcDay(sentence.today);
  return `${types} ${window.offset} ${window.limit} ${isInterleaved} ${today} ${narrowed}\0${text}`;
}
