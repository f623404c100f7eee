import { FIELD, FIELD_WEIGHT, LAYER } from '../../search/layers.ts';
import { roundScore, type Scored } from '../../search/matches.ts';
import type { Answers } from './answers.ts';
import { allOf } from './lexemes.ts';
import { andCondition, countOf, type MatchRequest, ordinalIn, startQuery, type Where, wordQuery } from './matching.ts';

/** Common words in overviews and related names are one tier, the last: to part them would cost most. */
const TIER_WORTHS = [FIELD_WEIGHT[FIELD.name], FIELD_WEIGHT[FIELD.keyword], FIELD_WEIGHT[FIELD.headline]];
/** Above this many matches the first ones are found sooner on the way through all documents than by the index. */
const GATHERED_MAX = 100_000;

/** Documents of one score, in static order. */
interface Tier {
  readonly score: number;
  readonly where: Where;
}

/** Part of many matches. */
export interface TierPage {
  /** Every match, whether or not it passes the condition. */
  readonly where: Where;
  readonly offset: number;
  readonly limit: number;
}

/** A page of many matches: by the worst field any word stands in, then static; tiers are looked at when needed. */
export function tieredPage(answers: Answers, request: MatchRequest, asked: TierPage): Scored[] {
  const { offset, limit } = asked;
  const page: Scored[] = [];
  let skipped = 0;
  if (limit === 0) return page;
  for (const { score, where } of tiersOf(request, asked.where)) {
    const passing = andCondition(request, where);
    const from = Math.max(0, offset - skipped);
    const ordinals = ordinalsOf(answers, request, { where: passing, offset: from, limit: limit - page.length });
    for (const ordinal of ordinals) page.push({ ordinal, score: roundScore(score) });
    if (page.length >= limit) break;
    skipped += ordinals.length > 0 ? from + ordinals.length : countOf(answers, request.type, passing);
  }
  return page;
}

function ordinalsOf(answers: Answers, request: MatchRequest, { where, offset, limit }: TierPage): number[] {
  const least = Math.min(...request.evidence.words.map(({ count }) => count));
  const some = `SELECT document.ordinal, document.id FROM ${request.type}_search AS document WHERE ${where.sql}`;
  // Without a bound inside, the database may go through all documents for a few.
  const sql = least > GATHERED_MAX ? some : `SELECT ordinal, id FROM (${some} OFFSET 0) AS gathered`;
  const rows = answers.rows<{ ordinal: number; id: number }>(
    `${sql} ORDER BY ordinal LIMIT ? OFFSET ?`,
    ...where.parameters,
    limit,
    offset,
  );
  for (const { ordinal, id } of rows) request.noteId(ordinal, id);
  return rows.map(({ ordinal }) => ordinal);
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
