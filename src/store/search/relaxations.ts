import { matchAnyWord } from './any-words.ts';
import { type Matches, NO_MATCHES, type QueryMatches, type Relaxation } from './matches.ts';
import type { NameMatch } from './name-matcher.ts';
import {
  CONTAINED_LENGTH_MIN,
  type Correction,
  type Plan,
  planContaining,
  planCorrected,
  planTyped,
  type TermDictionary,
} from './plan.ts';
import { type Query, queryOfWords } from './query.ts';
import { wordTerm } from './terms.ts';

/** The search operations of one type. */
export interface Searcher {
  typed(plan: Plan): Matches;
  corrected(plan: Plan, queries: readonly Query[]): Matches;
  /** Documents whose whole name is at least half of the query's letters, whatever the rest. */
  matchNames(plan: Plan): Matches;
  dropTerms(plan: Plan, words: readonly number[]): Matches;
  /** Document count of each word; words with exact matches first. */
  counts(plan: Plan): WordCount[];
  documents(): number;
  /** Whether a document has the query as its name. */
  isName(query: Query): boolean;
  /** Documents whose whole name is part of the query. */
  namesInQuery(plan: Plan): readonly NameMatch[];
}

interface WordCount {
  typed: number;
  any: number;
}

type Found = Matches[];

/** Relaxations of a text that is not a sentence. */
const PLAIN_REACHES: readonly Relaxation[] = ['typed', 'corrected', 'some'];

const COMBINATIONS_MAX = 12;
const COMBINED_PER_WORD_MAX = 3;
/** Maximum corrected queries; each costs posting list look-ups. */
const CORRECTIONS_MAX = 32;
const CORRECTIONS_PER_WORD_MIN = 4;
const COMMON_MIN = 16;
const COMMON_SHARE = 1 / 2_000;
/** How many single words are dropped in turn. */
const SINGLY_DROPPED_MAX = 3;
const FEWER_WORDS_MAX = 5;
const SHORT_LENGTH_MAX = 2;
/** Two-typo look-ups are expensive, so they are limited to a few words. */
const FAR_WORDS_MAX = 3;
const FAR_QUERY_WORDS_MAX = 6;
/** Words looked up with one typo. */
const NEAR_WORDS_MAX = 6;
/** Above this document count, no infix matches are added. */
const CONTAINED_MAX = 2_048;
/** Longer words rarely occur inside others. */
const CONTAINED_LENGTH_MAX = 6;
const SPLIT_LENGTH_MIN = 5;
const SPLIT_PART_MIN = 2;
/** Unknown words that are split at every position. */
const SPLIT_WORDS_MAX = 3;

/**
 * Finds the matches of a query per type. The first relaxation with a match in any type is used for all, so that a query
 * has one result and one total: as typed, one typo per word, two words joined, more typos, infixes of names, names
 * within the query, fewer words. Limited to the given relaxations.
 */
export function findMatches(
  query: Query,
  { vocabulary, searchers }: Searched,
  reaches: readonly Relaxation[] = PLAIN_REACHES,
): QueryMatches {
  for (const stage of relaxations(query, { vocabulary, searchers }, reaches)) {
    if (stage.matches.some(({ isFound }) => isFound)) return stage;
  }
  return { reach: 'typed', matches: searchers.map(() => NO_MATCHES) };
}

interface Searched {
  readonly vocabulary: TermDictionary;
  readonly searchers: readonly Searcher[];
}

function* relaxations(
  query: Query,
  { vocabulary, searchers }: Searched,
  reaches: readonly Relaxation[],
): Generator<QueryMatches> {
  const typed = planAsTyped(query, { vocabulary, searchers });
  if (reaches.includes('typed')) yield { reach: 'typed', matches: searchers.map((searcher) => searcher.typed(typed)) };
  if (query.words.length === 0 || reaches.every((reach) => reach === 'typed')) return;

  const doubts = typoCandidates(typed, searchers);
  const most = Math.max(CORRECTIONS_PER_WORD_MIN, Math.floor(CORRECTIONS_MAX / query.words.length));
  const near = nearCorrections(query, vocabulary, { doubts, most });
  if (reaches.includes('corrected')) yield* correctedStages(typed, { vocabulary, searchers }, { doubts, most, near });
  const plan = planCorrected(typed, near, vocabulary);
  if (reaches.includes('some')) {
    yield { reach: 'some', matches: searchers.map((searcher) => searcher.matchNames(typed)) };
    for (const words of fewerWords(plan, searchers))
      yield { reach: 'some', matches: searchers.map((searcher) => searcher.dropTerms(plan, words)) };
  }
  if (reaches.includes('any'))
    yield { reach: 'any', matches: searchers.map((searcher) => matchAnyWord(plan, searcher)) };
}

/**
 * The plan of the words as typed. A single known word that is no name also matches names that contain it, unless it is
 * very frequent, where those would rank too low to matter.
 */
function planAsTyped(query: Query, { vocabulary, searchers }: Searched): Plan {
  const typed = planTyped(query, vocabulary);
  const [word, ...others] = query.words;
  if (word === undefined || others.length > 0) return typed;
  if (word.text.length < CONTAINED_LENGTH_MIN || word.text.length > CONTAINED_LENGTH_MAX) return typed;
  const counts = searchers.map((searcher) => searcher.counts(typed)[0].any);
  const isHad = counts.some((count) => count > 0) && counts.every((count) => count <= CONTAINED_MAX);
  if (!isHad || searchers.some((searcher) => searcher.isName(query))) return typed;
  return planContaining(typed, vocabulary) ?? typed;
}

/** Statistics of the words before correction. */
interface Doubted {
  readonly doubts: readonly Doubt[];
  /** Maximum corrections of a word. */
  readonly most: number;
}

function nearCorrections(query: Query, vocabulary: TermDictionary, { doubts, most }: Doubted): Correction[][] {
  const nearWords = doubtfulFirst(doubts).slice(0, NEAR_WORDS_MAX);
  return query.words.map(({ text }, index) => {
    const isTooShort = text.length <= SHORT_LENGTH_MAX && query.words.length === 1;
    return nearWords.includes(index) && !isTooShort ? vocabulary.oneTypo(text).slice(0, most) : [];
  });
}

function* correctedStages(
  typed: Plan,
  { vocabulary, searchers }: Searched,
  { doubts, most, near }: Doubted & { readonly near: readonly (readonly Correction[])[] },
): Generator<QueryMatches> {
  const { query } = typed;
  const stage = (matches: Found): QueryMatches => ({ reach: 'corrected', matches });
  // If one word is unknown, the known ones are probably correct.
  const corrected = correcting(typed, vocabulary, searchers);
  const unknown = near.map((corrections, index) => (doubts[index] === 'unknown' ? corrections : []));
  if (doubts.includes('unknown')) yield stage(corrected(unknown));
  yield stage(corrected(near));

  const containing = planContaining(typed, vocabulary);
  if (containing) yield { reach: 'typed', matches: searchers.map((searcher) => searcher.typed(containing)) };

  const split = splitWord(query, vocabulary);
  if (split) {
    const plan = planTyped(split, vocabulary);
    yield stage(searchers.map((searcher) => searcher.corrected(plan, [split])));
  }

  const farWords = doubtfulFirst(doubts).slice(0, query.words.length > FAR_QUERY_WORDS_MAX ? 1 : FAR_WORDS_MAX);
  const far = query.words.map((word, index) =>
    !farWords.includes(index)
      ? near[index]
      : together(near[index], vocabulary.someTypos(word.text, word.isUnfinished)).slice(0, most),
  );
  const joined = query.words.length > 1 ? joinedCorrections(query, vocabulary) : [];
  for (const typosMax of [1, 2]) {
    const within = (some: readonly Correction[]) => some.filter(({ typos }) => typos <= typosMax);
    yield stage(corrected(far.map(within), within(joined)));
  }
  if (joined.length > 0) yield stage(joinedMatches(query, joined, { vocabulary, searchers }));
}

/** Corrections of the query as one name, with spaces at any position. */
function joinedCorrections({ joined }: Query, vocabulary: TermDictionary): Correction[] {
  return together(vocabulary.oneTypo(joined), vocabulary.someTypos(joined, false));
}

function joinedMatches(query: Query, joined: Correction[], { vocabulary, searchers }: Searched): Found {
  const one = queryOfWords([query.joined]);
  return correcting(planTyped(one, vocabulary), vocabulary, searchers)([joined]);
}

type Doubt = 'unknown' | 'uncommon' | 'common';

/** Candidates for correction, unknown words first. */
function doubtfulFirst(doubts: readonly Doubt[]): number[] {
  const places = (doubt: Doubt): number[] => doubts.flatMap((each, index) => (each === doubt ? [index] : []));
  return [...places('unknown'), ...places('uncommon')];
}

/** Frequent words are no typos; correcting them is expensive and rarely helps. */
function typoCandidates(typed: Plan, searchers: readonly Searcher[]): Doubt[] {
  const counted = searchers.map((searcher) => ({
    commonMin: Math.max(COMMON_MIN, searcher.documents() * COMMON_SHARE),
    counts: searcher.counts(typed),
  }));
  return typed.words.map((_, word) => {
    if (counted.some(({ counts, commonMin }) => counts[word].typed > commonMin)) return 'common';
    return counted.some(({ counts }) => counts[word].any > 0) ? 'uncommon' : 'unknown';
  });
}

/** Matches of a corrected query, and of names that the whole query may mean. Combinations already tried are skipped. */
function correcting(
  typed: Plan,
  vocabulary: TermDictionary,
  searchers: readonly Searcher[],
): (corrections: readonly (readonly Correction[])[], names?: readonly Correction[]) => Found {
  const tried = new Set<string>();
  const isNew = (key: string): boolean => !tried.has(key) && tried.add(key) !== undefined;
  return (corrections, names = []) => {
    const terms = corrections.map((some) => some.map(({ term, isBeginning }) => (isBeginning ? -term : term)));
    const queries = [...combinations(typed.query, corrections), ...names.map(({ word }) => [word])];
    const untried = queries.filter((words) => isNew(words.join(' ')));
    if (!isNew(JSON.stringify(terms)) && untried.length === 0) return [];
    const plan = planCorrected(typed, corrections, vocabulary);
    const corrected = untried.map((words) => queryOfWords(words));
    return searchers.map((searcher) => searcher.corrected(plan, corrected));
  };
}

function together(near: readonly Correction[], far: readonly Correction[]): Correction[] {
  return [...near, ...far.filter(({ word }) => !near.some((correction) => correction.word === word))];
}

/** Whole queries made of the likeliest corrections. */
function combinations(query: Query, corrections: readonly (readonly Correction[])[]): string[][] {
  let combined: string[][] = [[]];
  query.words.forEach((word, index) => {
    const choices = [
      word.text,
      ...corrections[index].filter(({ isBeginning }) => !isBeginning).map((correction) => correction.word),
    ];
    const few = choices.slice(0, 1 + COMBINED_PER_WORD_MAX);
    combined = few.flatMap((choice) => combined.map((words) => [...words, choice])).slice(0, COMBINATIONS_MAX);
  });
  return combined.slice(1);
}

/** The query with its first unknown word split into two known ones. */
function splitWord(query: Query, vocabulary: TermDictionary): Query | undefined {
  const words = query.words.map(({ text }) => text);
  let unknown = 0;
  for (const [index, word] of words.entries()) {
    if (word.length < SPLIT_LENGTH_MIN || vocabulary.withPrefix(word, 1).length > 0) continue;
    if (++unknown > SPLIT_WORDS_MAX) break;
    for (let cut = word.length - SPLIT_PART_MIN; cut >= SPLIT_PART_MIN; cut--) {
      const parts = [word.slice(0, cut), word.slice(cut)];
      if (parts.every((part) => vocabulary.find(wordTerm(part))))
        return queryOfWords(words.toSpliced(index, 1, ...parts));
    }
  }
  return undefined;
}

/**
 * Subsets of words to try in order: without typical additions and unknown words, then without one more, the most
 * frequent first. Keeps at least half of the required words, and every number.
 */
function fewerWords(plan: Plan, searchers: readonly Searcher[]): number[][] {
  const counts = searchers.map((searcher) => searcher.counts(plan));
  const total = (word: number) => counts.reduce((sum, some) => sum + some[word].any, 0);
  const known = plan.words.map((_, word) => word).filter((word) => total(word) > 0);
  const commonFirst = known.toSorted((one, other) => total(other) - total(one));
  const isNeeded = (word: number): boolean => plan.query.words[word]?.isAdded === false;
  const neededKnown = known.filter(isNeeded);
  const kept = neededKnown.length < known.length ? [neededKnown] : [];
  if (known.length < plan.words.length) kept.push(known);
  for (const dropped of commonFirst.slice(0, SINGLY_DROPPED_MAX)) kept.push(known.filter((word) => word !== dropped));
  for (let count = 2; count < commonFirst.length; count++)
    kept.push(known.filter((word) => !commonFirst.slice(0, count).includes(word)));
  const needed = plan.words.map((_, word) => word).filter(isNeeded).length;
  const keepsHalf = (words: readonly number[]): boolean => words.filter(isNeeded).length * 2 >= needed;
  const numbers = plan.words.map((_, word) => word).filter((word) => plan.query.words[word]?.isNumber);
  const keepsNumbers = (words: readonly number[]): boolean => numbers.every((word) => words.includes(word));
  return kept.filter((words) => words.length > 0 && keepsHalf(words) && keepsNumbers(words)).slice(0, FEWER_WORDS_MAX);
}
