import { CONTAINED_QUALITY, PREFIX_QUALITY, STEM_QUALITY, TYPO_QUALITY } from './layers.ts';
import { type Query, type QueryWord, shinglesOf } from './query.ts';
import { keywordTerm, namePrefixTerm, PREFIX_LENGTH_MAX, prefixTerm, wordTerm } from './terms.ts';
import { isWhole } from './words.ts';

/** A vocabulary term with its id. */
export interface Term {
  id: number;
  term: string;
}

export interface Correction {
  word: string;
  /** Term id of the word. */
  term: number;
  typos: number;
  /** Whether the typed text is only a prefix of `word`. */
  isBeginning: boolean;
}

/** Vocabulary look-ups of an engine for planning. */
export interface TermDictionary {
  find(term: string): Term | undefined;
  /** Words of a stem, at most `limit`, alphabetically. */
  ofStem(stem: string, limit: number): Term[];
  /** Terms of words with a prefix, at most `limit`, in order. */
  withPrefix(prefix: string, limit: number): number[];
  /** Words with one typo, nearest first. */
  oneTypo(word: string): Correction[];
  /** Words of names with up to two typos, including unfinished ones; nearest first. */
  someTypos(word: string, isUnfinished: boolean): Correction[];
  /** Terms of name words that contain a text, at most `limit`. */
  containing(text: string, limit: number): number[];
}

/** A term that a query word may match. */
export interface Alternative {
  term: number;
  quality: number;
  /** Prefixes and infixes count only in names and keywords; elsewhere they match too much. */
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

/** A query resolved against the vocabulary, common to all types. */
export interface Plan {
  query: Query;
  words: PlannedWord[];
  /** Complete keywords in the query. */
  keywords: PlannedPhrase[];
  /** Prefix term of names that begin with the whole query, if it is short. */
  namePrefix: number | undefined;
}

const COMPLETIONS_MAX = 64;
/** Maximum infix matches; each costs a posting list look-up. */
const CONTAINING_MAX = 64;
/** Shorter infixes occur in too many words. */
export const CONTAINED_LENGTH_MIN = 4;
/** Maximum words of a stem. */
const FAMILY_MAX = 12;

/** The plan of the words as typed. */
export function planTyped(query: Query, vocabulary: TermDictionary): Plan {
  const words = query.words.map((word) => ({ alternatives: typedAlternatives(word, vocabulary) }));
  return { query, words, keywords: keywordsOf(query, vocabulary), namePrefix: namePrefixOf(query, vocabulary) };
}

/** The plan of a single word extended by names that contain it; undefined if there are none. */
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

/** The plan extended by corrections. */
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
  return { ...typed, words, keywords: [], namePrefix: undefined };
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

/** For short prefixes, only transposed letters are corrected. */
function swappedAlternatives({ text, isUnfinished }: QueryWord, vocabulary: TermDictionary): Alternative[] {
  if (!isUnfinished || text.length > PREFIX_LENGTH_MAX) return [];
  return Array.from({ length: text.length - 1 }, (_, index) => {
    const swapped = text.slice(0, index) + text[index + 1] + text[index] + text.slice(index + 2);
    const term = swapped === text || !isWhole(swapped) ? undefined : vocabulary.find(prefixTerm(swapped));
    return term ? [{ term: term.id, quality: TYPO_QUALITY[1] * PREFIX_QUALITY, isBeginning: true }] : [];
  }).flat();
}

function keywordsOf(query: Query, vocabulary: TermDictionary): PlannedPhrase[] {
  return shinglesOf(query).flatMap(({ phrase, from, to }) => {
    const term = vocabulary.find(keywordTerm(phrase));
    return term ? [{ term: term.id, from, to }] : [];
  });
}

function namePrefixOf(query: Query, vocabulary: TermDictionary): number | undefined {
  if (query.joined.length > PREFIX_LENGTH_MAX) return undefined;
  return vocabulary.find(namePrefixTerm(query.joined))?.id;
}
