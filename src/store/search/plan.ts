import { CONTAINED_QUALITY, PREFIX_QUALITY, STEM_QUALITY, TYPO_QUALITY } from './layers.ts';
import { partsOf, type Query, type QueryWord } from './query.ts';
import { keywordTerm, PREFIX_LENGTH_MAX, prefixTerm, startTerm, wordTerm } from './terms.ts';
import { isWhole } from './words.ts';

/** A term of the vocabulary, by the number the engine knows it by. */
export interface Term {
  id: number;
  term: string;
}

export interface Correction {
  word: string;
  /** The term of the word. */
  term: number;
  typos: number;
  /** Only the beginning of `word` was typed. */
  isBeginning: boolean;
}

/** What planning asks of the engine's vocabulary. */
export interface TermDictionary {
  find(term: string): Term | undefined;
  /** Words of one stem, at most `limit`, in alphabetical order. */
  ofStem(stem: string, limit: number): Term[];
  /** The terms of words with this beginning, in order, at most `limit`. */
  withPrefix(prefix: string, limit: number): number[];
  /** Words one typo away, nearest first. */
  oneTypo(word: string): Correction[];
  /** Words of names up to two typos away, and unfinished ones; nearest first. */
  someTypos(word: string, isUnfinished: boolean): Correction[];
  /** The terms of words of names that have this text inside, at most `limit`, the first known ones. */
  containing(text: string, limit: number): number[];
}

/** A term that a word of the query may stand for. */
export interface Alternative {
  term: number;
  quality: number;
  /** Parts of words count in names and keywords only: elsewhere they say little and match much. */
  isBeginning: boolean;
}

interface PlannedWord {
  alternatives: Alternative[];
}

interface PlannedPhrase {
  term: number;
  from: number;
  to: number;
}

/** A text resolved against the vocabulary; the same for every type. */
export interface Plan {
  query: Query;
  words: PlannedWord[];
  /** Complete keywords in the query. */
  keywords: PlannedPhrase[];
  /** Names that begin with the whole query, when it is short. */
  start: number | undefined;
}

const COMPLETIONS_MAX = 64;
/** Words of names that have a text inside; each costs a look at its lists. */
const CONTAINING_MAX = 64;
/** Shorter parts are in everything. */
export const CONTAINED_LENGTH_MIN = 4;
/** Words of one stem: English makes a handful. */
const FAMILY_MAX = 12;

/** The plan of the words as they were typed. */
export function planTyped(query: Query, vocabulary: TermDictionary): Plan {
  const words = query.words.map((word) => ({ alternatives: typedAlternatives(word, vocabulary) }));
  return { query, words, keywords: keywordsOf(query, vocabulary), start: startOf(query, vocabulary) };
}

/** The plan of a word with the names that it is a part of; undefined when there are none. */
export function planContaining(typed: Plan, vocabulary: TermDictionary): Plan | undefined {
  const [word, ...others] = typed.query.words;
  if (word === undefined || others.length > 0 || word.text.length < CONTAINED_LENGTH_MIN) return undefined;
  const terms = vocabulary.containing(word.text, CONTAINING_MAX);
  const known = new Set(typed.words[0].alternatives.map(({ term }) => term));
  const added = terms
    .filter((term) => !known.has(term))
    .map((term) => ({ term, quality: CONTAINED_QUALITY, isBeginning: true }));
  if (added.length === 0) return undefined;
  return { ...typed, words: [{ alternatives: [...typed.words[0].alternatives, ...added] }] };
}

/** The plan with other words beside the typed ones. */
export function planCorrected(
  typed: Plan,
  corrections: readonly (readonly Correction[])[],
  vocabulary: TermDictionary,
): Plan {
  const words = typed.words.map((word, index) => ({
    alternatives: [
      ...word.alternatives,
      ...correctedAlternatives(corrections[index]),
      ...swappedAlternatives(typed.query.words[index], vocabulary),
    ],
  }));
  return { ...typed, words, keywords: [], start: undefined };
}

function typedAlternatives(word: QueryWord, vocabulary: TermDictionary): Alternative[] {
  const alternatives: Alternative[] = [];
  const add = (term: number | undefined, quality: number, isBeginning: boolean) => {
    if (term !== undefined && !alternatives.some((known) => known.term === term))
      alternatives.push({ term, quality, isBeginning });
  };
  for (const { id, term } of vocabulary.ofStem(word.stem, FAMILY_MAX))
    add(id, term === wordTerm(word.text) ? 1 : STEM_QUALITY, false);
  if (!word.isUnfinished) return alternatives;
  if (word.text.length <= PREFIX_LENGTH_MAX) add(vocabulary.find(prefixTerm(word.text))?.id, PREFIX_QUALITY, true);
  else for (const term of vocabulary.withPrefix(word.text, COMPLETIONS_MAX)) add(term, PREFIX_QUALITY, true);
  return alternatives;
}

function correctedAlternatives(corrections: readonly Correction[]): Alternative[] {
  return corrections.map(({ term, typos, isBeginning }) => {
    const quality = TYPO_QUALITY[typos] * (isBeginning ? PREFIX_QUALITY : 1);
    return { term, quality, isBeginning };
  });
}

/** Short beginnings are not in reach of other corrections: only their letters may be swapped. */
function swappedAlternatives({ text, isUnfinished }: QueryWord, vocabulary: TermDictionary): Alternative[] {
  if (!isUnfinished || text.length > PREFIX_LENGTH_MAX) return [];
  return Array.from({ length: text.length - 1 }, (_, index) => {
    const swapped = text.slice(0, index) + text[index + 1] + text[index] + text.slice(index + 2);
    const term = swapped === text || !isWhole(swapped) ? undefined : vocabulary.find(prefixTerm(swapped));
    return term ? [{ term: term.id, quality: TYPO_QUALITY[1] * PREFIX_QUALITY, isBeginning: true }] : [];
  }).flat();
}

function keywordsOf(query: Query, vocabulary: TermDictionary): PlannedPhrase[] {
  return partsOf(query).flatMap(({ phrase, from, to }) => {
    const term = vocabulary.find(keywordTerm(phrase));
    return term ? [{ term: term.id, from, to }] : [];
  });
}

function startOf(query: Query, vocabulary: TermDictionary): number | undefined {
  if (query.joined.length > PREFIX_LENGTH_MAX) return undefined;
  return vocabulary.find(startTerm(query.joined))?.id;
}
