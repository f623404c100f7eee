import { type Matches, NO_MATCHES } from './matches.ts';
import type { NameMatch, NameMatcher } from './name-matcher.ts';
import type { Plan } from './plan.ts';
import { type Query, type Shingle, shinglesOf } from './query.ts';
import type { Searcher } from './relaxations.ts';
import {
  gatherTermMatches,
  type PostingsLookup,
  type TermMatches,
  type TermStatistics,
  type WordMatches,
} from './term-matches.ts';

/** Access to one type in an engine. */
export interface SearcherParts<Lists extends TermStatistics> {
  readonly terms: PostingsLookup<Lists>;
  readonly nameMatcher: NameMatcher;
  documents(): number;
  /** Documents with every word, or with the query as name. */
  match(termMatches: TermMatches<Lists>, nameMatches: readonly NameMatch[]): Matches;
}

/** Score penalty of a name match found by a correction. */
const CORRECTED_BONUS = -1;

/** Creates the search operations of one type. */
export function createSearcher<Lists extends TermStatistics>(parts: SearcherParts<Lists>): Searcher {
  const { terms, nameMatcher } = parts;
  const known: Parameters<typeof gatherTermMatches<Lists>>[2] = new Map();
  const termMatchesOf = onceFor((plan: Plan) => gatherTermMatches(terms, plan, known));
  const matched = (termMatches: TermMatches<Lists>, nameMatches: readonly NameMatch[]): Matches => {
    const isWordless = termMatches.words.length === 0 || termMatches.words.some(({ count }) => count === 0);
    return isWordless && nameMatches.length === 0 && !termMatches.namePrefix
      ? NO_MATCHES
      : parts.match(termMatches, nameMatches);
  };
  return {
    typed(plan) {
      const termMatches = termMatchesOf(plan);
      const nameMatches = [
        ...nameMatcher.exact(plan.query),
        ...(termMatches.namePrefix ? [] : nameMatcher.startingWith(plan.query)),
      ];
      // An unknown word is more likely a typo than an addition, so names inside the query have lower priority.
      const isKnown = termMatches.words.every(({ count }) => count > 0);
      if (isKnown && termMatches.words.length > 1)
        nameMatches.push(...nameMatcher.amongShingles(plan.query, shinglesWithNumbers(plan.query)));
      return matched(termMatches, nameMatches);
    },
    corrected(plan, queries) {
      const nameMatches = queries.flatMap((query) => [...nameMatcher.exact(query), ...nameMatcher.startingWith(query)]);
      const to = plan.words.length - 1;
      const weaker = nameMatches.map((one) => ({ ...one, bonus: one.bonus + CORRECTED_BONUS, from: 0, to }));
      return matched(gatherTermMatches(terms, plan, known), weaker);
    },
    matchNames(plan) {
      const most = shinglesWithNumbers(plan.query).filter(({ key }) => key.length * 2 >= plan.query.joined.length);
      return matched(termMatchesOf(plan), nameMatcher.amongShingles(plan.query, most));
    },
    dropTerms(plan, words) {
      const termMatches = termMatchesOf(plan).words;
      const kept = words.map((word, place) => atToken(termMatches[word], place));
      return matched({ words: kept, keywords: [], namePrefix: undefined }, []);
    },
    counts: (plan) => termMatchesOf(plan).words.map(({ count, typedCount }) => ({ any: count, typed: typedCount })),
    documents: parts.documents,
    isName: (query) => nameMatcher.exact(query).length > 0,
    namesInQuery: ({ query }) => nameMatcher.amongShingles(query, shinglesWithNumbers(query)),
  };
}

/** Shingles of a query that contain all its numbers: `Devcon 9` must not match a record named Devcon. */
function shinglesWithNumbers(query: Query): readonly Shingle[] {
  if (!query.words.some(({ isNumber }) => isNumber)) return shinglesOf(query);
  return shinglesOf(query).filter(({ from, to }) =>
    query.words.every(({ isNumber }, word) => !isNumber || (word >= from && word <= to)),
  );
}

/** Caches the result for the last argument, because several relaxations share a plan. */
function onceFor<Argument, Answer>(work: (argument: Argument) => Answer): (argument: Argument) => Answer {
  let last: { argument: Argument; answer: Answer } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, answer: work(argument) };
    return last.answer;
  };
}

/** Moves matches of a word to another position in the query. */
function atToken<Lists extends TermStatistics>(termMatches: WordMatches<Lists>, place: number): WordMatches<Lists> {
  return {
    ...termMatches,
    postings: termMatches.postings.map((weighted) => ({ ...weighted, from: place, to: place })),
  };
}
