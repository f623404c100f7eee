/** Words outside these lengths are not corrected: shorter ones resemble everything. */
export const TYPO_LENGTH_MIN = 2;
export const TYPO_LENGTH_MAX = 24;
/** Typos behind this many letters are found by the letters before. */
const DELETED_LENGTH_MAX = 7;
const GRAM_LENGTH = 3;
/** Codes of trigrams; two that share a code only cost a needless comparison. */
const GRAM_CODES = 65_536;
/** Trigrams that one typo touches at most: two swapped letters are in four. */
export const GRAMS_PER_TYPO = 4;

/** Codes of deletions have as many bits as a list's number has; two that share one only cost a needless comparison. */
const DELETION_CODES = 2 ** 27;

/** Codes of a word's beginning and of it less one letter: words one typo apart share one of them. */
export function deletionCodes(word: string): number[] {
  const end = Math.min(word.length, DELETED_LENGTH_MAX);
  const codes: number[] = [];
  const add = (code: number) => {
    if (!codes.includes(code)) codes.push(code);
  };
  add(textCode(word, 0, end) % DELETION_CODES);
  add(textCode(word, 0, Math.min(word.length, DELETED_LENGTH_MAX - 1)) % DELETION_CODES);
  for (let index = 0; index < end; index++) add(textCode(word, 0, end, index) % DELETION_CODES);
  return codes;
}

/** Codes of the trigrams of a word, its beginning marked. */
export const gramCodes = (word: string): number[] => innerGramCodes(`  ${word}`);

/** Codes of the trigrams of a text that may stand anywhere in a word. */
export function innerGramCodes(text: string): number[] {
  const codes = new Set<number>();
  for (let index = 0; index + GRAM_LENGTH <= text.length; index++) {
    codes.add(textCode(text, index, index + GRAM_LENGTH) % GRAM_CODES);
  }
  return [...codes];
}

/** A 32-bit code of a part of a text, from `start` up to and without `end`, less the letter at `deleted`. */
function textCode(text: string, start: number, end: number, deleted = -1): number {
  let code = 0x9e3779b9;
  for (let index = start; index < end; index++)
    if (index !== deleted) code = Math.imul(code ^ text.charCodeAt(index), 0x85ebca6b) ^ (code >>> 13);
  return code >>> 0;
}

export interface Likeness {
  /** Typos between the two words; Infinity above the maximum asked for. */
  whole: number;
  /** Typos between the first word and the nearest beginning of the second. */
  beginning: number;
}

const FAR: Likeness = { whole: Infinity, beginning: Infinity };

/**
 * Compares words with one that was typed: edit distance with swapped neighbours as one typo. Of the table of distances
 * only what lies near its diagonal can be within the maximum.
 */
export function likenessTo(typed: string, typosMax: number): (word: string) => Likeness {
  const letters = letterBits(typed);
  const room = typed.length + typosMax + 1;
  let before = new Uint8Array(room);
  let previous = new Uint8Array(room);
  let current = new Uint8Array(room);
  const beyond = typosMax + 1;

  return (word) => {
    // Each typo takes away one letter at most.
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

/** The letters of a word as bits; several letters share one. */
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
