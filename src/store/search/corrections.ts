import type { Correction } from './plan.ts';
import { likenessTo, TYPO_LENGTH_MAX, TYPO_LENGTH_MIN } from './typos.ts';

const CORRECTIONS_MAX = 16;
/** Words that share a code of deletion; more only with the shortest words. */
export const SHARING_MAX = 64;
/** Words compared letter by letter after trigrams have chosen them. */
export const COMPARED_MAX = 128;
export const TYPOS_MAX = 2;
/** Below this length two typos leave nothing to recognise. */
export const TWO_TYPOS_LENGTH_MIN = 5;

export const isCorrected = (word: string): boolean => word.length >= TYPO_LENGTH_MIN && word.length <= TYPO_LENGTH_MAX;

/** How far a word may be from what was typed. */
interface Reach {
  typosMax: number;
  isUnfinished: boolean;
}

/** Of some terms of words, by their numbers, those that are near to what was typed; nearest first. */
export function nearest(
  typed: string,
  terms: ReadonlyMap<number, string>,
  { typosMax, isUnfinished }: Reach,
): Correction[] {
  const corrections: Correction[] = [];
  const likeness = likenessTo(typed, typosMax);
  for (const [term, text] of terms) {
    const word = text.slice(1);
    const isTooShort = word.length < typed.length - typosMax;
    const isTooLong = word.length > typed.length + typosMax && !isUnfinished;
    if (word === typed || isTooShort || isTooLong) continue;
    const { whole, beginning } = likeness(word);
    if (whole <= typosMax) corrections.push({ word, term, typos: whole, isBeginning: false });
    else if (isUnfinished && beginning <= typosMax)
      corrections.push({ word, term, typos: beginning, isBeginning: true });
  }
  return corrections.sort((one, other) => compare(typed, one, other)).slice(0, CORRECTIONS_MAX);
}

/** Fewer typos first, then whole words, then those with the same first letter: people seldom get it wrong. */
function compare(typed: string, one: Correction, other: Correction): number {
  const isFirst = (correction: Correction) => (correction.word[0] === typed[0] ? 0 : 1);
  return (
    one.typos - other.typos ||
    Number(one.isBeginning) - Number(other.isBeginning) ||
    isFirst(one) - isFirst(other) ||
    (one.word < other.word ? -1 : 1)
  );
}
