/** Field of a term in a document; a term counts once, in its best field. */
export const FIELD = { name: 0, keyword: 1, headline: 2, overview: 3, related: 4 } as const;
export type Field = (typeof FIELD)[keyof typeof FIELD];
export const FIELDS: readonly Field[] = [FIELD.name, FIELD.keyword, FIELD.headline, FIELD.overview, FIELD.related];

/** Weight of a whole word by field. Scores of words are between 0 and about 1.3. */
export const FIELD_WEIGHT: readonly number[] = [1, 0.8, 0.55, 0.4, 0.35];

/** Weight of a complete name, tag or chain that is part of the query. */
export const NAME_IN_QUERY_WEIGHT = 1.3;
export const KEYWORD_WEIGHT = 1.1;
/**
 * Score factor if only that part matches and the rest are not typical additions to a name: then it is rather an ordinary word.
 */
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

export function inverseDocumentFrequency(documents: number, matching: number): number {
  return Math.log(1 + documents / (1 + matching));
}

/** Number of rank steps; the best is 0. Ties are ordered by step, then by record id. */
export const RANK_BUCKETS = 16;

/** Logarithmic step of half powers of two; the last step is for ranks below zero. */
export function rankBucket(rank: number): number {
  const magnitude = rank < 0 ? 0 : 1 + Math.floor(2 * Math.log2(1 + rank));
  return RANK_BUCKETS - 1 - Math.min(RANK_BUCKETS - 1, magnitude);
}
