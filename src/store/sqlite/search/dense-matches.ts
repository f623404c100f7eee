import { FIELD, FIELD_WEIGHT, LAYER } from '../../search/layers.ts';
import { type Matches, roundScore, type Scored } from '../../search/matches.ts';
import type { Called } from './identities.ts';
import type { Layout } from './ordinals.ts';
import {
  EMPTY_SET,
  has,
  intersect,
  type OrdinalSet,
  ordinalsOf,
  pick,
  setOfOrdinals,
  sizeOf,
  subtract,
  unite,
} from './sets.ts';
import type { SourceReader } from './sources.ts';
import { ascendingOrdinals, type MatchRequest } from './sparse-matches.ts';

/** Documents of one score, in static order. */
interface Tier {
  score: number;
  set: OrdinalSet;
}

/**
 * Matches when every word is common: sets instead of scores.
 * The order is by the worst field any word stands in, then static; each tier is made when a page needs it.
 */
export function denseMatches(reader: SourceReader, request: MatchRequest): Matches {
  const { evidence, called, layout, filter } = request;
  const start = evidence.start ? reader.union([evidence.start], layout) : EMPTY_SET;
  const named = setOfOrdinals(ascendingOrdinals(called));
  const matching = unite(layout, [wordsWorth(reader, request, 0), start, named]);
  const all = filter ? setOfOrdinals(filter(ordinalsOf(matching, layout))) : matching;
  const total = sizeOf(all);
  return {
    total,
    isFound: filter ? sizeOf(matching) > 0 : total > 0,
    page: (offset, limit) => pageOf(tiersOf(reader, request, { start, all }), layout, { offset, limit }),
  };
}

function pageOf(tiers: Iterable<Tier>, layout: Layout, { offset, limit }: { offset: number; limit: number }): Scored[] {
  const page: Scored[] = [];
  let skipped = 0;
  if (limit === 0) return page;
  for (const { score, set } of tiers) {
    const picked = pick(set, layout, Math.max(0, offset - skipped), limit - page.length);
    for (const ordinal of picked) page.push({ ordinal, score: roundScore(score) });
    if (page.length >= limit) break;
    skipped += sizeOf(set);
  }
  return page;
}

/** Common words in overviews and related names are one tier, the last: to part them would cost most. */
const TIER_WORTHS = [FIELD_WEIGHT[FIELD.name], FIELD_WEIGHT[FIELD.keyword], FIELD_WEIGHT[FIELD.headline]];

interface MatchedSets {
  start: OrdinalSet;
  all: OrdinalSet;
}

function* tiersOf(reader: SourceReader, request: MatchRequest, { start, all }: MatchedSets): Generator<Tier> {
  const { layout, called, filter } = request;
  /** What earlier tiers have taken; each tier of words holds the one before it. */
  const taken: OrdinalSet[] = [];
  const tier = (score: number, set: OrdinalSet): Tier => {
    const matching = filter && set !== all ? intersect(layout, [set, all]) : set;
    const left = taken.reduce((rest, some) => subtract(layout, rest, some), matching);
    taken.push(left);
    return { score, set: left };
  };
  for (const { score, set } of calledTiers(called, layout, all)) yield tier(score, set);
  if (start !== EMPTY_SET) yield tier(LAYER.nameStart + FIELD_WEIGHT[FIELD.name], start);
  for (const worth of TIER_WORTHS) yield tier(worth, wordsWorth(reader, request, worth));
  yield tier(FIELD_WEIGHT[FIELD.overview], all);
}

/** The few that are called like the query, best first; equal ones in static order. */
function* calledTiers(called: readonly Called[], layout: Layout, all: OrdinalSet): Generator<Tier> {
  const byScore = new Map<number, number[]>();
  const seen = new Set<number>();
  for (const { ordinal, bonus, weight, scale } of called.toSorted((one, other) => other.bonus - one.bonus)) {
    if (bonus === 0 && scale < 1) continue;
    if (seen.has(ordinal) || !has(all, layout, ordinal)) continue;
    seen.add(ordinal);
    const score = bonus + weight;
    byScore.set(score, [...(byScore.get(score) ?? []), ordinal]);
  }
  for (const [score, ordinals] of byScore) yield { score, set: setOfOrdinals(Uint32Array.from(ordinals).sort()) };
}

/** The documents that have every word, each in a field that is worth so much at least. */
function wordsWorth(reader: SourceReader, { evidence, layout }: MatchRequest, worth: number): OrdinalSet {
  return intersect(
    layout,
    evidence.words.map(({ sources }) => reader.union(sources, layout, worth)),
  );
}
