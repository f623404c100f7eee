import type { Correction } from './plan.ts';
import { editDistancesTo, TYPO_LENGTH_MAX, TYPO_LENGTH_MIN } from './typos.ts';

const CORRECTIONS_MAX = 16;
/** Words that share a deletion code; only short words share more. */
export const SHARING_MAX = 64;
export const TYPOS_MAX = 2;
/** Below this length, two typos leave too little in common. */
export const TWO_TYPOS_LENGTH_MIN = 5;

export const isCorrected = (word: string): boolean => word.length >= TYPO_LENGTH_MIN && word.length <= TYPO_LENGTH_MAX;

export interface EditBounds {
  typosMax: number;
  isUnfinished: boolean;
}

/** The words closest to the typed one, of some with their terms; nearest first. */
export function nearestWords(
  typed: string,
  words: ReadonlyMap<number, string>,
  { typosMax, isUnfinished }: EditBounds,
): Correction[] {
  const near: Correction[] = [];
  const distances = editDistancesTo(typed, typosMax);
  const hasDigits = digitsLikeIn(typed);
  for (const [term, word] of words) {
    const isTooShort = word.length < typed.length - typosMax;
    const isTooLong = word.length > typed.length + typosMax && !isUnfinished;
    if (word === typed || isTooShort || isTooLong) continue;
    const { whole, beginning } = distances(word);
    const isPrefix = whole > typosMax;
    const typos = isPrefix && isUnfinished ? beginning : whole;
    if (typos <= typosMax && hasDigits(word)) near.push({ word, term, typos, isPrefix });
  }
  return near.sort((one, other) => compare(typed, one, other)).slice(0, CORRECTIONS_MAX);
}

const DIGIT = /\p{Nd}/u;
const DIGITS = /^\p{Nd}+$/u;
const NOT_DIGITS = /\P{Nd}+/gu;

/** A word with letters may lack a digit or have one too many, never another one; numbers are never corrected. */
function digitsLikeIn(typed: string): (word: string) => boolean {
  if (DIGITS.test(typed)) return () => false;
  if (!DIGIT.test(typed)) return (word) => !DIGITS.test(word);
  const digits = typed.replace(NOT_DIGITS, '');
  return (word) => {
    const others = word.replace(NOT_DIGITS, '');
    return isWithin(digits, others) || isWithin(others, digits);
  };
}

function isWithin(text: string, other: string): boolean {
  let place = 0;
  for (const letter of other) if (letter === text[place]) place++;
  return place === text.length;
}

/** Fewer typos first, then whole words, then those with the same first letter, which is rarely mistyped. */
function compare(typed: string, one: Correction, other: Correction): number {
  const isFirst = (correction: Correction) => (correction.word[0] === typed[0] ? 0 : 1);
  return (
    one.typos - other.typos ||
    Number(one.isPrefix) - Number(other.isPrefix) ||
    isFirst(one) - isFirst(other) ||
    (one.word < other.word ? -1 : 1)
  );
}
