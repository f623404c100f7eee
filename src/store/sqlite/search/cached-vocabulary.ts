import { LRUCache } from 'lru-cache';
import { cached } from '../../cached.ts';
import type { Correction, Term } from '../../search/plan.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';

/** Cached look-ups of each kind. */
const CACHED_MAX = 4_096;
/** Cached corrections; each has up to 16. */
const CORRECTED_MAX = 512;

/**
 * Caches vocabulary look-ups until the index changes. Words recur across queries and relaxations, and typo look-ups
 * dominate the cost of a search.
 */
export function cachedVocabulary(vocabulary: VocabularyReader): VocabularyReader {
  const found = new LRUCache<string, Term | 'none'>({ max: CACHED_MAX });
  const families = new LRUCache<string, Term[]>({ max: CACHED_MAX });
  const completions = new LRUCache<string, number[]>({ max: CACHED_MAX });
  const near = new LRUCache<string, Correction[]>({ max: CORRECTED_MAX });
  const far = new LRUCache<string, Correction[]>({ max: CORRECTED_MAX });
  const containing = new LRUCache<string, number[]>({ max: CORRECTED_MAX });
  let known: number | undefined;

  return {
    begin(epoch) {
      vocabulary.begin(epoch);
      if (known === epoch && epoch !== undefined) return;
      for (const cache of [found, families, completions, near, far, containing]) cache.clear();
      known = epoch;
    },
    find(term) {
      const answer = cached(found, term, (asked) => vocabulary.find(asked) ?? 'none');
      return answer === 'none' ? undefined : answer;
    },
    ofStem: (stem, limit) => cached(families, `${limit} ${stem}`, () => vocabulary.ofStem(stem, limit)),
    withPrefix: (prefix, limit) =>
      cached(completions, `${limit} ${prefix}`, () => vocabulary.withPrefix(prefix, limit)),
    oneTypo: (word) => cached(near, word, vocabulary.oneTypo),
    containing: (text, limit) => cached(containing, `${limit} ${text}`, () => vocabulary.containing(text, limit)),
    someTypos: (word, isUnfinished) =>
      cached(far, isUnfinished ? `${word}*` : word, () => vocabulary.someTypos(word, isUnfinished)),
  };
}
