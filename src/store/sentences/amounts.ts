import type { Lexicon, Meaning } from './lexicon.ts';
import type { Token } from './sentence-tokens.ts';

/** A number with a magnitude, currency or unit. */
export interface Amount {
  readonly value: number;
  readonly scale: number;
  readonly length: number;
  /** Whether it is money, explicitly or by its size. */
  readonly isMoney: boolean;
  /** The largest of `8 figures`. */
  readonly high?: number;
  /** Whether it is only a minimum: `mega rounds`. */
  readonly isOpen?: boolean;
  /** Whether it is in another currency than records state. */
  readonly isForeign?: boolean;
}

export const THOUSAND = 1e3;
const MAGNITUDES: readonly (readonly [Meaning, number])[] = [
  ['thousand', THOUSAND],
  ['million', 1e6],
  ['billion', 1e9],
];
const NUMBER = /^(\d[\d.,]*)([a-z]*)$/;
const CURRENCY = /^[$€£¥]$/;
const MYRIADS: ReadonlyMap<string, number> = new Map(
  Object.entries({ 万: 1e4, 百万: 1e6, 千万: 1e7, 亿: 1e8, 十亿: 1e9 }),
);
const VALUE_MAX = 1e15;

const HUNDRED = 100;
/** Words that are numbers only before a magnitude: `half a million`, `a hundred million`, `one million`. */
const PARTIAL: ReadonlyMap<string, number> = new Map(Object.entries({ half: 0.5, a: 1, hundred: HUNDRED }));
const MAGNITUDE_LENGTH_MIN = 5;

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
  const text = tokens[index]?.text ?? '';
  if (text === 'mega' && areRoundsAt(tokens, index + 1, lexicon))
    return { value: MEGA, scale: 1, length: 1, isMoney: true, isOpen: true };
  const spelled = lexicon.number(text);
  const partial = PARTIAL.get(text) ?? (spelled === 1 ? 1 : undefined);
  const [, digits, letters = ''] = NUMBER.exec(partial ? '1' : String(spelled ?? text)) ?? [];
  if (digits === undefined) return undefined;
  index++;
  if (partial === 0.5 && /^(?:an?|of)$/.test(tokens[index]?.text ?? '')) index++;
  const ofFigures = figuresAt(tokens, index, Number(digits));
  if (ofFigures) return { ...ofFigures, scale: 1, length: ofFigures.end - start, isMoney: true };
  let scale = letters === '' ? 1 : scaleOf(lexicon, letters);
  if (scale === undefined) return undefined;
  while (letters === '' && index < tokens.length) {
    const word = tokens[index]?.text ?? '';
    const next = word === 'hundred' ? HUNDRED : scaleOf(lexicon, word);
    // `a B round`
    if (next === undefined || (partial && word.length < MAGNITUDE_LENGTH_MIN)) break;
    // `mil millones` is a thousand millions.
    scale *= next;
    index++;
  }
  if (isCurrency(tokens[index])) {
    index++;
    isMoney = true;
  }
  if (partial && scale < THOUSAND) return undefined;
  const value = numberOf(digits) * scale * (partial ?? 1);
  if (!(value <= VALUE_MAX)) return undefined;
  const isForeign = tokens.slice(start, index).some(({ text: sign }) => FOREIGN.test(sign));
  return { value, scale, length: index - start, isMoney: isMoney || scale >= 1e6, isForeign };
}

/** Whether a word, or the one after it, is for rounds: `deals`, `seed rounds`. */
const areRoundsAt = (tokens: readonly Token[], index: number, lexicon: Lexicon): boolean =>
  tokens
    .slice(index, index + 2)
    .some(({ text }, at) => has(lexicon, text, 'rounds') || (at === 0 && has(lexicon, text, 'investments')));

/** What is commonly called a mega round. */
const MEGA = 100e6;
const FOREIGN = /^(?:[€£¥]|euros?|pounds?|yen)$/;
const FIGURES = { min: 4, max: 12 } as const;

/** The amounts with so many digits: `8 figures`, `nine-figure`. */
function figuresAt(tokens: readonly Token[], index: number, count: number) {
  const at = tokens[index]?.text === '-' ? index + 1 : index;
  if (!/^figures?$/.test(tokens[at]?.text ?? '') || count < FIGURES.min || count > FIGURES.max) return undefined;
  return { value: 10 ** (count - 1), high: 10 ** count - 1, end: at + 1 };
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
