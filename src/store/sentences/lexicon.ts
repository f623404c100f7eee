import { chinese } from './languages/chinese.ts';
import { english } from './languages/english.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { spanish } from './languages/spanish.ts';
import { withoutElisions } from './sentence-tokens.ts';

/** Functions of words and phrases in a sentence. */
const MEANINGS = [
  'question',
  'empty',
  'companies',
  'people',
  'investors',
  'events',
  'rounds',
  'who',
  'in',
  'from',
  'to',
  'on',
  'by',
  'and',
  'or',
  'not',
  'lacking',
  'unstated',
  'angels',
  'led',
  'backed',
  'backs',
  'founds',
  'foundedBy',
  'works',
  'raised',
  'lastRound',
  'held',
  'upcoming',
  'largest',
  'deals',
  'latest',
  'smallest',
  'oldest',
  'youngest',
  'common',
  'speaks',
  'titles',
  'per',
  'connected',
  'versus',
  'likeness',
  'updated',
  'employees',
  'investments',
  'over',
  'min',
  'under',
  'max',
  'between',
  'after',
  'since',
  'before',
  'until',
  'orMore',
  'orLess',
  'last',
  'this',
  'next',
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'ago',
  'thousand',
  'million',
  'billion',
  'currency',
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** Nouns that name a type. */
export const NOUNS = ['companies', 'people', 'investors', 'events', 'rounds'] as const;

/** Folded words of a language with `|` between phrases; months and ordinals are ordered, with `,` between spellings. */
export type Language = Readonly<Record<Meaning | 'months' | 'ordinals', string>>;

export interface Phrase {
  /** Possible meanings. */
  readonly meanings: ReadonlySet<Meaning>;
  /** Month number from 1. */
  readonly month?: number;
  /** Ordinal number from 1. */
  readonly ordinal?: number;
}

export interface Lexicon {
  /** Length of the longest phrase in words. */
  readonly wordsMax: number;
  /** Phrases written without spaces. */
  readonly unspaced: readonly string[];
  phrase(words: string): Phrase | undefined;
}

const ASCII = /^\p{ASCII}*$/u;
/** Apostrophes are no part of words, so that they may join two. */
const PLAIN = /^[^\P{ASCII}'`]*$/u;
const HAN = /\p{Script=Han}/u;

type Phrases = Map<string, { meanings: Set<Meaning>; month?: number; ordinal?: number }>;

/** In order of preference for ties. */
const LANGUAGES = [english, spanish, german, french] as const;
const spaced = lexiconsOf(LANGUAGES.map(phrasesOf));
const unspaced = lexiconOf([phrasesOf(chinese), phrasesOf(english)]);

const firstWords = new Set(spaced.flatMap(({ own }) => [...own.keys()].map((phrase) => phrase.split(' ')[0] ?? '')));

/** Weight of a word that is a phrase by itself, against one that is only a part of phrases. */
const PHRASE_WEIGHT = 100;

/** The lexicon of the language that matches most words; parts of phrases decide between equal ones. */
export function lexiconFor(text: string, words: readonly string[]): Lexicon {
  if (HAN.test(text)) return unspaced;
  const scores = spaced.map(({ own, parts }) => {
    const known = words.map((word) => Number(own.has(word)) * PHRASE_WEIGHT + Number(parts.has(word)));
    return known.reduce((sum, score) => sum + score, 0);
  });
  const most = scores.indexOf(Math.max(...scores));
  return spaced[most]?.lexicon ?? unspaced;
}

/** Whether a text contains a function word of any language. */
export function hasSentenceWord(text: string): boolean {
  if (!ASCII.test(text)) return true;
  return letterRuns(text).some((word) => firstWords.has(word));
}

/** Texts that may contain, as one word in any language, a phrase with one of some meanings; others certainly do not. */
export function textsWith(meanings: readonly Meaning[]): (text: string) => boolean {
  const words = new Set<string>();
  for (const { own } of spaced)
    for (const [phrase, { meanings: known }] of own)
      if (meanings.some((meaning) => known.has(meaning))) words.add(phrase);
  return (text) => !PLAIN.test(text) || letterRuns(text).some((word) => words.has(word));
}

/** The runs of English letters in a text. */
export const letterRuns = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** The lexicon of each language, with its own phrases and their words. */
function lexiconsOf(all: readonly Phrases[]) {
  const [first] = all;
  return all.map((own) => ({
    lexicon: lexiconOf(own === first || first === undefined ? [own] : [own, first]),
    own,
    parts: new Set([...own.keys()].flatMap((phrase) => phrase.split(' '))),
  }));
}

/** Merged phrases of several languages; earlier ones take precedence. */
function lexiconOf(languages: readonly Phrases[]): Lexicon {
  const all = languages.flatMap((language) => [...language.keys()]);
  return {
    wordsMax: Math.max(...all.map((phrase) => phrase.split(' ').length)),
    unspaced: all.filter((phrase) => HAN.test(phrase)).sort((one, other) => other.length - one.length),
    phrase: (words) => languages.find((language) => language.has(words))?.get(words),
  };
}

function phrasesOf(language: Language): Phrases {
  const phrases: Phrases = new Map();
  const at = (spelling: string) => {
    const phrase = withoutElisions(spelling);
    const known = phrases.get(phrase) ?? { meanings: new Set<Meaning>() };
    phrases.set(phrase, known);
    return known;
  };
  for (const meaning of MEANINGS) for (const phrase of language[meaning].split('|')) at(phrase).meanings.add(meaning);
  for (const [index, spellings] of language.months.split('|').entries())
    for (const spelling of spellings.split(',')) at(spelling).month = index + 1;
  for (const [index, spellings] of language.ordinals.split('|').entries())
    for (const spelling of spellings.split(',')) at(spelling).ordinal = index + 1;
  return phrases;
}
