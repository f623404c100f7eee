/** One matching document, by the engine's own number for it; a lower number stands first among equal scores. */
export interface Scored {
  ordinal: number;
  score: number;
}

/** The documents that match, in order. */
export interface Matches {
  total: number;
  /** True when the text matched something, whether or not it passed the caller's condition. */
  isFound: boolean;
  page(offset: number, limit: number): Scored[];
}

/**
 * How far matches are from a text: they have every word as it was typed, every word with some corrected, only some of the
 * words, or any of them.
 */
export type Relaxation = 'typed' | 'corrected' | 'some' | 'any';

/** What a query matches in each type, and how far that is from its text. */
export interface QueryMatches {
  matches: Matches[];
  reach: Relaxation;
}

export const NO_MATCHES: Matches = { total: 0, isFound: false, page: () => [] };

/** Scores are whole multiples of this, so that equal ones are equal on every machine. */
const SCORE_UNIT = 2 ** -12;
const SELECTED_MAX = 128;

export function roundScore(score: number): number {
  return Math.round(score / SCORE_UNIT) * SCORE_UNIT;
}

/** The first `end` of some scored documents, best first. */
export function best(ordinals: Uint32Array, scores: Float64Array, end: number): Scored[] {
  if (end === 0) return [];
  if (end > SELECTED_MAX) return sorted(ordinals, scores).slice(0, end);
  // Most documents fail the first comparison: one pass, where a sort of all would cost several times more.
  const selected: Scored[] = [];
  let least = -Infinity;
  for (let index = 0; index < ordinals.length; index++) {
    if (scores[index] <= least) continue;
    if (selected.length === end) selected.pop();
    let place = selected.length;
    while (place > 0 && selected[place - 1].score < scores[index]) place--;
    selected.splice(place, 0, { ordinal: ordinals[index], score: scores[index] });
    if (selected.length === end) least = selected[end - 1].score;
  }
  return selected;
}

function sorted(ordinals: Uint32Array, scores: Float64Array): Scored[] {
  const all = Array.from(ordinals, (ordinal, index) => ({ ordinal, score: scores[index] }));
  return all.sort((one, other) => other.score - one.score || one.ordinal - other.ordinal);
}
