/** All kinds of terms share one vocabulary, distinguished by the first character. */
export const wordTerm = (word: string): string => `w${word}`;
export const isWordTerm = (term: string): boolean => term[0] === 'w';
export const prefixTerm = (prefix: string): string => `p${prefix}`;
export const namePrefixTerm = (prefix: string): string => `^${prefix}`;
export const keywordTerm = (keyword: string): string => `=${keyword}`;

/** Prefixes up to this length are indexed as terms; longer ones are range scans of the vocabulary. */
export const PREFIX_LENGTH_MAX = 4;
/** Longer words are truncated, to bound index entries. */
export const WORD_LENGTH_MAX = 40;
