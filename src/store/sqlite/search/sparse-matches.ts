import type { Called } from '../../search/identities.ts';
import { rarity } from '../../search/layers.ts';
import { best, type Matches, roundScore } from '../../search/matches.ts';
import type { MatchRequest } from './matching.ts';
import { bitOf, placeIn } from './sets.ts';
import type { Raised, SourceReader } from './sources.ts';

/** Matches among few candidates: every one is scored. */
export function sparseMatches(reader: SourceReader, request: MatchRequest, candidates: Uint32Array): Matches {
  const { evidence, called, documents, layout } = request;
  const bits = candidates.map((ordinal) => bitOf(layout, ordinal));
  const weights = weigh(reader, request, { ordinals: candidates, bits });
  const bonus = new Float32Array(candidates.length);
  const scales = callOn(called, candidates, weights, bonus);
  if (evidence.start) reader.raise(evidence.start, layout, { ordinals: candidates, bits, values: bonus });
  const rarities = evidence.words.map((word) => rarity(documents, word.countTyped || word.count));
  const sum = rarities.reduce((total, value) => total + value, 0) || 1;
  const kept = new Uint32Array(candidates.length);
  const scores = new Float64Array(candidates.length);
  let total = 0;
  for (let index = 0; index < candidates.length; index++) {
    let score = 0;
    let isWhole = weights.length > 0;
    for (let word = 0; word < weights.length; word++) {
      score += weights[word][index] * rarities[word];
      isWhole &&= weights[word][index] > 0;
    }
    const scale = isWhole || bonus[index] > 0 ? 1 : scales[index];
    if (scale === 0) continue;
    kept[total] = candidates[index];
    scores[total++] = roundScore(bonus[index] + (scale * score) / sum);
  }
  return filtered(kept.subarray(0, total), scores.subarray(0, total), request.filter);
}

function filtered(ordinals: Uint32Array, scores: Float64Array, filter: MatchRequest['filter']): Matches {
  const isFound = ordinals.length > 0;
  if (!filter || !isFound) return { total: ordinals.length, isFound, page: pager(ordinals, scores) };
  const passed = new Set(filter(ordinals));
  const places = Array.from(ordinals.keys()).filter((place) => passed.has(ordinals[place]));
  const kept = Uint32Array.from(places, (place) => ordinals[place]);
  return {
    total: kept.length,
    isFound,
    page: pager(
      kept,
      Float64Array.from(places, (place) => scores[place]),
    ),
  };
}

function pager(ordinals: Uint32Array, scores: Float64Array): Matches['page'] {
  return (offset, limit) => best(ordinals, scores, offset + limit).slice(offset);
}

/** The best worth of each word in each candidate. */
function weigh(
  reader: SourceReader,
  { evidence, layout }: MatchRequest,
  candidates: Omit<Raised, 'values'>,
): Float32Array[] {
  const weights = evidence.words.map(() => new Float32Array(candidates.ordinals.length));
  for (const source of [...evidence.words.flatMap(({ sources }) => sources), ...evidence.keywords]) {
    for (let word = source.from; word <= source.to; word++)
      reader.raise(source, layout, { ...candidates, values: weights[word] });
  }
  return weights;
}

function callOn(
  called: readonly Called[],
  candidates: Uint32Array,
  weights: Float32Array[],
  bonus: Float32Array,
): Float32Array {
  const scales = new Float32Array(candidates.length);
  for (const { ordinal, from, to, weight, scale, bonus: added } of called) {
    const index = placeIn(candidates, ordinal);
    raise(scales, index, scale);
    raise(bonus, index, added);
    for (let word = from; word <= to; word++) raise(weights[word], index, weight);
  }
  return scales;
}

function raise(values: Float32Array, index: number, value: number): void {
  if (values[index] < value) values[index] = value;
}
