import { createMemory, remembered } from '../../memory.ts';
import type { Correction, Term } from '../../search/plan.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';

/** Look-ups of each kind remembered from one search to the next. */
const REMEMBERED_MAX = 4_096;
/** Misspelt words: each has up to sixteen corrections. */
const CORRECTED_MAX = 512;

/**
 * A vocabulary that remembers what it was asked until the index changes. The same words come again and again, in other
 * queries and in the stages of one, and to look for typos costs more than all the rest of a search.
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
