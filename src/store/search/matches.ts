/** A matching document by the engine's document id; lower ids come first in ties. */
export interface ScoredDocument {
  docId: number;
  score: number;
}

export interface RankedDocuments {
  total: number;
  page(offset: number, limit: number): ScoredDocument[];
}

export interface Matches extends RankedDocuments {
  /** Whether the text matched anything, regardless of the condition. */
  isTextMatched: boolean;
  /** The ids of all documents, ascending. */
  docIds(): Uint32Array;
}

/** Relaxation of a query: every word as typed, every word with corrections, some words, or any word. */
export type Relaxation = 'typed' | 'corrected' | 'some' | 'any';

export interface QueryMatches {
  matches: Matches[];
  relaxation: Relaxation;
}

const NO_DOC_IDS = new Uint32Array();
export const NO_MATCHES: Matches = { total: 0, isTextMatched: false, page: () => [], docIds: () => NO_DOC_IDS };

/** Scores are rounded to multiples of this, so that ties are equal on every machine. */
const SCORE_UNIT = 2 ** -12;
const SELECTED_MAX = 128;

export const roundScore = (score: number): number => Math.round(score / SCORE_UNIT) * SCORE_UNIT;

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

/** Field of a term in a document; a term counts once, in its best field. */
export const FIELD = { name: 0, keyword: 1, headline: 2, overview: 3, related: 4 } as const;
export type Field = (typeof FIELD)[keyof typeof FIELD];
export const FIELDS: readonly Field[] = [FIELD.name, FIELD.keyword, FIELD.headline, FIELD.overview, FIELD.related];

/** Weight of a whole word by field. Scores of words are between 0 and about 1.3. */
export const FIELD_WEIGHT: readonly number[] = [1, 0.8, 0.55, 0.4, 0.35];

/** Weight of a complete name, tag or chain that is part of the query. */
export const NAME_IN_QUERY_WEIGHT = 1.3;
export const KEYWORD_WEIGHT = 1.1;
/** Score factor if only that part matches and the rest is no typical addition to a name. */
export const ORDINARY_WORD_SCALE = 0.3;

export const STEM_BOOST = 0.6;
/** Factor for prefixes of words; misspelt words get less. */
export const PREFIX_BOOST = 0.8;
/** Factor for infixes, which rank below all prefixes, including those in keywords. */
export const INFIX_BOOST = 0.3;
export const TYPO_BOOST: readonly number[] = [1, 0.7, 0.45];

/** Layers are further apart than scores of words. */
export const SCORE_TIER = { exactName: 4, namePrefix: 2, terms: 0 } as const;

/** Kinds of name match, in descending order of score. */
export const KEY = { name: 0, alias: 1, domain: 2, slug: 3, ticker: 4, unordered: 5 } as const;
export type KeyKind = (typeof KEY)[keyof typeof KEY];
export const KEY_SCORE: readonly number[] = [1, 0.8, 0.9, 0.7, 0.6, 0.1];

export const inverseDocumentFrequency = (documents: number, matching: number): number =>
  Math.log(1 + documents / (1 + matching));

/** Number of rank steps; the best is 0. Ties are ordered by step, then by record id. */
const RANK_BUCKETS = 16;

/** Logarithmic step of half powers of two; the last step is for ranks below zero. */
export function rankBucket(rank: number): number {
  const magnitude = rank < 0 ? 0 : 1 + Math.floor(2 * Math.log2(1 + rank));
  return RANK_BUCKETS - 1 - Math.min(RANK_BUCKETS - 1, magnitude);
}

/** All kinds of terms share one dictionary, distinguished by the first character. */
export const wordTerm = (word: string): string => `w${word}`;
export const isWordTerm = (term: string): boolean => term[0] === 'w';
export const prefixTerm = (prefix: string): string => `p${prefix}`;
export const namePrefixTerm = (prefix: string): string => `^${prefix}`;
export const keywordTerm = (keyword: string): string => `=${keyword}`;

/** Prefixes up to this length are indexed as terms; longer ones are range scans of the dictionary. */
export const PREFIX_LENGTH_MAX = 4;
/** Longer words are truncated, to bound index entries. */
export const WORD_LENGTH_MAX = 40;

export const DOC_ID_BITS = 26;

/**
 * A document id combines the rank step, best first, and a position within the step in the order of record ids. Document
 * ids are therefore in static order, and a posting list begins with its best documents.
 */
export const POSITION_BITS = DOC_ID_BITS - Math.log2(RANK_BUCKETS);
export const POSITIONS_MAX = 2 ** POSITION_BITS;

export const docIdOf = (step: number, position: number): number => step * POSITIONS_MAX + position;
export const stepOf = (docId: number): number => docId >>> POSITION_BITS;

/** Documents of a type, and allocated positions per step. */
export interface Sizes {
  documents: number;
  steps: number[];
}

export interface SizesRow {
  documents: number;
  steps: string;
}

export function parseSizes(row: SizesRow | undefined): Sizes {
  if (!row) return { documents: 0, steps: new Array<number>(RANK_BUCKETS).fill(0) };
  return { documents: row.documents, steps: row.steps.split(' ').map(Number) };
}
