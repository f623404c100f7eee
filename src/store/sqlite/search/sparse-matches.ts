import { rarity } from '../../search/layers.ts';
import { best, type Matches, roundScore, type Scored } from '../../search/matches.ts';
import type { NameMatch } from '../../search/name-matcher.ts';
import type { WeightedPostings } from '../../search/term-matches.ts';
import type { Layout } from './bitmap-layout.ts';
import { bitOf, lowerBound } from './sets.ts';
import type { MatchRequest } from './term-matching.ts';
import type { TermPostings } from './term-postings.ts';
import type { Accumulators, WeightedPostingsReader } from './weighted-postings.ts';

/** Candidate documents. */
export interface Candidates {
  docIds(): Uint32Array;
  /** Total, if every candidate is known to match; then only a page is scored. */
  total: number | undefined;
}

/** Ranks few candidates by scoring each one needed for the page. */
export function sparseMatches(reader: WeightedPostingsReader, request: MatchRequest, candidates: Candidates): Matches {
  const { filter } = request;
  let scored: Scores | undefined;
  const scoreAll = (): Scores => {
    scored ??= scoresOf(reader, request, candidates.docIds());
    return scored;
  };
  if (!filter) {
    const total = candidates.total ?? scoreAll().docIds.length;
    return { total, isFound: total > 0, page: (offset, limit) => pageOf(scoreAll, offset, limit) };
  }
  const all = candidates.total === undefined ? scoreAll().docIds : candidates.docIds();
  const passing = all.length > 0 ? filter(all) : all;
  return {
    total: passing.length,
    isFound: all.length > 0,
    page: (offset, limit) => pageOf(() => scoresOf(reader, request, passing), offset, limit),
  };
}

function pageOf(score: () => Scores, offset: number, limit: number): Scored[] {
  if (limit === 0) return [];
  const { docIds, scores } = score();
  return best(docIds, scores, offset + limit).slice(offset);
}

interface Scores {
  /** Matching document ids. */
  docIds: Uint32Array;
  scores: Float64Array;
}

function scoresOf(reader: WeightedPostingsReader, request: MatchRequest, docIds: Uint32Array): Scores {
  const { termMatches, nameMatches, documents, layout } = request;
  const bits = bitsOf(layout, docIds);
  const weights = termWeights(reader, request, { docIds, bits });
  const bonus = new Float32Array(docIds.length);
  const scales = applyNameMatches(nameMatches, docIds, weights, bonus);
  if (termMatches.namePrefix) reader.accumulateMax(termMatches.namePrefix, layout, { docIds, bits, values: bonus });
  const rarities = termMatches.words.map((word) => rarity(documents, word.typedCount || word.count));
  const sum = rarities.reduce((total, value) => total + value, 0) || 1;
  const kept = new Uint32Array(docIds.length);
  const scores = new Float64Array(docIds.length);
  const isMissing = addUp(weights, rarities, scores);
  let total = 0;
  for (let index = 0; index < docIds.length; index++) {
    const scale = isMissing[index] === 0 || bonus[index] > 0 ? 1 : scales[index];
    if (scale === 0) continue;
    kept[total] = docIds[index];
    scores[total++] = roundScore(bonus[index] + (scale * scores[index]) / sum);
  }
  return { docIds: kept.subarray(0, total), scores: scores.subarray(0, total) };
}

/** Sums the weights of each candidate's words, and marks candidates that lack one. */
function addUp(weights: readonly Float32Array[], rarities: readonly number[], scores: Float64Array): Uint8Array {
  const isMissing = new Uint8Array(scores.length);
  if (weights.length === 0) isMissing.fill(1);
  for (const [word, values] of weights.entries()) addWord(values, rarities[word], scores, isMissing);
  return isMissing;
}

function addWord(values: Float32Array, rarity: number, scores: Float64Array, isMissing: Uint8Array): void {
  for (let index = 0; index < values.length; index++) {
    scores[index] += values[index] * rarity;
    if (values[index] === 0) isMissing[index] = 1;
  }
}

function bitsOf(layout: Layout, docIds: Uint32Array): Uint32Array {
  const bits = new Uint32Array(docIds.length);
  for (let index = 0; index < docIds.length; index++) bits[index] = bitOf(layout, docIds[index]);
  return bits;
}

/** The best weight of each word in each candidate. */
function termWeights(
  reader: WeightedPostingsReader,
  { termMatches, layout }: MatchRequest,
  candidates: Omit<Accumulators, 'values'>,
): Float32Array[] {
  const weights = termMatches.words.map(() => new Float32Array(candidates.docIds.length));
  const accumulateMax = (weighted: WeightedPostings<TermPostings>) => {
    for (let word = weighted.from; word <= weighted.to; word++)
      reader.accumulateMax(weighted, layout, {
        docIds: candidates.docIds,
        bits: candidates.bits,
        values: weights[word],
      });
  };
  for (const { postings } of termMatches.words) for (const weighted of postings) accumulateMax(weighted);
  for (const keyword of termMatches.keywords) accumulateMax(keyword);
  return weights;
}

function applyNameMatches(
  nameMatches: readonly NameMatch[],
  candidates: Uint32Array,
  weights: Float32Array[],
  bonus: Float32Array,
): Float32Array {
  const scales = new Float32Array(candidates.length);
  for (const { docId, from, to, weight, scale, bonus: added } of nameMatches) {
    const index = lowerBound(candidates, docId);
    // Excluded by the condition.
    if (candidates[index] !== docId) continue;
    accumulateMax(scales, index, scale);
    accumulateMax(bonus, index, added);
    for (let word = from; word <= to; word++) accumulateMax(weights[word], index, weight);
  }
  return scales;
}

function accumulateMax(values: Float32Array, index: number, value: number): void {
  if (values[index] < value) values[index] = value;
}
