import { valuesInHan } from '../../contract/facets.ts';
import { tokenize } from '../search/analyzer.ts';
import type { Lexicon } from './lexicon.ts';

export interface Token {
  /** As typed. */
  readonly raw: string;
  /** Folded word, or the sign. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a comma precedes it. */
  readonly isListed?: boolean;
}

export const wordsOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

/**
 * Abbreviations such as `w/`, short years such as `'23`, months such as `01/2022`, dates, numbers with separators, words, and
 * signs with a meaning beside a number; no hyphen within a word, or in `top-10`.
 */
const TOKEN =
  /(?<![\p{L}\p{N}])(?:w\/(?:o\b)?|b\/w\b)|(?<![\p{L}\p{N}])['’]\d\d(?!\p{N})|(?<![\d/])\d{1,2}\/\d{4}(?![\d/])|\d{4}-\d{2}(?:-\d{2})?(?![\p{L}\p{N}])|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?(?!\d)|\d+[.,]\d+|\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|[<>]=?|[$€£¥≥≤~+&–—]|(?<!\p{L})-|(?<!\b[Tt]op)-(?!\p{L})/gu;
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({ 'w/': 'with', 'w/o': 'without', 'b/w': 'between' }),
);
/** French words without their e, such as l' and d'. */
const ELIDED = /(?<![\p{L}\p{N}])([dljmnstc]|qu)['’](?=\p{L})/giu;
/** A possessive s is separated from its name. */
const POSSESSIVE = /(?<=\p{L})['’](?=s(?!\p{L}))/gu;
const APOSTROPHES = /(?<=\p{L})['’ʼ`](?=\p{L})/gu;
const COMMA = /[,，、]/;
const HAN = /^\p{Script=Han}/u;
/** Twice the length of typical sentences. */
const TOKENS_MAX = 40;

export const withoutElisions = (text: string): string => text.replace(ELIDED, '$1e ');

/** The tokens of a text, up to the maximum. */
export function tokensOf(text: string): Token[] {
  // Of equal length, so that positions in the text are preserved.
  const plain = text.replace(ELIDED, '$1 ').replace(POSSESSIVE, ' ').replace(APOSTROPHES, '\u0301');
  const elided = new Set([...text.matchAll(ELIDED)].map(({ index }) => index));
  const tokens: Token[] = [];
  for (const { 0: found, index } of plain.matchAll(TOKEN)) {
    if (tokens.length === TOKENS_MAX) break;
    const raw = text.slice(index, index + found.length);
    const isListed = COMMA.test(text.slice(tokens.at(-1)?.end ?? index, index));
    const folded = tokenize(found).join('') || found;
    const word = ABBREVIATIONS.get(found.toLowerCase()) ?? folded + (elided.has(index) ? 'e' : '');
    tokens.push({ raw, text: word, start: index, end: index + found.length, isListed });
  }
  return tokens.map((token) => {
    if (/^['’]/.test(token.raw)) return { ...token, text: `20${token.text}` };
    return /^[\d.,/-]+$/.test(token.raw) ? { ...token, text: token.raw } : token;
  });
}

/** Splits tokens written without spaces at the phrases of a lexicon. */
export function splitUnspaced(tokens: readonly Token[], { unspaced }: Lexicon): Token[] {
  if (!tokens.some(({ raw }) => HAN.test(raw))) return [...tokens];
  const phrases = [...new Set([...unspaced, ...valuesInHan()])].sort((one, other) => other.length - one.length);
  return tokens.flatMap((token) => (HAN.test(token.raw) ? split(token, phrases) : [token]));
}

/** Values that contain a phrase, such as 日本, 上海 and 钱包, are not split. */
function split(token: Token, phrases: readonly string[]): Token[] {
  const parts: Token[] = [];
  const add = (from: number, to: number): void => {
    if (from === to) return;
    const raw = token.raw.slice(from, to);
    parts.push({ raw, text: raw, start: token.start + from, end: token.start + to });
  };
  let unknown = 0;
  for (let index = 0; index < token.raw.length; ) {
    const phrase = phrases.find((each) => token.raw.startsWith(each, index));
    if (phrase === undefined) {
      index++;
      continue;
    }
    add(unknown, index);
    add(index, index + phrase.length);
    index += phrase.length;
    unknown = index;
  }
  add(unknown, token.raw.length);
  return parts;
}
