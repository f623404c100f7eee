import { INFIX_LENGTH } from './infixes.ts';
import {
  inverseDocumentFrequency,
  type Matches,
  NAME_IN_QUERY_WEIGHT,
  NO_MATCHES,
  type QueryMatches,
  type Relaxation,
  roundScore,
  SCORE_TIER,
  type ScoredDocument,
  wordTerm,
} from './matches.ts';
import { type Query, queryOfTokens } from './query.ts';
import {
  type Correction,
  planCorrected,
  planInfix,
  planTyped,
  type QueryPlan,
  type TermDictionary,
} from './query-plan.ts';
import type { Searcher } from './searcher.ts';

/** Relaxations of a text that is not a sentence. */
const PLAIN_RELAXATIONS: readonly Relaxation[] = ['typed', 'corrected', 'some'];

const COMBINATIONS_MAX = 12;
const COMBINED_PER_TOKEN_MAX = 3;
/** Maximum corrected queries; each costs posting list look-ups. */
const CORRECTIONS_MAX = 32;
const CORRECTIONS_PER_TOKEN_MIN = 4;
const COMMON_MIN = 16;
const COMMON_SHARE = 1 / 2_000;
/** Most tokens that are dropped alone, in turn. */
const DROPPED_ONE_MAX = 3;
const SUBSETS_MAX = 5;
const SHORT_TOKEN_LENGTH_MAX = 2;
/** Two-typo look-ups are expensive, so they are limited to a few tokens. */
const TWO_TYPO_TOKENS_MAX = 3;
const LONG_QUERY_TOKENS = 6;
/** Most tokens looked up with one typo. */
const ONE_TYPO_TOKENS_MAX = 6;
/** Above this document count, no infix matches are added. */
const INFIX_DOCUMENTS_MAX = 2_048;
/** Longer tokens rarely occur inside other words. */
const INFIX_LENGTH_MAX = 6;
const SPLIT_LENGTH_MIN = 5;
const SPLIT_PART_MIN = 2;
/** Most unknown tokens that are split, at every position. */
const SPLIT_TOKENS_MAX = 3;

/**
 * Finds the matches of a query per type. The first relaxation with a match in any type is used for all, so that a query
 * has one result and one total: as typed, one typo per token, infixes of names, one token split in two, more typos,
 * all tokens joined, names within the query, fewer tokens, any token. Limited to the given relaxations.
 */
export function findMatches(
  query: Query,
  { dictionary, searchers }: Searched,
  allowed: readonly Relaxation[] = PLAIN_RELAXATIONS,
): QueryMatches {
  for (const attempt of relax(query, { dictionary, searchers }, allowed)) {
    if (attempt.matches.some(({ isTextMatched }) => isTextMatched)) return attempt;
  }
  return { relaxation: 'typed', matches: searchers.map(() => NO_MATCHES) };
}

interface Searched {
  readonly dictionary: TermDictionary;
  readonly searchers: readonly Searcher[];
}

function* relax(query: Query, searched: Searched, allowed: readonly Relaxation[]): Generator<QueryMatches> {
  const { dictionary, searchers } = searched;
  const typed = planAsTyped(query, { dictionary, searchers });
  const isWhole = searchers.some((searcher) => searcher.typed(typed).isTextMatched);
  // Names within the query stand beside matches of the whole; alone, they are approximate.
  const named = isWhole ? 'typed' : 'some';
  if (allowed.includes(named))
    yield { relaxation: named, matches: searchers.map((searcher) => searcher.typedOrNamed(typed)) };
  if (query.tokens.length === 0 || allowed.every((relaxation) => relaxation === 'typed')) return;

  const frequencies = frequenciesOf(typed, searchers);
  const correctionsMax = Math.max(CORRECTIONS_PER_TOKEN_MIN, Math.floor(CORRECTIONS_MAX / query.tokens.length));
  const near = oneTypoCorrections(query, dictionary, { frequencies, correctionsMax });
  if (allowed.includes('corrected'))
    yield* correctedMatches(typed, { dictionary, searchers }, { frequencies, correctionsMax, near });
  const plan = planCorrected(typed, near, dictionary);
  if (allowed.includes('some')) {
    yield { relaxation: 'some', matches: searchers.map((searcher) => searcher.matchNames(typed)) };
    for (const tokens of tokenSubsets(plan, searchers))
      yield { relaxation: 'some', matches: searchers.map((searcher) => searcher.matchSubset(plan, tokens)) };
  }
  if (allowed.includes('any'))
    yield { relaxation: 'any', matches: searchers.map((searcher) => matchAny(plan, searcher)) };
}

/**
 * The plan of the tokens as typed. A single known token that is no name also matches names that contain it, unless it is
 * very frequent, where those would rank too low to matter.
 */
function planAsTyped(query: Query, { dictionary, searchers }: Searched): QueryPlan {
  const typed = planTyped(query, dictionary);
  const [token, ...others] = query.tokens;
  if (token === undefined || others.length > 0) return typed;
  if (token.text.length < INFIX_LENGTH || token.text.length > INFIX_LENGTH_MAX) return typed;
  const counts = searchers.map((searcher) => searcher.counts(typed)[0].any);
  const isRareEnough = counts.some((count) => count > 0) && counts.every((count) => count <= INFIX_DOCUMENTS_MAX);
  if (!isRareEnough || searchers.some((searcher) => searcher.isName(query))) return typed;
  return planInfix(typed, dictionary) ?? typed;
}

interface CorrectionScope {
  /** By token of the query. */
  readonly frequencies: readonly Frequency[];
  readonly correctionsMax: number;
}

function oneTypoCorrections(query: Query, dictionary: TermDictionary, scope: CorrectionScope): Correction[][] {
  const { frequencies, correctionsMax } = scope;
  const oneTypoTokens = correctableTokens(frequencies).slice(0, ONE_TYPO_TOKENS_MAX);
  return query.tokens.map(({ text }, index) => {
    const isTooShort = text.length <= SHORT_TOKEN_LENGTH_MAX && query.tokens.length === 1;
    return oneTypoTokens.includes(index) && !isTooShort ? dictionary.oneTypo(text).slice(0, correctionsMax) : [];
  });
}

function* correctedMatches(
  typed: QueryPlan,
  { dictionary, searchers }: Searched,
  { frequencies, correctionsMax, near }: CorrectionScope & { readonly near: readonly (readonly Correction[])[] },
): Generator<QueryMatches> {
  const { query } = typed;
  const attempt = (matches: Matches[]): QueryMatches => ({ relaxation: 'corrected', matches });
  // If one token is unknown, the known ones are probably correct.
  const corrected = correcting(typed, dictionary, searchers);
  const unknown = near.map((corrections, index) => (frequencies[index] === 'unknown' ? corrections : []));
  if (frequencies.includes('unknown')) yield attempt(corrected(unknown));
  yield attempt(corrected(near));

  const containing = planInfix(typed, dictionary);
  if (containing) yield { relaxation: 'typed', matches: searchers.map((searcher) => searcher.typed(containing)) };

  const split = splitToken(query, dictionary);
  if (split) {
    const plan = planTyped(split, dictionary);
    yield attempt(searchers.map((searcher) => searcher.corrected(plan, [split])));
  }

  const twoTypoTokens = correctableTokens(frequencies).slice(
    0,
    query.tokens.length > LONG_QUERY_TOKENS ? 1 : TWO_TYPO_TOKENS_MAX,
  );
  const far = query.tokens.map((token, index) =>
    !twoTypoTokens.includes(index)
      ? near[index]
      : mergeCorrections(near[index], dictionary.someTypos(token.text, token.isUnfinished)).slice(0, correctionsMax),
  );
  const joined = query.tokens.length > 1 ? joinedCorrections(query, dictionary) : [];
  for (const typosMax of [1, 2]) {
    const within = (some: readonly Correction[]) => some.filter(({ typos }) => typos <= typosMax);
    yield attempt(corrected(far.map(within), within(joined)));
  }
  if (joined.length > 0) yield attempt(joinedMatches(query, joined, { dictionary, searchers }));
}

/** Corrections of the query as one name, with spaces at any position. */
const joinedCorrections = ({ joined }: Query, dictionary: TermDictionary): Correction[] =>
  mergeCorrections(dictionary.oneTypo(joined), dictionary.someTypos(joined, false));

function joinedMatches(query: Query, joined: Correction[], { dictionary, searchers }: Searched): Matches[] {
  const one = queryOfTokens([query.joined]);
  return correcting(planTyped(one, dictionary), dictionary, searchers)([joined]);
}

type Frequency = 'unknown' | 'uncommon' | 'common';

/** Indexes of the tokens to correct, unknown ones first. */
function correctableTokens(frequencies: readonly Frequency[]): number[] {
  const tokensWith = (frequency: Frequency): number[] =>
    frequencies.flatMap((each, index) => (each === frequency ? [index] : []));
  return [...tokensWith('unknown'), ...tokensWith('uncommon')];
}

/** Frequent tokens are no typos; correcting them is expensive and rarely helps. */
function frequenciesOf(typed: QueryPlan, searchers: readonly Searcher[]): Frequency[] {
  const counted = searchers.map((searcher) => ({
    commonMin: Math.max(COMMON_MIN, searcher.documents() * COMMON_SHARE),
    counts: searcher.counts(typed),
  }));
  return typed.clauses.map((_, token) => {
    if (counted.some(({ counts, commonMin }) => counts[token].typed > commonMin)) return 'common';
    return counted.some(({ counts }) => counts[token].any > 0) ? 'uncommon' : 'unknown';
  });
}

/** Matches of a corrected query, and of names that the whole query may mean. Combinations already tried are skipped. */
function correcting(
  typed: QueryPlan,
  dictionary: TermDictionary,
  searchers: readonly Searcher[],
): (corrections: readonly (readonly Correction[])[], names?: readonly Correction[]) => Matches[] {
  const tried = new Set<string>();
  const isNew = (key: string): boolean => !tried.has(key) && tried.add(key) !== undefined;
  return (corrections, names = []) => {
    const terms = corrections.map((some) => some.map(({ term, isPrefix }) => (isPrefix ? -term : term)));
    const queries = [...combinations(typed.query, corrections), ...names.map(({ word }) => [word])];
    const untried = queries.filter((tokens) => isNew(tokens.join(' ')));
    if (!isNew(JSON.stringify(terms)) && untried.length === 0) return [];
    const plan = planCorrected(typed, corrections, dictionary);
    const corrected = untried.map((tokens) => queryOfTokens(tokens));
    return searchers.map((searcher) => searcher.corrected(plan, corrected));
  };
}

const mergeCorrections = (near: readonly Correction[], far: readonly Correction[]): Correction[] => [
  ...near,
  ...far.filter(({ word }) => !near.some((correction) => correction.word === word)),
];

/** Whole queries made of the likeliest corrections. */
function combinations(query: Query, corrections: readonly (readonly Correction[])[]): string[][] {
  let combined: string[][] = [[]];
  query.tokens.forEach((token, index) => {
    const choices = [
      token.text,
      ...corrections[index].filter(({ isPrefix }) => !isPrefix).map((correction) => correction.word),
    ];
    const few = choices.slice(0, 1 + COMBINED_PER_TOKEN_MAX);
    combined = few.flatMap((choice) => combined.map((tokens) => [...tokens, choice])).slice(0, COMBINATIONS_MAX);
  });
  return combined.slice(1);
}

/** The query with its first unknown token split into two known words. */
function splitToken(query: Query, dictionary: TermDictionary): Query | undefined {
  const tokens = query.tokens.map(({ text }) => text);
  let unknown = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.length < SPLIT_LENGTH_MIN || dictionary.withPrefix(token, 1).length > 0) continue;
    if (++unknown > SPLIT_TOKENS_MAX) break;
    for (let cut = token.length - SPLIT_PART_MIN; cut >= SPLIT_PART_MIN; cut--) {
      const parts = [token.slice(0, cut), token.slice(cut)];
      if (parts.every((part) => dictionary.find(wordTerm(part))))
        return queryOfTokens(tokens.toSpliced(index, 1, ...parts));
    }
  }
  return undefined;
}

/**
 * Subsets of tokens to try in order, by index: without optional and unknown tokens, then without one more, the most
 * frequent first. Keeps at least half of the required tokens, and every number.
 */
function tokenSubsets(plan: QueryPlan, searchers: readonly Searcher[]): number[][] {
  const counts = searchers.map((searcher) => searcher.counts(plan));
  const total = (token: number) => counts.reduce((sum, some) => sum + some[token].any, 0);
  const known = plan.clauses.map((_, token) => token).filter((token) => total(token) > 0);
  const commonFirst = known.toSorted((one, other) => total(other) - total(one));
  const isRequired = (token: number): boolean => plan.query.tokens[token]?.isOptional === false;
  const requiredKnown = known.filter(isRequired);
  const kept = requiredKnown.length < known.length ? [requiredKnown] : [];
  if (known.length < plan.clauses.length) kept.push(known);
  for (const dropped of commonFirst.slice(0, DROPPED_ONE_MAX)) kept.push(known.filter((token) => token !== dropped));
  for (let count = 2; count < commonFirst.length; count++)
    kept.push(known.filter((token) => !commonFirst.slice(0, count).includes(token)));
  const required = plan.clauses.map((_, token) => token).filter(isRequired).length;
  const keepsHalf = (tokens: readonly number[]): boolean => tokens.filter(isRequired).length * 2 >= required;
  const numbers = plan.clauses.map((_, token) => token).filter((token) => plan.query.tokens[token]?.isNumber);
  const keepsNumbers = (tokens: readonly number[]): boolean => numbers.every((token) => tokens.includes(token));
  return kept.filter((tokens) => tokens.length > 0 && keepsHalf(tokens) && keepsNumbers(tokens)).slice(0, SUBSETS_MAX);
}

/** Most documents of a token that are scanned; more frequent tokens only add to the scores of documents of others. */
const SCANNED_MAX = 2_048;

/** Documents that match any clause of a plan and all of its numbers; rarer tokens and names weigh more. */
function matchAny(plan: QueryPlan, searcher: Searcher): Matches {
  const numbers = plan.query.tokens.flatMap(({ isNumber }, token) => (isNumber ? [token] : []));
  const documents = searcher.documents();
  const knownTokens = searcher
    .counts(plan)
    .map(({ typed, any }, token) => ({ token, any, weight: inverseDocumentFrequency(documents, typed || any) }))
    .filter(({ any, token }) => any > 0 && (!numbers.includes(token) || numbers.length === plan.clauses.length));
  const each = knownTokens
    .map(({ token, weight }) => {
      const matches = searcher.matchSubset(plan, [...new Set([token, ...numbers])]);
      return { token, weight, matches };
    })
    .filter(({ matches }) => matches.total > 0)
    .sort((one, other) => one.matches.total - other.matches.total);
  const [rarest] = each;
  if (rarest === undefined) return NO_MATCHES;
  if (rarest.matches.total > SCANNED_MAX) return rarest.matches;
  return matchesOf(sumScores(each, searcher.namesInQuery(plan)));
}

function sumScores(
  each: readonly { readonly token: number; readonly weight: number; readonly matches: Matches }[],
  nameMatches: ReturnType<Searcher['namesInQuery']>,
): ScoredDocument[] {
  const scores = new Map<number, number>();
  for (const { weight, matches } of each) {
    const isWhole = matches.total <= SCANNED_MAX;
    for (const { docId, score } of matches.page(0, SCANNED_MAX)) {
      const known = scores.get(docId);
      if (isWhole || known !== undefined) scores.set(docId, (known ?? 0) + weight * score);
    }
  }
  const sum = each.reduce((total, { weight }) => total + weight, 0);
  // A query that consists of names only, as in a comparison, is for these records.
  const isOfNames = each.every(({ token }) => nameMatches.some(({ from, to }) => token >= from && token <= to));
  const tier = isOfNames ? SCORE_TIER.namePrefix * sum : 0;
  for (const { docId, from, to } of nameMatches) {
    const known = scores.get(docId);
    const worth = each.reduce((total, { token, weight }) => total + (token >= from && token <= to ? weight : 0), 0);
    if (known !== undefined) scores.set(docId, known + (NAME_IN_QUERY_WEIGHT - 1) * worth + tier);
  }
  return [...scores].map(([docId, score]) => ({ docId, score: roundScore(score / sum) }));
}

function matchesOf(scored: readonly ScoredDocument[]): Matches {
  const ordered = scored.toSorted((one, other) => other.score - one.score || one.docId - other.docId);
  return {
    total: ordered.length,
    isTextMatched: ordered.length > 0,
    page: (offset, limit) => ordered.slice(offset, offset + limit),
    docIds: () => Uint32Array.from(ordered, ({ docId }) => docId).sort(),
  };
}
