import {
  FIELD,
  FIELDS,
  type Field,
  KEY,
  type KeyKind,
  keywordTerm,
  namePrefixTerm,
  PREFIX_LENGTH_MAX,
  prefixTerm,
  WORD_LENGTH_MAX,
  wordTerm,
} from './matches.ts';
import type { SearchedDocument } from './search-index.ts';
import { TYPO_LENGTH_MAX } from './typos.ts';

export interface NameKey {
  key: string;
  kind: KeyKind;
}

type AnalyzedDocument = ReturnType<typeof analyze>;

const KEY_LENGTH_MAX = 200;
/** People leave it out: The Graph. */
const ARTICLE = /^the\s+/i;

export function analyze(document: SearchedDocument) {
  const analyzed = { keys: keysOf(document), terms: new Map<string, Field>() };
  for (const name of document.names) {
    addName(analyzed, name);
    if (!document.hasComposedNames) addJoined(analyzed, name);
  }
  for (const keyword of document.keywords) addKeyword(analyzed, keyword);
  addText(analyzed, document.headline, FIELD.headline);
  addText(analyzed, document.overview, FIELD.overview);
  for (const related of document.related) addText(analyzed, related, FIELD.related);
  return analyzed;
}

export const domainKey = (domain: string): string => `@${domain}`;

function keysOf(document: SearchedDocument): NameKey[] {
  const keys = new Map<string, KeyKind>();
  const add = (key: string, kind: KeyKind) => {
    const short = beginningOf(key, KEY_LENGTH_MAX);
    if (short && (keys.get(short) ?? KEY.unordered + 1) > kind) keys.set(short, kind);
  };
  document.names.forEach((name, index) => {
    add(joinedKey(name), index === 0 ? KEY.name : KEY.alias);
    add(unorderedKey(tokenize(name)), KEY.unordered);
    if (ARTICLE.test(name)) add(joinedKey(name.replace(ARTICLE, '')), KEY.slug);
  });
  add(joinedKey(document.slug), KEY.slug);
  for (const ticker of document.tickers) add(joinedKey(ticker), KEY.ticker);
  const domain = document.domain && domainOf(document.domain);
  if (domain) add(domainKey(domain), KEY.domain);
  // One that is a name is found by that.
  for (const handle of document.handles) if (!keys.has(joinedKey(handle))) add(domainKey(handle), KEY.domain);
  return [...keys].map(([key, kind]) => ({ key, kind }));
}

function addName({ terms }: AnalyzedDocument, name: string): void {
  for (const word of tokenizeAsWritten(name).flatMap(wordParts)) {
    const cut = beginningOf(word, WORD_LENGTH_MAX);
    terms.set(wordTerm(cut), FIELD.name);
    addPrefixes(terms, cut, prefixTerm);
  }
  addPrefixes(terms, joinedKey(name), namePrefixTerm);
}

/** Indexes a name as a word, so that a name typed as one misspelt word is found. */
function addJoined({ terms }: AnalyzedDocument, name: string): void {
  const joined = joinedKey(name);
  if (joined.length <= TYPO_LENGTH_MAX && !terms.has(wordTerm(joined))) terms.set(wordTerm(joined), FIELD.name);
}

function addPrefixes(terms: Map<string, Field>, word: string, term: (prefix: string) => string): void {
  const longest = Math.min(PREFIX_LENGTH_MAX, word.length);
  for (let length = 1; length <= longest; length++) {
    const prefix = beginningOf(word, length);
    if (prefix.length === length) terms.set(term(prefix), FIELD.name);
  }
}

function addKeyword(analyzed: AnalyzedDocument, keyword: string): void {
  const words = tokenize(keyword);
  analyzed.terms.set(keywordTerm(beginningOf(words.join(' '), WORD_LENGTH_MAX)), FIELD.keyword);
  addText(analyzed, keyword, FIELD.keyword);
}

function addText({ terms }: AnalyzedDocument, text: string, field: Field): void {
  for (const word of tokenizeAsWritten(text)) {
    for (const part of wordParts(word)) {
      const term = wordTerm(beginningOf(part, WORD_LENGTH_MAX));
      if ((terms.get(term) ?? FIELDS.length) > field) terms.set(term, field);
    }
  }
}

const ASCII = /^\p{ASCII}*$/u;
const APOSTROPHES = /['’ʼ`]/g;
const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Fast path for plain words. */
const PLAIN = /^[a-z]+$/;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu;
const HAS_PARTS = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;
const DOMAIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})\.?(?::\d+)?(?:[/?#].*)?$/iu;

/** Letters without Unicode decomposition. */
const FOLDED: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  þ: 'th',
  Þ: 'TH',
};
const FOLDED_LETTER = /[łŁøØđĐðÐħĦıßæÆœŒþÞ]/g;

/** Removes accents and compatibility forms, preserving case. */
function foldAccents(text: string): string {
  if (ASCII.test(text)) return text.includes("'") || text.includes('`') ? text.replace(APOSTROPHES, '') : text;
  const plain = text.normalize('NFKD').replace(MARKS, '').replace(APOSTROPHES, '');
  return plain.replace(FOLDED_LETTER, (letter) => FOLDED[letter] ?? letter);
}

/** The tokens of a text: its words, without accents, in lower case. */
export function tokenize(text: string): string[] {
  const folded = foldAccents(text);
  return folded.toLowerCase().match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** The words of a text without accents, in the case as written. */
function tokenizeAsWritten(text: string): string[] {
  const folded = foldAccents(text);
  return folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** A word in lower case, and its parts if written like `OpenSea` or `devcon5`. */
function wordParts(word: string): string[] {
  if (PLAIN.test(word)) return [word];
  const parts = HAS_PARTS.test(word) ? (word.match(PART) ?? []) : [];
  return [word, ...parts].map((part) => part.toLowerCase());
}

/** Signs that distinguish a name from another: `bitcoin++` is not Bitcoin. */
const PLUSES = /(?<=[\p{L}\p{N}])\+{2,}$/u;

/** Letters, digits and a final `++`: `Open Sea` and `open-sea` get the same key. Text of punctuation only is kept. */
export function joinedKey(text: string): string {
  const trimmed = text.trim();
  const words = tokenize(text).join('');
  return words === ''
    ? trimmed.toLowerCase()
    : words + (trimmed.endsWith('++') ? (PLUSES.exec(trimmed)?.[0] ?? '') : '');
}

/** A key independent of word order. */
export const unorderedKey = (words: readonly string[]): string => words.toSorted().join('');

/** `https://www.opensea.io/about` becomes `opensea.io`; undefined if the text is no domain or URL. */
export function domainOf(text: string): string | undefined {
  const host = DOMAIN.exec(text.trim())?.[1];
  return host?.toLowerCase().replace(/^www\./, '');
}

/** A prefix of at most `length` UTF-16 units that does not split a surrogate pair. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

const ENGLISH = /^[a-z]{4,24}$/;
/** Such as L2s. */
const NUMBERED_PLURAL = /^[a-z]{0,4}\d+s$/;
const VOWEL = /[aeiouy]/;
const STEM_LENGTH_MIN = 3;

/** A light English stemmer: removes plural, -ing, -ed and final e. A stem may not be a word. */
export function stem(word: string): string {
  if (NUMBERED_PLURAL.test(word)) return word.slice(0, -1);
  if (!ENGLISH.test(word)) return word;
  const singular = withoutPlural(word);
  const base = withoutEnding(singular);
  return base.endsWith('e') && base.length > STEM_LENGTH_MIN ? base.slice(0, -1) : base;
}

/** An English word, or the last of several, in the singular. */
export function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return /(?:x|ch|sh|ss|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') && !word.endsWith('eed') ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || base.length < STEM_LENGTH_MIN || !VOWEL.test(base)) return word;
  // Undoubles a final consonant, so that "swapping" and "swap" match, except where English doubles it anyway.
  const doubled = base.at(-1) === base.at(-2) && !/[lsz]$/.test(base);
  return doubled ? base.slice(0, -1) : base;
}
