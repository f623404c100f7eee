import { cached, createCache } from '../../cached.ts';
import type { Correction, Term } from '../../search/query-plan.ts';
import type { TermDictionaryReader } from './term-dictionary-reader.ts';

/** Cached look-ups of each kind; each has up to 64 terms. */
const CACHED_MAX = 512;

/** Cached look-ups of few terms. */
const CHEAP_MAX = 4_096;

/** Caches the look-ups of a search until the index changes: they recur across relaxations and queries. */
export function cachedTermDictionary(dictionary: TermDictionaryReader): TermDictionaryReader {
  const near = createCache<string, Correction[]>(CACHED_MAX);
  const far = createCache<string, Correction[]>(CACHED_MAX);
  const containing = createCache<string, number[]>(CACHED_MAX);
  const terms = createCache<string, Term | false>(CHEAP_MAX);
  const stems = createCache<string, Term[]>(CHEAP_MAX);
  const prefixes = createCache<string, number[]>(CHEAP_MAX);
  let known: number | undefined;

  return {
    begin(epoch) {
      dictionary.begin(epoch);
      if (known === epoch) return;
      for (const cache of [near, far, containing, terms, stems, prefixes]) cache.clear();
      known = epoch;
    },
    find: (term) => cached(terms, term, () => dictionary.find(term) ?? false) || undefined,
    ofStem: (stem, limit) => cached(stems, `${limit} ${stem}`, () => dictionary.ofStem(stem, limit)),
    withPrefix: (prefix, limit) => cached(prefixes, `${limit} ${prefix}`, () => dictionary.withPrefix(prefix, limit)),
    oneTypo: (word) => cached(near, word, dictionary.oneTypo),
    containing: (text, limit) => cached(containing, `${limit} ${text}`, () => dictionary.containing(text, limit)),
    someTypos: (word, isUnfinished) =>
      cached(far, isUnfinished ? `${word}*` : word, () => dictionary.someTypos(word, isUnfinished)),
  };
}
