import { LRUCache } from 'lru-cache';
import { cached, createCache } from '../../cached.ts';
import type { Correction, Term } from '../../search/plan.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';

/** Cached look-ups of each kind; each has up to 64 terms. */
const CACHED_MAX = 512;

/** Cached look-ups that cost little more than an entry of an LRU cache. */
const CHEAP_MAX = 4_096;

/** Caches the look-ups of a search until the index changes: they recur across relaxations and queries. */
export function cachedVocabulary(vocabulary: VocabularyReader): VocabularyReader {
  const near = new LRUCache<string, Correction[]>({ max: CACHED_MAX });
  const far = new LRUCache<string, Correction[]>({ max: CACHED_MAX });
  const containing = new LRUCache<string, number[]>({ max: CACHED_MAX });
  const terms = createCache<string, Term | false>(CHEAP_MAX);
  const stems = createCache<string, Term[]>(CHEAP_MAX);
  const prefixes = createCache<string, number[]>(CHEAP_MAX);
  let known: number | undefined;

  return {
    begin(epoch) {
      vocabulary.begin(epoch);
      if (known === epoch) return;
      for (const cache of [near, far, containing, terms, stems, prefixes]) cache.clear();
      known = epoch;
    },
    find: (term) => cached(terms, term, () => vocabulary.find(term) ?? false) || undefined,
    ofStem: (stem, limit) => cached(stems, `${limit} ${stem}`, () => vocabulary.ofStem(stem, limit)),
    withPrefix: (prefix, limit) => cached(prefixes, `${limit} ${prefix}`, () => vocabulary.withPrefix(prefix, limit)),
    oneTypo: (word) => cached(near, word, vocabulary.oneTypo),
    containing: (text, limit) => cached(containing, `${limit} ${text}`, () => vocabulary.containing(text, limit)),
    someTypos: (word, isUnfinished) =>
      cached(far, isUnfinished ? `${word}*` : word, () => vocabulary.someTypos(word, isUnfinished)),
  };
}
