import { NAME_PART_WEIGHT, rarity } from './layers.ts';
import { type Matches, NO_MATCHES, roundScore, type Scored } from './matches.ts';
import type { Plan } from './plan.ts';
import type { Searcher } from './relaxations.ts';

/** Documents of a word to scan; more frequent words only add to the scores of others. */
const EACH_MAX = 2_048;

/**
 * Documents with any word of a plan and all of its numbers. Rarer words weigh more; names that are part of the text
 * weigh most. The total is exact.
 */
export function matchAnyWord(plan: Plan, searcher: Searcher): Matches {
  const numbers = plan.query.words.flatMap(({ isNumber }, word) => (isNumber ? [word] : []));
  const documents = searcher.documents();
  const asked = searcher
    .counts(plan)
    .map(({ typed, any }, word) => ({ word, any, weight: rarity(documents, typed || any) }))
    .filter(({ any, word }) => any > 0 && (!numbers.includes(word) || numbers.length === plan.words.length));
  const each = asked
    .map(({ word, weight }) => {
      const matches = searcher.dropTerms(plan, [...new Set([word, ...numbers])]);
      return { word, weight, matches };
    })
    .filter(({ matches }) => matches.total > 0)
    .sort((one, other) => one.matches.total - other.matches.total);
  const [rarest] = each;
  if (rarest === undefined) return NO_MATCHES;
  if (rarest.matches.total > EACH_MAX) return rarest.matches;
  return listed(addUp(each, searcher.namesInQuery(plan)));
}

interface WordMatches {
  readonly word: number;
  readonly weight: number;
  readonly matches: Matches;
}

function addUp(each: readonly WordMatches[], nameMatches: ReturnType<Searcher['namesInQuery']>): Scored[] {
  const scores = new Map<number, number>();
  for (const { weight, matches } of each) {
    const isWhole = matches.total <= EACH_MAX;
    for (const { docId, score } of matches.page(0, EACH_MAX)) {
      const known = scores.get(docId);
      if (isWhole || known !== undefined) scores.set(docId, (known ?? 0) + weight * score);
    }
  }
  for (const { docId, from, to } of nameMatches) {
    const known = scores.get(docId);
    const worth = each.reduce((sum, { word, weight }) => sum + (word >= from && word <= to ? weight : 0), 0);
    if (known !== undefined) scores.set(docId, known + (NAME_PART_WEIGHT - 1) * worth);
  }
  const sum = each.reduce((total, { weight }) => total + weight, 0);
  return [...scores].map(([docId, score]) => ({ docId, score: roundScore(score / sum) }));
}

function listed(scored: readonly Scored[]): Matches {
  const ordered = scored.toSorted((one, other) => other.score - one.score || one.docId - other.docId);
  return {
    total: ordered.length,
    isFound: ordered.length > 0,
    page: (offset, limit) => ordered.slice(offset, offset + limit),
  };
}
