import { FIELD, FIELD_WEIGHT, LAYER } from '../../search/layers.ts';
import { type Matches, roundScore, type Scored } from '../../search/matches.ts';
import { clearBit, countBits, hasBit, intersect, pickBits, setBit, subtract, unite } from './bits.ts';
import type { Called } from './identities.ts';
import type { Layout } from './ordinals.ts';
import type { Source, SourceReader } from './sources.ts';
import type { MatchRequest } from './sparse-matches.ts';

interface Tier {
  score: number;
  count(): number;
  pick(offset: number, limit: number): number[];
}

/**
 * Matches when every word is common: sets of bits instead of scores.
 * The order is by the worst field any word stands in, then static; each tier is made when a page needs it.
 */
export function denseMatches(reader: SourceReader, layout: Layout, request: MatchRequest): Matches {
  const { evidence, called, filter } = request;
  const all = everyWord(
    reader,
    layout,
    evidence.words.map(({ sources }) => sources),
  );
  const start = evidence.start && fillAll(reader, layout, [evidence.start]);
  if (start) unite(all, start);
  for (const { ordinal } of called) setBit(all, layout, ordinal);
  const found = countBits(all);
  if (filter) intersect(all, bitsOfOrdinals(layout, filter(Uint32Array.from(pickBits(all, layout, 0, Infinity)))));
  const total = filter ? countBits(all) : found;
  const tiers = () => tiersOf(reader, layout, request, { start: start?.slice(), left: all.slice() });
  return { total, isFound: found > 0, page: (offset, limit) => pageOf(tiers(), offset, limit) };
}

function pageOf(tiers: Iterable<Tier>, offset: number, limit: number): Scored[] {
  const page: Scored[] = [];
  let skipped = 0;
  if (limit === 0) return page;
  for (const tier of tiers) {
    const picked = tier.pick(Math.max(0, offset - skipped), limit - page.length);
    for (const ordinal of picked) page.push({ ordinal, score: roundScore(tier.score) });
    if (page.length >= limit) break;
    skipped += tier.count();
  }
  return page;
}

/** Common words in overviews and related names are one tier, the last: to part them would cost most. */
const TIER_WORTHS = [FIELD_WEIGHT[FIELD.name], FIELD_WEIGHT[FIELD.keyword], FIELD_WEIGHT[FIELD.headline]];

interface TierSets {
  start: Uint32Array | undefined;
  /** What no tier has taken yet. */
  left: Uint32Array;
}

function* tiersOf(
  reader: SourceReader,
  layout: Layout,
  request: MatchRequest,
  { start, left }: TierSets,
): Generator<Tier> {
  const { evidence, called } = request;
  yield* calledTiers(called, layout, left);
  if (start) yield* bitsTier(left, layout, start, LAYER.nameStart + FIELD_WEIGHT[0]);
  const words = evidence.words.map(() => new Uint32Array(layout.words));
  let above = Infinity;
  for (const worth of TIER_WORTHS) {
    for (const [place, { sources }] of evidence.words.entries()) {
      for (const source of sources)
        if (source.weight >= worth && source.weight < above) reader.fill(source, layout, words[place]);
    }
    above = worth;
    yield* bitsTier(
      left,
      layout,
      inAll(
        words.map((bits) => bits.slice()),
        layout,
      ),
      worth,
    );
  }
  yield* bitsTier(left, layout, left.slice(), FIELD_WEIGHT[FIELD.overview]);
}

/** The few that are called like the query, best first; equal ones in static order. */
function* calledTiers(called: readonly Called[], layout: Layout, left: Uint32Array): Generator<Tier> {
  const byScore = new Map<number, number[]>();
  for (const { ordinal, bonus, weight, scale } of called.toSorted((one, other) => other.bonus - one.bonus)) {
    if (bonus === 0 && scale < 1) continue;
    if (!hasBit(left, layout, ordinal)) continue;
    clearBit(left, layout, ordinal);
    const score = bonus + weight;
    byScore.set(score, [...(byScore.get(score) ?? []), ordinal]);
  }
  for (const [score, ordinals] of byScore) {
    ordinals.sort((one, other) => one - other);
    yield { score, count: () => ordinals.length, pick: (offset, limit) => ordinals.slice(offset, offset + limit) };
  }
}

function* bitsTier(left: Uint32Array, layout: Layout, bits: Uint32Array, score: number): Generator<Tier> {
  intersect(bits, left);
  yield { score, count: () => countBits(bits), pick: (offset, limit) => pickBits(bits, layout, offset, limit) };
  // Only a page that goes on behind this tier pays for taking it away.
  subtract(left, bits);
}

function everyWord(reader: SourceReader, layout: Layout, words: readonly (readonly Source[])[]): Uint32Array {
  return inAll(
    words.map((sources) => fillAll(reader, layout, sources)),
    layout,
  );
}

/** Works in the first of the sets. */
function inAll([first, ...others]: Uint32Array[], layout: Layout): Uint32Array {
  for (const other of others) intersect(first, other);
  return first ?? new Uint32Array(layout.words);
}

function fillAll(reader: SourceReader, layout: Layout, sources: readonly Source[]): Uint32Array {
  const bits = new Uint32Array(layout.words);
  for (const source of sources) reader.fill(source, layout, bits);
  return bits;
}

function bitsOfOrdinals(layout: Layout, ordinals: Uint32Array): Uint32Array {
  const bits = new Uint32Array(layout.words);
  for (const ordinal of ordinals) setBit(bits, layout, ordinal);
  return bits;
}
