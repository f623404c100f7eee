import type { PostingsReader } from '../sqlite/search/term-postings.ts';
import { KEY, type Matches, NO_MATCHES } from './matches.ts';
import { exactMatch, type NameMatch, type NameMatcher } from './name-matcher.ts';
import { type Query, type Shingle, shinglesOf } from './query.ts';
import type { QueryPlan } from './query-plan.ts';
import { type ClauseMatches, gatherTermMatches, type TermMatches } from './term-matches.ts';

export interface SearcherParts {
  readonly terms: Pick<PostingsReader, 'of'>;
  readonly nameMatcher: NameMatcher;
  /** Documents that match as if the query were their alias. */
  readonly named: readonly number[];
  documents(): number;
  /** Documents that match every clause, or have the name. */
  match(termMatches: TermMatches, nameMatches: readonly NameMatch[]): Matches;
}

/** Score penalty of a name match found by a correction. */
const CORRECTED_BONUS = -1;

export type Searcher = ReturnType<typeof createSearcher>;

export function createSearcher(parts: SearcherParts) {
  const { terms, nameMatcher } = parts;
  const known: Parameters<typeof gatherTermMatches>[2] = new Map();
  const termMatchesOf = onceFor((plan: QueryPlan) => gatherTermMatches(terms, plan, known));
  const exactMatches = onceFor((query: Query) => nameMatcher.exact(query));
  const matched = (termMatches: TermMatches, nameMatches: readonly NameMatch[]): Matches => {
    const isUnmatched = termMatches.clauses.length === 0 || termMatches.clauses.some(({ count }) => count === 0);
    return isUnmatched && nameMatches.length === 0 && !termMatches.namePrefix
      ? NO_MATCHES
      : parts.match(termMatches, nameMatches);
  };
  const namesOf = (plan: QueryPlan): NameMatch[] => [
    ...exactMatches(plan.query),
    ...parts.named.map((docId) => exactMatch(plan.query, { docId, kind: KEY.alias })),
    ...(termMatchesOf(plan).namePrefix ? [] : nameMatcher.startingWith(plan.query)),
  ];
  // An unknown token is more likely a typo than an optional one, so names inside the query have lower priority.
  const namesWithin = onceFor((plan: QueryPlan) => {
    const { clauses } = termMatchesOf(plan);
    const isKnown = clauses.length > 1 && clauses.every(({ count }) => count > 0);
    return isKnown ? nameMatcher.amongShingles(plan.query, shinglesWithNumbers(plan.query)) : [];
  });
  const isOfWhole = ({ scale }: NameMatch): boolean => scale === 1;
  const typed = onceFor((plan: QueryPlan) =>
    matched(termMatchesOf(plan), [...namesOf(plan), ...namesWithin(plan).filter(isOfWhole)]),
  );
  return {
    /** Documents with every token, or with the query, but for optional tokens, as their name. */
    typed,
    /** Like `typed`, with documents whose whole name is any part of the query. */
    typedOrNamed(plan: QueryPlan): Matches {
      const within = namesWithin(plan);
      return within.every(isOfWhole) ? typed(plan) : matched(termMatchesOf(plan), [...namesOf(plan), ...within]);
    },
    corrected(plan: QueryPlan, queries: readonly Query[]): Matches {
      const nameMatches = queries.flatMap((query) => [...nameMatcher.exact(query), ...nameMatcher.startingWith(query)]);
      const to = plan.clauses.length - 1;
      const weaker = nameMatches.map((one) => ({ ...one, bonus: one.bonus + CORRECTED_BONUS, from: 0, to }));
      return matched(gatherTermMatches(terms, plan, known), weaker);
    },
    /** Documents whose whole name is at least half of the query's letters, whatever the rest. */
    matchNames(plan: QueryPlan): Matches {
      const most = shinglesWithNumbers(plan.query).filter(({ key }) => key.length * 2 >= plan.query.joined.length);
      return matched(termMatchesOf(plan), nameMatcher.amongShingles(plan.query, most));
    },
    /** Documents that match the clauses of these tokens, by index. */
    matchSubset(plan: QueryPlan, tokens: readonly number[]): Matches {
      const { clauses } = termMatchesOf(plan);
      const kept = tokens.map((token, index) => atToken(clauses[token], index));
      return matched({ clauses: kept, keywords: [], namePrefix: undefined }, []);
    },
    /** Documents of each token as typed or its stem, and of any alternative, where one may count several times. */
    counts: (plan: QueryPlan) =>
      termMatchesOf(plan).clauses.map(({ count, typedCount }) => ({ any: count, typed: typedCount })),
    documents: parts.documents,
    /** Whether a document has the query as its name. */
    isName: (query: Query) => exactMatches(query).length > 0,
    /** Documents whose whole name is part of the query. */
    namesInQuery: ({ query }: QueryPlan) => nameMatcher.amongShingles(query, shinglesWithNumbers(query)),
  };
}

/** Shingles of a query that contain all its numbers: `Devcon 9` must not match a record named Devcon. */
function shinglesWithNumbers(query: Query): readonly Shingle[] {
  if (!query.tokens.some(({ isNumber }) => isNumber)) return shinglesOf(query);
  return shinglesOf(query).filter(({ from, to }) =>
    query.tokens.every(({ isNumber }, token) => !isNumber || (token >= from && token <= to)),
  );
}

/** Caches the result for the last argument, because several relaxations share a plan. */
function onceFor<Argument, Result>(work: (argument: Argument) => Result): (argument: Argument) => Result {
  let last: { argument: Argument; result: Result } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: work(argument) };
    return last.result;
  };
}

/** The matches of a clause as those of another token. */
function atToken(clause: ClauseMatches, token: number): ClauseMatches {
  return {
    ...clause,
    postings: clause.postings.map((weighted) => ({ ...weighted, from: token, to: token })),
  };
}
