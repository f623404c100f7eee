import { type Matches, NO_MATCHES, roundScore, type ScoredDocument } from './matches.ts';
import type { Plan } from './plan.ts';
import type { Searcher } from './relaxations.ts';
import { inverseDocumentFrequency, NAME_IN_QUERY_WEIGHT, SCORE_TIER } from './scoring.ts';

/** Most documents of a token that are scanned; more frequent tokens only add to the scores of documents of others. */
const SCANNED_MAX = 2_048;

/**
 * Documents that match any clause of a plan and all of its numbers. Rarer tokens weigh more; names that are part of
 * the text weigh most. The total is exact.
 */
export function matchAny(plan: Plan, searcher: Searcher): Matches {
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
  // A query of nothing but names, such as those of a comparison, is for these records.
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
  };
}
