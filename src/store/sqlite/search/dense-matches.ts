import { addToGroup } from '../../../contract/group-by.ts';
import {
  FIELD,
  FIELD_WEIGHT,
  type Matches,
  roundScore,
  SCORE_TIER,
  type ScoredDocument,
} from '../../search/matches.ts';
import type { NameMatch } from '../../search/name-matcher.ts';
import type { ResultWindow, SetEvaluator, SetExpression } from './set-expression.ts';
import { type DocIdSet, hasBit, setOfDocIds } from './sets.ts';
import type { MatchRequest } from './term-matching.ts';
import type { WeightedPostingsReader } from './weighted-postings.ts';

/** Matches of a large result before ranking. */
export interface UnrankedMatches {
  namePrefix: DocIdSet;
  nameMatched: DocIdSet;
  /** All matches that satisfy the condition, if materialized. */
  all: DocIdSet | undefined;
  total: number;
  docIds(): Uint32Array;
}

export interface SetTools {
  reader: WeightedPostingsReader;
  evaluator: SetEvaluator;
}

/** Documents of equal score, in static order. */
interface Tier {
  score: number;
  pick(offset: number, limit: number): ResultWindow;
}

/**
 * Ranks large results by set operations instead of scores: by the worst field of any word, then static rank. Tiers are
 * evaluated only as far as a page needs.
 */
export function denseMatches(tools: SetTools, request: MatchRequest, found: UnrankedMatches): Matches {
  return {
    total: found.total,
    isTextMatched: true,
    page: (offset, limit) => pageOf(tiersOf(tools, request, found), offset, limit),
    docIds: found.docIds,
  };
}

function pageOf(tiers: Iterable<Tier>, offset: number, limit: number): ScoredDocument[] {
  const page: ScoredDocument[] = [];
  let skipped = 0;
  if (limit === 0) return page;
  for (const tier of tiers) {
    const { docIds, seen } = tier.pick(Math.max(0, offset - skipped), limit - page.length);
    for (const docId of docIds) page.push({ docId, score: roundScore(tier.score) });
    if (page.length >= limit) break;
    skipped += seen;
  }
  return page;
}

/** Overviews and related names form one last tier, because separating them is expensive. */
const TIER_WEIGHTS = [FIELD_WEIGHT[FIELD.name], FIELD_WEIGHT[FIELD.keyword], FIELD_WEIGHT[FIELD.headline]];

function* tiersOf({ reader, evaluator }: SetTools, request: MatchRequest, found: UnrankedMatches): Generator<Tier> {
  const { termMatches, layout, nameMatches } = request;
  const { namePrefix, nameMatched, all } = found;
  const tier = (score: number, expression: SetExpression): Tier => ({
    score,
    pick: (offset, limit) => evaluator.pick(expression, layout, { offset, limit }),
  });
  const filter = all === undefined ? [] : [[all]];
  const setsWithWeight = (weightMin: number) =>
    termMatches.clauses.map(({ postings }) => reader.sets(postings, layout, weightMin));

  const namesByScore = nameMatchesByScore(nameMatches, (docId) => all === undefined || hasBit(all, layout, docId));
  for (const [score, docIds] of namesByScore) yield nameTier(score, docIds);
  const ranked = setOfDocIds(Uint32Array.from([...namesByScore.values()].flat()).sort());
  if (namePrefix.size !== 0)
    yield tier(SCORE_TIER.namePrefix + FIELD_WEIGHT[FIELD.name], {
      allOf: [[namePrefix], ...filter],
      orAnyOf: [],
      noneOf: [ranked],
      notAllOf: [],
    });
  // Tiers of words are cumulative.
  let before: DocIdSet[][] = [];
  for (const weightMin of TIER_WEIGHTS) {
    const clauses = setsWithWeight(weightMin);
    if (isSameSets(clauses, before)) continue;
    yield tier(weightMin, {
      allOf: [...clauses, ...filter],
      orAnyOf: [],
      noneOf: [ranked, namePrefix],
      notAllOf: before,
    });
    before = clauses;
  }
  const matches = all === undefined ? setsWithWeight(0) : filter;
  const others = all === undefined ? [nameMatched] : [];
  const common = { noneOf: [ranked, namePrefix], notAllOf: before };
  if (termMatches.clauses.length === 1) {
    yield tier(FIELD_WEIGHT[FIELD.overview], { ...common, allOf: matches, orAnyOf: others });
    return;
  }
  // Of several words, one may be in a better field than the others.
  const better = before.flat();
  const score = (FIELD_WEIGHT[FIELD.headline] + FIELD_WEIGHT[FIELD.overview]) / 2;
  yield tier(score, { ...common, allOf: [...matches, better], orAnyOf: others });
  yield tier(FIELD_WEIGHT[FIELD.overview], {
    ...common,
    allOf: matches,
    orAnyOf: [],
    noneOf: [...common.noneOf, ...others, ...better],
  });
}

/** Whether no word occurs in a field, so that its tier is empty. */
function isSameSets(clauses: readonly DocIdSet[][], before: readonly DocIdSet[][]): boolean {
  return (
    before.length > 0 && clauses.every((sets, token) => sets.every((set, index) => set === before[token]?.[index]))
  );
}

/** Documents with the query as name, by score, ties in static order. */
function nameMatchesByScore(
  nameMatches: readonly NameMatch[],
  isMatching: (docId: number) => boolean,
): Map<number, number[]> {
  const byScore = new Map<number, number[]>();
  const seen = new Set<number>();
  for (const { docId, bonus, weight, scale } of nameMatches.toSorted((one, other) => other.bonus - one.bonus)) {
    if (bonus === 0 && scale < 1) continue;
    if (seen.has(docId) || !isMatching(docId)) continue;
    seen.add(docId);
    addToGroup(byScore, bonus + weight, docId);
  }
  return byScore;
}

function nameTier(score: number, docIds: readonly number[]): Tier {
  const ascending = Uint32Array.from(docIds).sort();
  return {
    score,
    pick: (offset, limit) => ({ docIds: ascending.subarray(offset, offset + limit), seen: ascending.length }),
  };
}
