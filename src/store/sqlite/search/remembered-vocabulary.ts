import { createMemory, remembered } from '../../memory.ts';
import type { Correction, Term } from '../../search/plan.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';

/** Cached look-ups of each kind. */
const REMEMBERED_MAX = 4_096;
/** Cached corrections; each has up to 16. */
const CORRECTED_MAX = 512;

/**
 * Caches vocabulary look-ups until the index changes. Words recur across queries and relaxations, and typo look-ups
 * dominate the cost of a search.
 */
export function remembering(vocabulary: VocabularyReader): VocabularyReader {
  const found = createMemory<string, Term | 'none'>(REMEMBERED_MAX);
  const families = createMemory<string, Term[]>(REMEMBERED_MAX);
  const completions = createMemory<string, number[]>(REMEMBERED_MAX);
  const near = createMemory<string, Correction[]>(CORRECTED_MAX);
  const far = createMemory<string, Correction[]>(CORRECTED_MAX);
  const containing = createMemory<string, number[]>(CORRECTED_MAX);
  let known: number | undefined;

  return {
    begin(epoch) {
      vocabulary.begin(epoch);
      if (known === epoch && epoch !== undefined) return;
      for (const memory of [found, families, completions, near, far, containing]) memory.clear();
      known = epoch;
    },
    find(term) {
      const answer = remembered(found, term, (asked) => vocabulary.find(asked) ?? 'none');
      return answer === 'none' ? undefined : answer;
    },
    ofStem: (stem, limit) => remembered(families, `${limit} ${stem}`, () => vocabulary.ofStem(stem, limit)),
    withPrefix: (prefix, limit) =>
      remembered(completions, `${limit} ${prefix}`, () => vocabulary.withPrefix(prefix, limit)),
    oneTypo: (word) => remembered(near, word, vocabulary.oneTypo),
    containing: (text, limit) => remembered(containing, `${limit} ${text}`, () => vocabulary.containing(text, limit)),
    someTypos: (word, isUnfinished) =>
      remembered(far, isUnfinished ? `${word}*` : word, () => vocabulary.someTypos(word, isUnfinished)),
  };
}
