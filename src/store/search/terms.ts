/** Kinds of terms share one vocabulary; the first character tells them apart. */
export const wordTerm = (word: string): string => `w${word}`;
export const prefixTerm = (prefix: string): string => `p${prefix}`;
export const startTerm = (prefix: string): string => `^${prefix}`;
export const keywordTerm = (keyword: string): string => `=${keyword}`;

/** The beginning of a text, without one half of a sign that takes two units: no database keeps that as text. */
export function beginningOf(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Up to this length prefixes are terms of their own; longer ones are looked up in the vocabulary. */
export const PREFIX_LENGTH_MAX = 4;
/** Longer words are cut: nobody types more, and an index entry must stay small. */
export const WORD_LENGTH_MAX = 40;
