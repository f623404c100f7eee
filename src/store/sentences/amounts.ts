import type { Lexicon, Meaning } from './lexicon.ts';
import type { Token } from './sentence-tokens.ts';

/** A number with a magnitude, currency or unit. */
export interface Amount {
  readonly value: number;
  readonly scale: number;
  readonly length: number;
  /** Whether it is money, explicitly or by its size. */
  readonly isMoney: boolean;
}

const MAGNITUDES: readonly (readonly [Meaning, number])[] = [
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
];
const NUMBER = /^(\d[\d.,]*)([a-z]*)$/;
const CURRENCY = /^[$€£¥]$/;
/** Chinese magnitudes. */
const MYRIADS: ReadonlyMap<string, number> = new Map(
  Object.entries({ 万: 1e4, 百万: 1e6, 千万: 1e7, 亿: 1e8, 十亿: 1e9 }),
);
const VALUE_MAX = 1e15;

/** The amount that begins at a token; undefined if there is none. */
export function amountAt(tokens: readonly Token[], start: number, lexicon: Lexicon): Amount | undefined {
  let index = start;
  const isCurrency = (token: Token | undefined): boolean =>
    token !== undefined && (CURRENCY.test(token.text) || has(lexicon, token.text, 'currency'));
  let isMoney = false;
  // `US$50M` and `USD 50M`
  if (tokens[index]?.text === 'us' && CURRENCY.test(tokens[index + 1]?.text ?? '')) index++;
  if (isCurrency(tokens[index])) {
    index++;
    isMoney = true;
  }
  const [, digits, letters = ''] = NUMBER.exec(tokens[index]?.text ?? '') ?? [];
  if (digits === undefined) return undefined;
  index++;
  let scale = letters === '' ? 1 : scaleOf(lexicon, letters);
  if (scale === undefined) return undefined;
  while (letters === '' && index < tokens.length) {
    const next = scaleOf(lexicon, tokens[index]?.text ?? '');
    if (next === undefined) break;
    // `mil millones` is a thousand millions.
    scale *= next;
    index++;
  }
  if (isCurrency(tokens[index])) {
    index++;
    isMoney = true;
  }
  const value = numberOf(digits) * scale;
  if (!(value <= VALUE_MAX)) return undefined;
  return { value, scale, length: index - start, isMoney: isMoney || scale >= 1e6 };
}

const scaleOf = (lexicon: Lexicon, word: string): number | undefined =>
  MYRIADS.get(word) ?? MAGNITUDES.find(([meaning]) => has(lexicon, word, meaning))?.[1];

const has = (lexicon: Lexicon, word: string, meaning: Meaning): boolean =>
  lexicon.phrase(word)?.meanings.has(meaning) ?? false;

/** Parses `1,500`, `1.500` and `1.5`: three digits after a separator are thousands. */
function numberOf(digits: string): number {
  const whole = digits.replace(/[.,](?=\d{3}(?:[.,]|$))/g, '');
  return Number(whole.replace(',', '.').replace(/[.,]+$/, ''));
}
