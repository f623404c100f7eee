import { chinese } from './languages/chinese.ts';
import { english } from './languages/english.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { spanish } from './languages/spanish.ts';

/** What a word or phrase does in a sentence. */
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
  'angels',
  'led',
  'backed',
  'backs',
  'founds',
  'foundedBy',
  'works',
  'raised',
  'held',
  'upcoming',
  'largest',
  'deals',
  'latest',
  'common',
  'speaks',
  'updated',
  'employees',
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

/** The words of a language, folded, with `|` between phrases; months and ordinals are in order, with `,` between spellings. */
export type Language = Readonly<Record<Meaning | 'months' | 'ordinals', string>>;

export interface Phrase {
  /** What it may mean. */
  readonly meanings: ReadonlySet<Meaning>;
  /** From 1, for a month. */
  readonly month?: number;
  /** From 1, for an ordinal number. */
  readonly ordinal?: number;
}

export interface Lexicon {
  /** Words of the longest phrase. */
  readonly wordsMax: number;
  /** Those that are written without spaces. */
  readonly unspaced: readonly string[];
  phrase(words: string): Phrase | undefined;
}

const ASCII = /^\p{ASCII}*$/u;
const HAN = /\p{Script=Han}/u;

type Phrases = Map<string, { meanings: Set<Meaning>; month?: number; ordinal?: number }>;

/** In the order in which a tie between them is decided. */
const LANGUAGES = [english, spanish, german, french] as const;
const spaced = lexiconsOf(LANGUAGES.map(phrasesOf));
const unspaced = lexiconOf([phrasesOf(chinese), phrasesOf(english)]);

const firstWords = new Set(spaced.flatMap(({ own }) => [...own.keys()].map((phrase) => phrase.split(' ')[0] ?? '')));

/** The lexicon of the language that most of some words are of. */
export function lexiconFor(text: string, words: readonly string[]): Lexicon {
  if (HAN.test(text)) return unspaced;
  const known = spaced.map((lexicon) => words.filter((word) => lexicon.own.has(word)).length);
  const most = known.indexOf(Math.max(...known));
  return spaced[most]?.lexicon ?? unspaced;
}

/** Whether a text has a word that sentences are made with, in any language. */
export function hasSentenceWord(text: string): boolean {
  if (!ASCII.test(text)) return true;
  const words = text.toLowerCase().split(/[^a-z]+/);
  return words.some((word) => firstWords.has(word));
}

function lexiconsOf(all: readonly Phrases[]): { lexicon: Lexicon; own: Phrases }[] {
  const [first] = all;
  return all.map((own) => ({ lexicon: lexiconOf(own === first || first === undefined ? [own] : [own, first]), own }));
}

/** Phrases of several languages, an earlier one before a later one. */
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
  const at = (phrase: string) => {
    const known = phrases.get(phrase) ?? { meanings: new Set<Meaning>() };
    phrases.set(phrase, known);
    return known;
  };
  for (const meaning of MEANINGS) for (const phrase of language[meaning].split('|')) at(phrase).meanings.add(meaning);
  for (const [place, spellings] of language.months.split('|').entries())
    for (const spelling of spellings.split(',')) at(spelling).month = place + 1;
  for (const [place, spellings] of language.ordinals.split('|').entries())
    for (const spelling of spellings.split(',')) at(spelling).ordinal = place + 1;
  return phrases;
}
