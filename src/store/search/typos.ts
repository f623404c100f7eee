import type { Correction } from './query-plan.ts';

/** Shorter or longer words are not corrected; short ones resemble too many others. */
const TYPO_LENGTH_MIN = 2;
export const TYPO_LENGTH_MAX = 24;
/** Deletions are indexed within this prefix only. */
const DELETED_LENGTH_MAX = 7;
const GRAM_LENGTH = 3;
/** Number of trigram codes; collisions only cost a comparison. */
const GRAM_CODES = 65_536;
/** Maximum trigrams affected by one typo: a transposition affects four. */
export const GRAMS_PER_TYPO = 4;

/** Number of deletion codes, as many as list numbers allow; collisions only cost a comparison. */
const DELETION_CODES = 2 ** 27;

/** Deletion codes of a word's prefix (symmetric delete): words one typo apart share one. */
export function deletionCodes(word: string): number[] {
  const end = Math.min(word.length, DELETED_LENGTH_MAX);
  const codes = [codeOf(extended(SEED, word, 0, end), DELETION_CODES)];
  addOnce(codes, codeOf(extended(SEED, word, 0, Math.min(word.length, DELETED_LENGTH_MAX - 1)), DELETION_CODES));
  let before = SEED;
  for (let index = 0; index < end; index++) {
    addOnce(codes, codeOf(extended(before, word, index + 1, end), DELETION_CODES));
    before = extended(before, word, index, index + 1);
  }
  return codes;
}

/** Trigram codes of a word, padded at the beginning. */
export function gramCodes(word: string): number[] {
  const text = `  ${word}`;
  const codes: number[] = [];
  for (let index = 0; index + GRAM_LENGTH <= text.length; index++)
    addOnce(codes, codeOf(extended(SEED, text, index, index + GRAM_LENGTH), GRAM_CODES));
  return codes;
}

function addOnce(codes: number[], code: number): void {
  if (!codes.includes(code)) codes.push(code);
}

const SEED = 0x9e3779b9;

/** A 32-bit hash of a text, extended by a part of another. */
function extended(hash: number, text: string, start: number, end: number): number {
  let code = hash;
  for (let index = start; index < end; index++)
    code = Math.imul(code ^ text.charCodeAt(index), 0x85ebca6b) ^ (code >>> 13);
  return code;
}

const codeOf = (hash: number, codes: number): number => (hash >>> 0) % codes;

interface EditDistances {
  /** Edit distance; Infinity above the maximum. */
  whole: number;
  /** Edit distance to the best prefix of the second word. */
  beginning: number;
}

const FAR: EditDistances = { whole: Infinity, beginning: Infinity };

/** Compares words by optimal string alignment distance (Damerau-Levenshtein), within the band of the maximum. */
export function editDistancesTo(typed: string, typosMax: number): (word: string) => EditDistances {
  const letters = letterBits(typed);
  const room = typed.length + typosMax + 1;
  let before = new Uint8Array(room);
  let previous = new Uint8Array(room);
  let current = new Uint8Array(room);
  const beyond = typosMax + 1;

  return (word) => {
    // Each typo removes at most one distinct letter.
    if (bitCount(letters & ~letterBits(word)) > typosMax) return FAR;
    const width = Math.min(word.length, typed.length + typosMax);
    for (let column = 0; column <= width; column++) previous[column] = Math.min(column, beyond);
    for (let row = 1; row <= typed.length; row++) {
      const letter = typed.charCodeAt(row - 1);
      const letterBefore = row > 1 ? typed.charCodeAt(row - 2) : -1;
      const first = Math.max(1, row - typosMax);
      const last = Math.min(width, row + typosMax);
      current[first - 1] = first === 1 ? Math.min(row, beyond) : beyond;
      let least = current[first - 1];
      for (let column = first; column <= last; column++) {
        const other = word.charCodeAt(column - 1);
        const kept = previous[column - 1] + (letter === other ? 0 : 1);
        const added = current[column - 1] + 1;
        const dropped = previous[column] + 1;
        let cost = Math.min(kept, added, dropped, beyond);
        const isSwapped = column > 1 && letterBefore === other && letter === word.charCodeAt(column - 2);
        if (isSwapped && before[column - 2] + 1 < cost) cost = before[column - 2] + 1;
        current[column] = cost;
        if (cost < least) least = cost;
      }
      if (last < width) current[last + 1] = beyond;
      if (least > typosMax) return FAR;
      [before, previous, current] = [previous, current, before];
    }
    const start = Math.max(0, typed.length - typosMax);
    let beginning = Infinity;
    for (let column = start; column <= width; column++)
      beginning = Math.min(beginning, within(previous[column], typosMax));
    const isWhole = word.length === width && width >= start;
    return { whole: isWhole ? within(previous[width], typosMax) : Infinity, beginning };
  };
}

const within = (typos: number, typosMax: number): number => (typos <= typosMax ? typos : Infinity);

/** Bit set of a word's letters; some letters share a bit. */
function letterBits(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

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
export function nearestWords(typed: string, words: ReadonlyMap<number, string>, bounds: EditBounds): Correction[] {
  const { typosMax, isUnfinished } = bounds;
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
