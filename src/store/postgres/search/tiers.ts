import type { WordEvidence } from '../../search/evidence.ts';
import { FIELD, FIELD_WEIGHT, LAYER } from '../../search/layers.ts';
import { roundScore } from '../../search/matches.ts';
import type { Answers } from './answers.ts';
import type { TermCounts } from './counts.ts';
import { allOf } from './lexemes.ts';
import {
  andCondition,
  butNot,
  countOf,
  isQuery,
  type MatchRequest,
  ordinalIn,
  type Ranked,
  startQuery,
  type Where,
  wordQuery,
} from './matching.ts';

/** Common words in overviews and related names are one tier, the last: to part them would cost most. */
const TIER_WORTHS = [FIELD_WEIGHT[FIELD.name], FIELD_WEIGHT[FIELD.keyword], FIELD_WEIGHT[FIELD.headline]];
/**
 * What a document counts on the way through all in their order, beside one that is gathered from the index: it costs some twice
 * as much, and those that match may stand late.
 */
const STEP_COST = 20;
/** Of a tier whose size is not known, so many documents with its rarest word are gathered. */
const GATHERED_MAX = 100_000;

/** What matches all of a request; some with its condition, all without. */
export interface Found {
  readonly where: Where;
  readonly some: number;
  readonly all: number;
}

/** Documents of one score, in static order. */
interface Tier {
  readonly score: number;
  readonly where: Where;
  /** Whether the first ones are found sooner on the way through all documents than by gathering all of the tier. */
  readonly isWalked: boolean;
}

/** The first of many matches: by the worst field any word stands in, then static. A tier is looked at when needed. */
export function firstByTier(answers: Answers, request: MatchRequest, found: Found): readonly Ranked[] {
  const tiers = [...tiersOf(request, found)].map((tier) => tierSql(request, tier));
  // One after the other, and only as many as fill the answer.
  const sql = `SELECT * FROM (${tiers.map((tier) => `(${tier.sql})`).join(' UNION ALL ')}) AS tiers LIMIT ?`;
  return answers.rows<Ranked>(sql, ...tiers.flatMap(({ parameters }) => parameters), request.first);
}

function tierSql(request: MatchRequest, tier: Tier): Where {
  const { sql, parameters } = andCondition(request, tier.where);
  const some = (condition: string): string =>
    `SELECT ordinal, id FROM ${request.type}_search AS document WHERE ${condition}`;
  // What is no plain condition is not looked for in the index; and with a bound inside, the index is used first.
  const found = tier.isWalked ? some(`(${sql}) IS NOT FALSE`) : `${some(sql)} OFFSET 0`;
  return {
    sql: `SELECT ordinal, id, CAST(? AS DOUBLE PRECISION) AS score FROM (${found}) AS found ORDER BY ordinal LIMIT ?`,
    parameters: [roundScore(tier.score), ...parameters, request.first],
  };
}

function* tiersOf(request: MatchRequest, { where: all, ...found }: Found): Generator<Tier> {
  const { evidence, called, termOf, documents, first } = request;
  const isSoonWalked = (size: number): boolean => size > 0 && ((first * documents) / size) * STEP_COST < size;
  const passing = found.some / found.all;
  const byScore = calledByScore(called);
  for (const [score, ordinals] of byScore) yield { score, where: ordinalIn(ordinals), isWalked: false };
  const taken: Where[] = byScore.size === 0 ? [] : [ordinalIn([...byScore.values()].flat())];
  if (evidence.start !== undefined) {
    const start = isQuery(startQuery(evidence.start, termOf));
    const score = LAYER.nameStart + FIELD_WEIGHT[FIELD.name];
    yield { score, where: butNot(start, taken), isWalked: isSoonWalked(evidence.start.count * passing) };
    taken.push(start);
  }
  for (const worth of TIER_WORTHS) {
    const words = evidence.words.map(({ sources }) => wordQuery(sources, termOf, worth));
    if (words.length === 0 || words.includes('')) continue;
    const tier = isQuery(allOf(words));
    const rarest = Math.min(...evidence.words.map((word) => countWord(word, worth)));
    // Of several words only each is counted, not how many documents have all.
    const isWalked = words.length === 1 ? isSoonWalked(rarest * passing) : rarest > GATHERED_MAX;
    yield { score: worth, where: butNot(tier, taken), isWalked };
    taken.push(tier);
  }
  yield { score: FIELD_WEIGHT[FIELD.overview], where: butNot(all, taken), isWalked: isSoonWalked(found.some) };
}

/** Documents that have a word where it is worth as much, those in several sources counted each time. */
const countWord = ({ sources }: WordEvidence<TermCounts>, worth: number): number =>
  sources.reduce((sum, source) => sum + countOf(source, worth), 0);

/** The few that are called like the query, best first. */
function calledByScore(called: MatchRequest['called']): Map<number, number[]> {
  const byScore = new Map<number, number[]>();
  const seen = new Set<number>();
  for (const { ordinal, bonus, weight, scale } of called.toSorted((one, other) => other.bonus - one.bonus)) {
    if ((bonus === 0 && scale < 1) || seen.has(ordinal)) continue;
    seen.add(ordinal);
    byScore.set(bonus + weight, [...(byScore.get(bonus + weight) ?? []), ordinal]);
  }
  return byScore;
}
