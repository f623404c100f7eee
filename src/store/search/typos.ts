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

/** Codes of a word's beginning and of it less one letter: words one typo apart share one of them. */
export function deletionCodes(word: string): number[] {
  const start = word.slice(0, DELETED_LENGTH_MAX);
  const codes = new Set([textCode(start), textCode(word.slice(0, DELETED_LENGTH_MAX - 1))]);
  for (let index = 0; index < start.length; index++)
    codes.add(textCode(start.slice(0, index) + start.slice(index + 1)));
  return [...codes];
}

/** Codes of the trigrams of a word, its beginning marked. */
export function gramCodes(word: string): number[] {
  const marked = `  ${word}`;
  const codes = new Set<number>();
  for (let index = 0; index + GRAM_LENGTH <= marked.length; index++) {
    codes.add(textCode(marked.slice(index, index + GRAM_LENGTH)) % GRAM_CODES);
  }
  return [...codes];
}

/** A 48-bit code of a short text. */
function textCode(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 13);
  }
  return (high >>> 16) * 0x1_0000_0000 + (low >>> 0);
}

export interface Likeness {
  /** Typos between the two words; Infinity above the maximum asked for. */
  whole: number;
  /** Typos between the first word and the nearest beginning of the second. */
  beginning: number;
}

/** Edit distance with swapped neighbours as one typo. */
export function likeness(typed: string, word: string, typosMax: number): Likeness {
  const width = Math.min(word.length, typed.length + typosMax);
  let before = new Uint8Array(width + 1);
  let previous = Uint8Array.from({ length: width + 1 }, (_, column) => column);
  let current = new Uint8Array(width + 1);
  for (let row = 1; row <= typed.length; row++) {
    const letter = typed.charCodeAt(row - 1);
    const letterBefore = row > 1 ? typed.charCodeAt(row - 2) : -1;
    current[0] = row;
    let least = row;
    for (let column = 1; column <= width; column++) {
      const other = word.charCodeAt(column - 1);
      let cost = Math.min(
        previous[column - 1] + (letter === other ? 0 : 1),
        previous[column] + 1,
        current[column - 1] + 1,
      );
      const isSwapped = column > 1 && letterBefore === other && letter === word.charCodeAt(column - 2);
      if (isSwapped) cost = Math.min(cost, before[column - 2] + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > typosMax) return { whole: Infinity, beginning: Infinity };
    [before, previous, current] = [previous, current, before];
  }
  const within = (typos: number) => (typos <= typosMax ? typos : Infinity);
  return {
    whole: word.length === width ? within(previous[width]) : Infinity,
    beginning: within(Math.min(...previous)),
  };
}
