import type { Lexicon } from './lexicon.ts';

/** Numbers of records as sentences write them. */

/** Digits, or a small number in Chinese: `最大的五轮`. */
export const NUMBER = /^(?:\d|[一两二三四五六七八九十]{1,2}$)/;

/** A word for more than one. */
export const SEVERAL = /^(?:several|multiple|varias|varios|mehrere[n]?|plusieurs)$/;

/** Whether a folded word is a number of others, in digits or as a word. */
export const isCount = (word: string, lexicon: Lexicon): boolean =>
  SEVERAL.test(word) || numberOf(word, lexicon) !== undefined;

/** A number in digits or as a word; undefined for `several`. */
export const numberOf = (word: string, lexicon: Lexicon): number | undefined =>
  /^\d+$/.test(word) ? Number(word) : lexicon.number(word);
