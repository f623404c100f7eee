import type { Called } from '../../search/identities.ts';
import { rarity } from '../../search/layers.ts';
import { best, type Matches, roundScore } from '../../search/matches.ts';
import type { MatchRequest } from './matching.ts';
import type { Layout } from './ordinals.ts';
import { bitOf, placeIn } from './sets.ts';
import type { Raised, SourceReader } from './sources.ts';

/** Documents that may match. */
export interface Candidates {
  ordinals(): Uint32Array;
  /** How many match, where each of them is known to: then only a page needs their scores. */
  total: number | undefined;
}

/** Matches among few candidates: every one on the way to a page is scored. */
export function sparseMatches(reader: SourceReader, request: MatchRequest, candidates: Candidates): Matches {
  const { filter } = request;
  const matching = (): Uint32Array =>
    candidates.total === undefined ? scoresOf(reader, request, candidates.ordinals()).ordinals : candidates.ordinals();
  if (!filter && candidates.total !== undefined)
    return { total: candidates.total, isFound: candidates.total > 0, page: pager(reader, request, matching) };
  const all = matching();
  const passing = filter && all.length > 0 ? filter(all) : all;
  return { total: passing.length, isFound: all.length > 0, page: pager(reader, request, () => passing) };
}

function pager(reader: SourceReader, request: MatchRequest, matching: () => Uint32Array): Matches['page'] {
  return (offset, limit) => {
    if (limit === 0) return [];
    const { ordinals, scores } = scoresOf(reader, request, matching());
    return best(ordinals, scores, offset + limit).slice(offset);
  };
}

interface Scores {
  /** Those that match. */
  ordinals: Uint32Array;
  scores: Float64Array;
}

function scoresOf(reader: SourceReader, request: MatchRequest, ordinals: Uint32Array): Scores {
  const { evidence, called, documents, layout } = request;
  const bits = bitsOf(layout, ordinals);
  const weights = weigh(reader, request, { ordinals, bits });
  const bonus = new Float32Array(ordinals.length);
  const scales = callOn(called, ordinals, weights, bonus);
  if (evidence.start) reader.raise(evidence.start, layout, { ordinals, bits, values: bonus });
  const rarities = evidence.words.map((word) => rarity(documents, word.countTyped || word.count));
  const sum = rarities.reduce((total, value) => total + value, 0) || 1;
  const kept = new Uint32Array(ordinals.length);
  const scores = new Float64Array(ordinals.length);
  let total = 0;
  for (let index = 0; index < ordinals.length; index++) {
    let score = 0;
    let isWhole = weights.length > 0;
    for (let word = 0; word < weights.length; word++) {
      score += weights[word][index] * rarities[word];
      isWhole &&= weights[word][index] > 0;
    }
    const scale = isWhole || bonus[index] > 0 ? 1 : scales[index];
    if (scale === 0) continue;
    kept[total] = ordinals[index];
    scores[total++] = roundScore(bonus[index] + (scale * score) / sum);
  }
  return { ordinals: kept.subarray(0, total), scores: scores.subarray(0, total) };
}

function bitsOf(layout: Layout, ordinals: Uint32Array): Uint32Array {
  const bits = new Uint32Array(ordinals.length);
  for (let index = 0; index < ordinals.length; index++) bits[index] = bitOf(layout, ordinals[index]);
  return bits;
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
