/** Where in a record a word stands; a word counts once, in its best field. */
export const FIELD = { name: 0, keyword: 1, headline: 2, overview: 3, related: 4 } as const;
export type Field = (typeof FIELD)[keyof typeof FIELD];
export const FIELDS: readonly Field[] = [FIELD.name, FIELD.keyword, FIELD.headline, FIELD.overview, FIELD.related];

/** What a whole word is worth by field; every score of words lies between 0 and about 1.3. */
export const FIELD_WEIGHT: readonly number[] = [1, 0.8, 0.55, 0.4, 0.35];

/** A name, or a complete tag or chain, that is only a part of the query. */
export const NAME_PART_WEIGHT = 1.3;
export const KEYWORD_WHOLE_WEIGHT = 1.1;
/** Scale of a record that has only that part, when the rest is not what people add to a name: then it is rather an ordinary word. */
export const ORDINARY_PART_SCALE = 0.3;

/** A word in another form of the same stem. */
export const STEM_QUALITY = 0.6;
/** Unfinished words are worth less than whole ones, misspelt ones less again. */
export const PREFIX_QUALITY = 0.8;
/** Words with the typed text inside come after all that begin with it, also where those have it in a keyword. */
export const CONTAINED_QUALITY = 0.3;
export const TYPO_QUALITY: readonly number[] = [1, 0.7, 0.45];

/** Layers stand apart by more than words can score. */
export const LAYER = { identity: 4, nameStart: 2, words: 0 } as const;

/** Kinds of identity. A name is worth most; words in another order least. */
export const KEY = { name: 0, alias: 1, domain: 2, slug: 3, ticker: 4, unordered: 5 } as const;
export type KeyKind = (typeof KEY)[keyof typeof KEY];
export const KEY_SCORE: readonly number[] = [1, 0.8, 0.9, 0.7, 0.6, 0.1];

/** Rarer words weigh more. */
export function rarity(documents: number, matching: number): number {
  return Math.log(1 + documents / (1 + matching));
}

/** Steps of importance; the best is 0. Equal scores are ordered by step, then by the record's number. */
export const IMPORTANCE_STEPS = 16;

/** Half powers of two: few relations are told apart exactly, many by magnitude. The last step is for ranks below zero. */
export function importanceStep(rank: number): number {
  const magnitude = rank < 0 ? 0 : 1 + Math.floor(2 * Math.log2(1 + rank));
  return IMPORTANCE_STEPS - 1 - Math.min(IMPORTANCE_STEPS - 1, magnitude);
}
