import { LRUCache } from 'lru-cache';
import { cached } from '../../cached.ts';
import type { Correction } from '../../search/plan.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';

/** Cached look-ups of each kind; each has up to 64 terms. */
const CACHED_MAX = 512;

/**
 * Caches the look-ups that dominate the cost of a search until the index changes: they recur across relaxations. The
 * others take less than a cache, because most queries are new.
 */
export function cachedVocabulary(vocabulary: VocabularyReader): VocabularyReader {
  const near = new LRUCache<string, Correction[]>({ max: CACHED_MAX });
  const far = new LRUCache<string, Correction[]>({ max: CACHED_MAX });
  const containing = new LRUCache<string, number[]>({ max: CACHED_MAX });
  let known: number | undefined;

  return {
    begin(epoch) {
      vocabulary.begin(epoch);
      if (known === epoch && epoch !== undefined) return;
      for (const cache of [near, far, containing]) cache.clear();
      known = epoch;
    },
    find: vocabulary.find,
    ofStem: vocabulary.ofStem,
    withPrefix: vocabulary.withPrefix,
    oneTypo: (word) => cached(near, word, vocabulary.oneTypo),
    containing: (text, limit) => cached(containing, `${limit} ${text}`, () => vocabulary.containing(text, limit)),
    someTypos: (word, isUnfinished) =>
      cached(far, isUnfinished ? `${word}*` : word, () => vocabulary.someTypos(word, isUnfinished)),
  };
}
