/** A matching document by the engine's document id; lower ids come first in ties. */
export interface ScoredDocument {
  docId: number;
  score: number;
}

export interface Matches {
  total: number;
  /** Whether the text matched anything, regardless of the condition. */
  isTextMatched: boolean;
  page(offset: number, limit: number): ScoredDocument[];
}

/** Relaxation of a query: every word as typed, every word with corrections, some words, or any word. */
export type Relaxation = 'typed' | 'corrected' | 'some' | 'any';

export interface QueryMatches {
  matches: Matches[];
  relaxation: Relaxation;
}

export const NO_MATCHES: Matches = { total: 0, isTextMatched: false, page: () => [] };

/** Scores are rounded to multiples of this, so that ties are equal on every machine. */
const SCORE_UNIT = 2 ** -12;
const SELECTED_MAX = 128;

export function roundScore(score: number): number {
  return Math.round(score / SCORE_UNIT) * SCORE_UNIT;
}

/** The best `end` documents. */
export function topDocuments(docIds: Uint32Array, scores: Float64Array, end: number): ScoredDocument[] {
  if (end === 0) return [];
  if (end > SELECTED_MAX) return sorted(docIds, scores).slice(0, end);
  // Most documents fail the first comparison, so a selection in one pass is several times faster than sorting.
  const selected: ScoredDocument[] = [];
  let least = -Infinity;
  for (let index = 0; index < docIds.length; index++) {
    if (scores[index] <= least) continue;
    if (selected.length === end) selected.pop();
    let place = selected.length;
    while (place > 0 && selected[place - 1].score < scores[index]) place--;
    selected.splice(place, 0, { docId: docIds[index], score: scores[index] });
    if (selected.length === end) least = selected[end - 1].score;
  }
  return selected;
}

function sorted(docIds: Uint32Array, scores: Float64Array): ScoredDocument[] {
  const all = Array.from(docIds, (docId, index) => ({ docId, score: scores[index] }));
  return all.sort((one, other) => other.score - one.score || one.docId - other.docId);
}
