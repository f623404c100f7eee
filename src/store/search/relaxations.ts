import { matchAnyWord } from './any-words.ts';
import type { NameMatch } from './identities.ts';
import { type Matches, NO_MATCHES, type QueryMatches, type Relaxation } from './matches.ts';
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

/** Search in one type, in the words of the stages. */
export interface Searcher {
  typed(plan: Plan): Matches;
  corrected(plan: Plan, queries: readonly Query[]): Matches;
  /** Records whose whole name is most of the query, whatever else is in it. */
  named(plan: Plan): Matches;
  dropTerms(plan: Plan, words: readonly number[]): Matches;
  /** How many records have each word; those with the word as it was typed come first. */
  counts(plan: Plan): WordCount[];
  documents(): number;
  /** Whether some record is called like the query. */
  isName(query: Query): boolean;
  /** Records whose whole name is a part of the query. */
  nameParts(plan: Plan): readonly NameMatch[];
}

interface WordCount {
  typed: number;
  any: number;
}

type Found = Matches[];

/** What a text is searched with that is no sentence. */
const PLAIN_REACHES: readonly Relaxation[] = ['typed', 'corrected', 'some'];

const COMBINATIONS_MAX = 12;
const COMBINED_PER_WORD_MAX = 3;
/** Corrections of a whole query; each costs a look at its lists. */
const CORRECTIONS_MAX = 32;
const CORRECTIONS_PER_WORD_MIN = 4;
const COMMON_MIN = 16;
const COMMON_SHARE = 1 / 2_000;
/** How many ways of leaving words out are tried. */
const SINGLY_DROPPED_MAX = 3;
const FEWER_WORDS_MAX = 5;
const SHORT_LENGTH_MAX = 2;
/** Looking for far typos costs most, so in a longer query fewer words are looked up: it has others to be found by. */
const FAR_WORDS_MAX = 3;
const FAR_QUERY_WORDS_MAX = 6;
/** And for words with one typo. */
const NEAR_WORDS_MAX = 6;
/** Records with a word, above which the names that it is a part of are not looked for. */
const CONTAINED_MAX = 2_048;
/** Longer words are a part of hardly any name that does not begin with them. */
const CONTAINED_LENGTH_MAX = 6;
const SPLIT_LENGTH_MIN = 5;
const SPLIT_PART_MIN = 2;
/** Unknown words that are cut at every place. */
const SPLIT_WORDS_MAX = 3;

/**
 * What a query matches in each type. The first stage that finds anything in any type decides, so a query has
 * one answer and one total: as typed, one typo a word, two words written as one, more typos, a part inside a name, a name
 * with other words around it, fewer words. Only stages within the given reaches are tried.
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
    yield { reach: 'some', matches: searchers.map((searcher) => searcher.named(typed)) };
    for (const words of fewerWords(plan, searchers))
      yield { reach: 'some', matches: searchers.map((searcher) => searcher.dropTerms(plan, words)) };
  }
  if (reaches.includes('any'))
    yield { reach: 'any', matches: searchers.map((searcher) => matchAnyWord(plan, searcher)) };
}

/**
 * The plan of the words as they were typed. A word alone that some records have, and that is no name, also stands for the
 * names that it is a part of; where very many have it, those would come too late to be seen.
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

/** What is known of the words before any is corrected. */
interface Doubted {
  readonly doubts: readonly Doubt[];
  /** Corrections of one word. */
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
  // Beside a word that nobody has, those that somebody has are probably right.
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

/** The query as one misspelt name whose spaces may stand anywhere. */
function joinedCorrections({ joined }: Query, vocabulary: TermDictionary): Correction[] {
  return together(vocabulary.oneTypo(joined), vocabulary.someTypos(joined, false));
}

function joinedMatches(query: Query, joined: Correction[], { vocabulary, searchers }: Searched): Found {
  const one = queryOfWords([query.joined]);
  return correcting(planTyped(one, vocabulary), vocabulary, searchers)([joined]);
}

type Doubt = 'unknown' | 'uncommon' | 'common';

/** Words that may be misspelt, those that nobody has first. */
function doubtfulFirst(doubts: readonly Doubt[]): number[] {
  const places = (doubt: Doubt): number[] => doubts.flatMap((each, index) => (each === doubt ? [index] : []));
  return [...places('unknown'), ...places('uncommon')];
}

/** A word that many records have is no typo: to correct it would cost most and help least. */
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

/** Matches of a query with corrections, and of names that all of it may mean. What was tried before found nothing, so it is not tried again. */
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

/** Whole queries that the likeliest corrections make. */
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

/** The query with its first unknown word cut in two known ones. */
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
 * Words to keep, by stage: without those merely added and the unknown ones, then without one more, the commonest
 * first. At least half of the needed ones stay, and every number.
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
