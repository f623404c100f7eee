import {
  inverseDocumentFrequency,
  type Matches,
  roundScore,
  type ScoredDocument,
  topDocuments,
} from '../../search/matches.ts';
import type { NameMatch } from '../../search/name-matcher.ts';
import type { WeightedPostings } from '../../search/term-matches.ts';
import { bitOf, type Layout, lowerBound } from './sets.ts';
import type { MatchRequest } from './term-matching.ts';
import type { Accumulators, WeightedPostingsReader } from './weighted-postings.ts';

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
    const docIds = () => scoreAll().docIds;
    return { total, isTextMatched: total > 0, page: (offset, limit) => pageOf(scoreAll, offset, limit), docIds };
  }
  const all = candidates.total === undefined ? scoreAll().docIds : candidates.docIds();
  const passing = all.length > 0 ? filter(all) : all;
  return {
    total: passing.length,
    isTextMatched: all.length > 0,
    page: (offset, limit) => pageOf(() => scoresOf(reader, request, passing), offset, limit),
    docIds: () => passing,
  };
}

function pageOf(score: () => Scores, offset: number, limit: number): ScoredDocument[] {
  if (limit === 0) return [];
  const { docIds, scores } = score();
  return topDocuments(docIds, scores, offset + limit).slice(offset);
}

interface Scores {
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
  const idfs = termMatches.clauses.map((clause) =>
    inverseDocumentFrequency(documents, clause.typedCount || clause.count),
  );
  const sum = idfs.reduce((total, value) => total + value, 0) || 1;
  const kept = new Uint32Array(docIds.length);
  const scores = new Float64Array(docIds.length);
  const isMissing = sumScores(weights, idfs, scores);
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
function sumScores(weights: readonly Float32Array[], idfs: readonly number[], scores: Float64Array): Uint8Array {
  const isMissing = new Uint8Array(scores.length);
  if (weights.length === 0) isMissing.fill(1);
  for (const [token, values] of weights.entries()) addToken(values, idfs[token], scores, isMissing);
  return isMissing;
}

function addToken(values: Float32Array, idf: number, scores: Float64Array, isMissing: Uint8Array): void {
  for (let index = 0; index < values.length; index++) {
    scores[index] += values[index] * idf;
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
  const weights = termMatches.clauses.map(() => new Float32Array(candidates.docIds.length));
  const accumulateMax = (weighted: WeightedPostings) => {
    for (let token = weighted.from; token <= weighted.to; token++)
      reader.accumulateMax(weighted, layout, {
        docIds: candidates.docIds,
        bits: candidates.bits,
        values: weights[token],
      });
  };
  for (const { postings } of termMatches.clauses) for (const weighted of postings) accumulateMax(weighted);
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
    for (let token = from; token <= to; token++) accumulateMax(weights[token], index, weight);
  }
  return scales;
}

function accumulateMax(values: Float32Array, index: number, value: number): void {
  if (values[index] < value) values[index] = value;
}
