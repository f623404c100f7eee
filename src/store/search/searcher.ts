import type { Identities, NameMatch } from './identities.ts';
import { type Matches, NO_MATCHES } from './matches.ts';
import type { Plan } from './plan.ts';
import { partsOf, type Query, type QueryPart } from './query.ts';
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
  readonly identities: Identities;
  documents(): number;
  /** Documents with every word, or with the query as name. */
  match(evidence: TermMatches<Lists>, called: readonly NameMatch[]): Matches;
}

/** Score penalty of a name match found by a correction. */
const CORRECTED_BONUS = -1;

/** Creates the search operations of one type. */
export function createSearcher<Lists extends Counted>(parts: SearcherParts<Lists>): Searcher {
  const { terms, identities } = parts;
  const known: Parameters<typeof gatherTermMatches<Lists>>[2] = new Map();
  const evidenceOf = onceFor((plan: Plan) => gatherTermMatches(terms, plan, known));
  const matched = (evidence: TermMatches<Lists>, called: readonly NameMatch[]): Matches => {
    const isWordless = evidence.words.length === 0 || evidence.words.some(({ count }) => count === 0);
    return isWordless && called.length === 0 && !evidence.start ? NO_MATCHES : parts.match(evidence, called);
  };
  return {
    typed(plan) {
      const evidence = evidenceOf(plan);
      const called = [...identities.whole(plan.query), ...(evidence.start ? [] : identities.starting(plan.query))];
      // An unknown word is more likely a typo than an addition, so names inside the query have lower priority.
      const isKnown = evidence.words.every(({ count }) => count > 0);
      if (isKnown && evidence.words.length > 1) called.push(...identities.parts(plan.query, numberedParts(plan.query)));
      return matched(evidence, called);
    },
    corrected(plan, queries) {
      const called = queries.flatMap((query) => [...identities.whole(query), ...identities.starting(query)]);
      const to = plan.words.length - 1;
      const weaker = called.map((one) => ({ ...one, bonus: one.bonus + CORRECTED_BONUS, from: 0, to }));
      return matched(gatherTermMatches(terms, plan, known), weaker);
    },
    named(plan) {
      const most = numberedParts(plan.query).filter(({ key }) => key.length * 2 >= plan.query.joined.length);
      return matched(evidenceOf(plan), identities.parts(plan.query, most));
    },
    dropTerms(plan, words) {
      const evidence = evidenceOf(plan).words;
      const kept = words.map((word, place) => standingAt(evidence[word], place));
      return matched({ words: kept, keywords: [], start: undefined }, []);
    },
    counts: (plan) => evidenceOf(plan).words.map(({ count, countTyped }) => ({ any: count, typed: countTyped })),
    documents: parts.documents,
    isName: (query) => identities.whole(query).length > 0,
    nameParts: ({ query }) => identities.parts(query, numberedParts(query)),
  };
}

/** Parts of a query that contain all its numbers: `Devcon 9` must not match a record named Devcon. */
function numberedParts(query: Query): readonly QueryPart[] {
  if (!query.words.some(({ isNumber }) => isNumber)) return partsOf(query);
  return partsOf(query).filter(({ from, to }) =>
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
