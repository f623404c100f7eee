import { type Matches, NO_MATCHES } from './matches.ts';
import type { NameMatch, NameMatcher } from './name-matcher.ts';
import type { Plan } from './plan.ts';
import { type Query, type Shingle, shinglesOf } from './query.ts';
import type { Searcher } from './relaxations.ts';
import {
  type Counted,
  gatherTermMatches,
  type PostingSource,
  type TermMatches,
  type WordMatches,
} from './term-matches.ts';

/** Access to one type in an engine. */
export interface SearcherParts<Lists extends Counted> {
  readonly terms: PostingSource<Lists>;
  readonly nameMatcher: NameMatcher;
  documents(): number;
  /** Documents with every word, or with the query as name. */
  match(evidence: TermMatches<Lists>, nameMatches: readonly NameMatch[]): Matches;
}

/** Score penalty of a name match found by a correction. */
const CORRECTED_BONUS = -1;

/** Creates the search operations of one type. */
export function createSearcher<Lists extends Counted>(parts: SearcherParts<Lists>): Searcher {
  const { terms, nameMatcher } = parts;
  const known: Parameters<typeof gatherTermMatches<Lists>>[2] = new Map();
  const evidenceOf = onceFor((plan: Plan) => gatherTermMatches(terms, plan, known));
  const matched = (evidence: TermMatches<Lists>, nameMatches: readonly NameMatch[]): Matches => {
    const isWordless = evidence.words.length === 0 || evidence.words.some(({ count }) => count === 0);
    return isWordless && nameMatches.length === 0 && !evidence.start ? NO_MATCHES : parts.match(evidence, nameMatches);
  };
  return {
    typed(plan) {
      const evidence = evidenceOf(plan);
      const nameMatches = [
        ...nameMatcher.exact(plan.query),
        ...(evidence.start ? [] : nameMatcher.startingWith(plan.query)),
      ];
      // An unknown word is more likely a typo than an addition, so names inside the query have lower priority.
      const isKnown = evidence.words.every(({ count }) => count > 0);
      if (isKnown && evidence.words.length > 1)
        nameMatches.push(...nameMatcher.amongShingles(plan.query, shinglesWithNumbers(plan.query)));
      return matched(evidence, nameMatches);
    },
    corrected(plan, queries) {
      const nameMatches = queries.flatMap((query) => [...nameMatcher.exact(query), ...nameMatcher.startingWith(query)]);
      const to = plan.words.length - 1;
      const weaker = nameMatches.map((one) => ({ ...one, bonus: one.bonus + CORRECTED_BONUS, from: 0, to }));
      return matched(gatherTermMatches(terms, plan, known), weaker);
    },
    matchNames(plan) {
      const most = shinglesWithNumbers(plan.query).filter(({ key }) => key.length * 2 >= plan.query.joined.length);
      return matched(evidenceOf(plan), nameMatcher.amongShingles(plan.query, most));
    },
    dropTerms(plan, words) {
      const evidence = evidenceOf(plan).words;
      const kept = words.map((word, place) => standingAt(evidence[word], place));
      return matched({ words: kept, keywords: [], start: undefined }, []);
    },
    counts: (plan) => evidenceOf(plan).words.map(({ count, countTyped }) => ({ any: count, typed: countTyped })),
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
function standingAt<Lists extends Counted>(evidence: WordMatches<Lists>, place: number): WordMatches<Lists> {
  return { ...evidence, sources: evidence.sources.map((source) => ({ ...source, from: place, to: place })) };
}
