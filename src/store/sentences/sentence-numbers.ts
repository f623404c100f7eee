import { SPELLED } from './periods.ts';

/** Numbers of records as sentences write them. */

/** Digits, or a small number in Chinese: `最大的五轮`. */
export const NUMBER = /^(?:\d|[一两二三四五六七八九十]{1,2}$)/;

/** A number of others, in digits or as a word. */
export const COUNT = new RegExp(`^(?:\\d+|one|single|${SPELLED.join('|')}|several|multiple)$`);

/** A number in digits or as a word; undefined for `several`. */
export function numberOf(words: string): number | undefined {
  if (/^\d+$/.test(words)) return Number(words);
  if (words === 'one' || words === 'single') return 1;
  return SPELLED.includes(words) ? SPELLED.indexOf(words) + 2 : undefined;
}
