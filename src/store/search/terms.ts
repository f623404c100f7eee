/** Kinds of terms share one vocabulary; the first character tells them apart. */
export const wordTerm = (word: string): string => `w${word}`;
export const isWordTerm = (term: string): boolean => term[0] === 'w';
export const prefixTerm = (prefix: string): string => `p${prefix}`;
export const startTerm = (prefix: string): string => `^${prefix}`;
export const keywordTerm = (keyword: string): string => `=${keyword}`;

/** Up to this length prefixes are terms of their own; longer ones are looked up in the vocabulary. */
export const PREFIX_LENGTH_MAX = 4;
/** Longer words are cut: nobody types more, and an index entry must stay small. */
export const WORD_LENGTH_MAX = 40;
