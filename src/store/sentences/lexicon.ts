import { once } from '../../contract/lazy.ts';
import { editDistancesTo } from '../search/typos.ts';
import { chinese } from './languages/chinese.ts';
import { english } from './languages/english.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { portuguese } from './languages/portuguese.ts';
import { spanish } from './languages/spanish.ts';
import { withoutElisions } from './sentence-tokens.ts';

type Key = keyof typeof english;
const ORDERED = ['month', 'ordinal', 'third', 'season'] as const;
type Ordered = (typeof ORDERED)[number];
/** Functions of words and phrases in a sentence. */
export type Meaning = Exclude<Key, 'groups' | 'numbers' | `${Ordered}s`>;
const MEANINGS = (Object.keys(english) as Key[]).filter(
  (key): key is Meaning => !/^(?:groups|numbers|months|ordinals|thirds|seasons)$/.test(key),
);

export const NOUNS = ['companies', 'people', 'investors', 'events', 'rounds'] as const;

/** Words that join others in every context. */
export const JOINING = ['in', 'from', 'to', 'on', 'by', 'and', 'or', 'raised'] as const;

/**
 * Folded words of a language with `|` between phrases; months, groups, numbers, ordinals, thirds and seasons are ordered, with `,`
 * between spellings.
 */
export type Language = Readonly<Record<Key, string>>;

export interface Phrase {
  readonly meanings: ReadonlySet<Meaning>;
  /** Month number from 1. */
  readonly month?: number;
  /** Ordinal number from 1. */
  readonly ordinal?: number;
  /** Which third of a year it is, from 1: `early 2022`. */
  readonly third?: number;
  /** Which season of the northern half of the Earth, from spring to autumn: 1 to 3. A winter is in two years. */
  readonly season?: number;
}

export interface Lexicon {
  /** Length of the longest phrase in words. */
  readonly wordsMax: number;
  /** Phrases written without spaces. */
  readonly unspaced: readonly string[];
  phrase(words: string): Phrase | undefined;
  /** The only phrase that a misspelt word may be; undefined for none. */
  corrected(word: string): string | undefined;
  group(words: string): string | undefined;
  /** The number that a word spells: `three`, `tres`. */
  number(word: string): number | undefined;
}

const ASCII = /^\p{ASCII}*$/u;
/** Apostrophes are no part of words, so that they may join two. */
const PLAIN = /^[^\P{ASCII}'`]*$/u;
const HAN = /\p{Script=Han}/u;

/** The groups of aggregates, in the order of their words in each language. */
const GROUPS =
  'year quarter month country city stage tag chain investor lead_investor company organization event_type investor_type year_founded type status'.split(
    ' ',
  );

interface Words {
  readonly phrases: Map<string, { meanings: Set<Meaning> } & Partial<Record<Ordered, number>>>;
  readonly groups: ReadonlyMap<string, string>;
  readonly numbers: ReadonlyMap<string, number>;
}

/** In order of preference for ties. */
const LANGUAGES = [english, spanish, german, french, portuguese] as const;

/** Built by the first use: most commands read no sentence. */
const lexicons = once(() => {
  const spaced = lexiconsOf(LANGUAGES.map(wordsOf));
  return {
    spaced,
    unspaced: lexiconOf([wordsOf(chinese), wordsOf(english)]),
    firstWords: new Set(spaced.flatMap(({ own }) => [...own.keys()].map((phrase) => phrase.split(' ')[0] ?? ''))),
  };
});

/** Weight of a word that is a phrase by itself, compared with one that is only part of phrases. */
const PHRASE_WEIGHT = 100;

/**
 * The lexicon of the language that matches most words; parts of phrases decide between equal ones. A negation counts only before
 * a word of its language: `no Brasil` is Portuguese for `in Brazil`.
 */
export function lexiconFor(text: string, words: readonly string[]): Lexicon {
  const { spaced, unspaced } = lexicons();
  if (HAN.test(text)) return unspaced;
  const scores = spaced.map(({ own, parts }) => {
    const known = words.filter(
      (word, index) => !own.get(word)?.meanings.has('not') || parts.has(words[index + 1] ?? ''),
    );
    return known.reduce((sum, word) => sum + Number(own.has(word)) * PHRASE_WEIGHT + Number(parts.has(word)), 0);
  });
  const most = scores.indexOf(Math.max(...scores));
  return spaced[most]?.lexicon ?? unspaced;
}

/** Whether a text contains a function word of any language. */
export function hasSentenceWord(text: string): boolean {
  if (!ASCII.test(text)) return true;
  const { firstWords } = lexicons();
  return letterRuns(text).some((word) => firstWords.has(word));
}

/** The phrases of all languages with spaces that have one of some meanings. */
const phrasesMeaning = (meanings: readonly Meaning[]): readonly string[] =>
  lexicons()
    .spaced.flatMap(({ own }) => [...own])
    .flatMap(([phrase, { meanings: known }]) => (meanings.some((one) => known.has(one)) ? phrase : []));

/** Texts that may contain, as one word in any language, a phrase with one of some meanings; others certainly do not. */
export function textsWith(meanings: readonly Meaning[]): (text: string) => boolean {
  const words = once(() => new Set(phrasesMeaning(meanings)));
  return (text) => !PLAIN.test(text) || letterRuns(text).some((word) => words().has(word));
}

/** Texts that contain a phrase, of one or several words without accents, with one of some meanings. */
export function textsWithPhrase(...meanings: readonly Meaning[]): (text: string) => boolean {
  const phrases = once(() => phrasesMeaning(meanings).map((phrase) => ` ${phrase} `));
  return (text) => {
    const words = ` ${letterRuns(text).join(' ')} `;
    return phrases().some((phrase) => words.includes(phrase));
  };
}

export const letterRuns = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** The lexicon of each language, with its own phrases and their words. */
function lexiconsOf(all: readonly Words[]) {
  const [first] = all;
  return all.map((own) => ({
    lexicon: lexiconOf(own === first || first === undefined ? [own] : [own, first]),
    own: own.phrases,
    parts: new Set([...own.phrases.keys()].flatMap((phrase) => phrase.split(' '))),
  }));
}

/** Shorter words resemble too many others. */
const CORRECTED_LENGTH_MIN = 6;

/** Merged words of several languages; earlier ones take precedence. */
function lexiconOf(languages: readonly Words[]): Lexicon {
  const all = languages.flatMap(({ phrases, groups }) => [...phrases.keys(), ...groups.keys()]);
  const parts = new Set(all.flatMap((phrase) => phrase.split(' ')));
  for (const { numbers } of languages) for (const number of numbers.keys()) parts.add(number);
  return {
    wordsMax: Math.max(...all.map((phrase) => phrase.split(' ').length)),
    unspaced: all.filter((phrase) => HAN.test(phrase)).sort((one, other) => other.length - one.length),
    phrase: (words) => languages.find(({ phrases }) => phrases.has(words))?.phrases.get(words),
    corrected: (word) => {
      const distanceTo = editDistancesTo(word, 1);
      const isNear = (each: string): boolean => each[0] === word[0] && distanceTo(each).whole === 1;
      return word.length < CORRECTED_LENGTH_MIN || parts.has(word) ? undefined : all.find(isNear);
    },
    group: (words) => languages.find(({ groups }) => groups.has(words))?.groups.get(words),
    number: (word) => languages.find(({ numbers }) => numbers.has(word))?.numbers.get(word),
  };
}

function wordsOf(language: Language): Words {
  const phrases: Words['phrases'] = new Map();
  const at = (spelling: string) => {
    const phrase = withoutElisions(spelling);
    const known = phrases.get(phrase) ?? { meanings: new Set<Meaning>() };
    phrases.set(phrase, known);
    return known;
  };
  for (const meaning of MEANINGS) for (const phrase of language[meaning].split('|')) at(phrase).meanings.add(meaning);
  for (const part of ORDERED)
    for (const [spelling, index] of ordered(language[`${part}s`])) at(spelling)[part] = index + 1;
  const groups = ordered(language.groups).map(
    ([spelling, index]) => [withoutElisions(spelling), GROUPS[index]] as const,
  );
  const numbers = ordered(language.numbers).map(([spelling, index]) => [spelling, index + 1] as const);
  return { phrases, groups: new Map(groups as readonly (readonly [string, string])[]), numbers: new Map(numbers) };
}

/** The spellings in a list, with the position of each. */
function ordered(words: string): (readonly [string, number])[] {
  return words.split('|').flatMap((spellings, index) => spellings.split(',').map((each) => [each, index] as const));
}
