const ENGLISH = /^[a-z]{4,24}$/;
/** Such as L2s. */
const NUMBERED_PLURAL = /^[a-z]{0,4}\d+s$/;
const VOWEL = /[aeiouy]/;
const STEM_LENGTH_MIN = 3;

/** A light English stemmer: removes plural, -ing, -ed and final e. A stem may not be a word. */
export function stem(word: string): string {
  if (NUMBERED_PLURAL.test(word)) return word.slice(0, -1);
  if (!ENGLISH.test(word)) return word;
  const singular = withoutPlural(word);
  const base = withoutEnding(singular);
  return base.endsWith('e') && base.length > STEM_LENGTH_MIN ? base.slice(0, -1) : base;
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return /(?:x|ch|sh|ss|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') && !word.endsWith('eed') ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || base.length < STEM_LENGTH_MIN || !VOWEL.test(base)) return word;
  // Undoubles a final consonant, so that "swapping" and "swap" match, except where English doubles it anyway.
  const doubled = base.at(-1) === base.at(-2) && !/[lsz]$/.test(base);
  return doubled ? base.slice(0, -1) : base;
}
