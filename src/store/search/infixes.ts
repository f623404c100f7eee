import { TYPO_LENGTH_MAX } from './typos.ts';

/** Letters of an indexed infix. Shorter texts occur in too many words. */
export const INFIX_LENGTH = 4;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const DIGIT_OF = new Map([...LETTERS].map((letter, digit) => [letter.charCodeAt(0), digit]));
/** Shared digits of all other letters. */
const OTHERS = 9;
/** The largest base of which the lists of every code and word length have numbers. */
const BASE = LETTERS.length + OTHERS;
const IS_EXACT = /^[a-z0-9]*$/;

/** Codes of the infixes of a word; none of one that is too long to be typed. */
export function infixCodes(word: string): number[] {
  if (word.length > TYPO_LENGTH_MAX) return [];
  const codes: number[] = [];
  for (let start = 0; start + INFIX_LENGTH <= word.length; start++) {
    const code = infixCode(word, start);
    if (!codes.includes(code)) codes.push(code);
  }
  return codes;
}

export function infixCode(word: string, start: number): number {
  let code = 0;
  for (let index = start; index < start + INFIX_LENGTH; index++) code = code * BASE + digitOf(word.charCodeAt(index));
  return code;
}

/** Whether no other text of `INFIX_LENGTH` letters has its code. */
export const hasOwnCode = (text: string): boolean => text.length === INFIX_LENGTH && IS_EXACT.test(text);

const digitOf = (unit: number): number => DIGIT_OF.get(unit) ?? LETTERS.length + (unit % OTHERS);
