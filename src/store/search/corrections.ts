import type { Correction } from './plan.ts';
import { likenessTo, TYPO_LENGTH_MAX, TYPO_LENGTH_MIN } from './typos.ts';

const CORRECTIONS_MAX = 16;
/** Words that share a code of deletion; more only with the shortest words. */
export const SHARING_MAX = 64;
export const TYPOS_MAX = 2;
/** Below this length two typos leave nothing to recognise. */
export const TWO_TYPOS_LENGTH_MIN = 5;

export const isCorrected = (word: string): boolean => word.length >= TYPO_LENGTH_MIN && word.length <= TYPO_LENGTH_MAX;

/** How far a word may be from what was typed. */
export interface EditBounds {
  typosMax: number;
  isUnfinished: boolean;
}

/** A correction before its term is looked up. */
type Near = Omit<Correction, 'term'>;

/** Of some words those that are near to what was typed; nearest first. */
export function nearestWords(typed: string, words: Iterable<string>, { typosMax, isUnfinished }: EditBounds): Near[] {
  const near: Near[] = [];
  const likeness = likenessTo(typed, typosMax);
  const hasDigits = digitsLikeIn(typed);
  for (const word of words) {
    const isTooShort = word.length < typed.length - typosMax;
    const isTooLong = word.length > typed.length + typosMax && !isUnfinished;
    if (word === typed || isTooShort || isTooLong || !hasDigits(word)) continue;
    const { whole, beginning } = likeness(word);
    if (whole <= typosMax) near.push({ word, typos: whole, isBeginning: false });
    else if (isUnfinished && beginning <= typosMax) near.push({ word, typos: beginning, isBeginning: true });
  }
  return near.sort((one, other) => compare(typed, one, other)).slice(0, CORRECTIONS_MAX);
}

const DIGIT = /\p{Nd}/u;
const DIGITS = /^\p{Nd}+$/u;
const NOT_DIGITS = /\P{Nd}+/gu;

/**
 * Whether a word can be meant by its digits: another number is another thing. In a word with letters a digit may be missing or
 * one too many, and is never another one; a number is never corrected.
 */
function digitsLikeIn(typed: string): (word: string) => boolean {
  if (DIGITS.test(typed)) return () => false;
  if (!DIGIT.test(typed)) return (word) => !DIGITS.test(word);
  const digits = typed.replace(NOT_DIGITS, '');
  return (word) => {
    const others = word.replace(NOT_DIGITS, '');
    return isWithin(digits, others) || isWithin(others, digits);
  };
}

/** Whether the letters of a text come in another one in the same order. */
function isWithin(text: string, other: string): boolean {
  let place = 0;
  for (const letter of other) if (letter === text[place]) place++;
  return place === text.length;
}

/** Fewer typos first, then whole words, then those with the same first letter: people seldom get it wrong. */
function compare(typed: string, one: Near, other: Near): number {
  const isFirst = (correction: Near) => (correction.word[0] === typed[0] ? 0 : 1);
  return (
    one.typos - other.typos ||
    Number(one.isBeginning) - Number(other.isBeginning) ||
    isFirst(one) - isFirst(other) ||
    (one.word < other.word ? -1 : 1)
  );
}
