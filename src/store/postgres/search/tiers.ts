import { FIELD, FIELD_WEIGHT, LAYER } from '../../search/layers.ts';
import { roundScore } from '../../search/matches.ts';
import type { Answers } from './answers.ts';
import { allOf } from './lexemes.ts';
import {
  andCondition,
  type MatchRequest,
  ordinalIn,
  type Ranked,
  startQuery,
  type Where,
  wordQuery,
} from './matching.ts';

/** Common words in overviews and related names are one tier, the last: to part them would cost most. */
const TIER_WORTHS = [FIELD_WEIGHT[FIELD.name], FIELD_WEIGHT[FIELD.keyword], FIELD_WEIGHT[FIELD.headline]];
/** Above this many matches the first ones are found sooner on the way through all documents than by the index. */
const GATHERED_MAX = 100_000;

/** Documents of one score, in static order. */
interface Tier {
  readonly score: number;
  readonly where: Where;
}

/** The first of many matches: by the worst field any word stands in, then static. A tier is looked at when needed. */
export function firstByTier(answers: Answers, request: MatchRequest, all: Where): readonly Ranked[] {
  const tiers = [...tiersOf(request, all)].map((tier) => tierSql(request, tier));
  // One after the other, and only as many as fill the answer.
  const sql = `SELECT * FROM (${tiers.map((tier) => `(${tier.sql})`).join(' UNION ALL ')}) AS tiers LIMIT ?`;
  return answers.rows<Ranked>(sql, ...tiers.flatMap(({ parameters }) => parameters), request.first);
}

function tierSql(request: MatchRequest, { score, where }: Tier): Where {
  const { sql, parameters } = andCondition(request, where);
  const least = Math.min(...request.evidence.words.map(({ count }) => count));
  const some = (condition: string): string =>
    `SELECT ordinal, id FROM ${request.type}_search AS document WHERE ${condition}`;
  // What is no plain condition is not looked for in the index; and with a bound inside, the index is used first.
  const found = least > GATHERED_MAX ? some(`(${sql}) IS NOT FALSE`) : `${some(sql)} OFFSET 0`;
  return {
    sql: `SELECT ordinal, id, CAST(? AS DOUBLE PRECISION) AS score FROM (${found}) AS found ORDER BY ordinal LIMIT ?`,
    parameters: [roundScore(score), ...parameters, request.first],
  };
}

function* tiersOf({ evidence, called, termOf }: MatchRequest, all: Where): Generator<Tier> {
  const byScore = calledByScore(called);
  for (const [score, ordinals] of byScore) yield { score, where: ordinalIn(ordinals) };
  const taken: Where[] = byScore.size === 0 ? [] : [ordinalIn([...byScore.values()].flat())];
  if (evidence.start !== undefined) {
    const start = isQuery(startQuery(evidence.start, termOf));
    yield { score: LAYER.nameStart + FIELD_WEIGHT[FIELD.name], where: butNot(start, taken) };
    taken.push(start);
  }
  for (const worth of TIER_WORTHS) {
    const words = evidence.words.map(({ sources }) => wordQuery(sources, termOf, worth));
    if (words.length === 0 || words.includes('')) continue;
    const tier = isQuery(allOf(words));
    yield { score: worth, where: butNot(tier, taken) };
    taken.push(tier);
  }
  yield { score: FIELD_WEIGHT[FIELD.overview], where: butNot(all, taken) };
}

const isQuery = (query: string): Where => ({ sql: 'document.terms @@ CAST(? AS TSQUERY)', parameters: [query] });

const butNot = (one: Where, others: readonly Where[]): Where => ({
  sql: [one.sql, ...others.map(({ sql }) => `NOT (${sql})`)].join(' AND '),
  parameters: [...one.parameters, ...others.flatMap(({ parameters }) => parameters)],
});

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
