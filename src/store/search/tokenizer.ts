const ASCII = /^\p{ASCII}*$/u;
const APOSTROPHES = /['’ʼ`]/g;
const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Fast path for plain words. */
const PLAIN = /^[a-z]+$/;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu;
const HAS_PARTS = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;
const DOMAIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})\.?(?::\d+)?(?:[/?#].*)?$/iu;

/** Letters without Unicode decomposition. */
const FOLDED: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  þ: 'th',
  Þ: 'TH',
};
const FOLDED_LETTER = /[łŁøØđĐðÐħĦıßæÆœŒþÞ]/g;

/** Removes accents and compatibility forms, preserving case. */
function foldAccents(text: string): string {
  if (ASCII.test(text)) return text.includes("'") || text.includes('`') ? text.replace(APOSTROPHES, '') : text;
  const plain = text.normalize('NFKD').replace(MARKS, '').replace(APOSTROPHES, '');
  return plain.replace(FOLDED_LETTER, (letter) => FOLDED[letter] ?? letter);
}

/** The tokens of a text: its words, without accents, in lower case. */
export function tokenize(text: string): string[] {
  const folded = foldAccents(text);
  return folded.toLowerCase().match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** The words of a text without accents, in the case as written. */
export function tokenizeAsWritten(text: string): string[] {
  const folded = foldAccents(text);
  return folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** A word in lower case, and its parts if written like `OpenSea` or `devcon5`. */
export function wordParts(word: string): string[] {
  if (PLAIN.test(word)) return [word];
  const parts = HAS_PARTS.test(word) ? (word.match(PART) ?? []) : [];
  return [word, ...parts].map((part) => part.toLowerCase());
}

/** Signs that tell a name from another: `bitcoin++` is not Bitcoin. */
const PLUSES = /(?<=[\p{L}\p{N}])\+{2,}$/u;

/** Letters, digits and a final `++`: `Open Sea` and `open-sea` get the same key. Text of punctuation only is kept. */
export function joinedKey(text: string): string {
  const trimmed = text.trim();
  const words = tokenize(text).join('');
  return words === ''
    ? trimmed.toLowerCase()
    : words + (trimmed.endsWith('++') ? (PLUSES.exec(trimmed)?.[0] ?? '') : '');
}

/** A key independent of word order. */
export function unorderedKey(words: readonly string[]): string {
  return words.toSorted().join('');
}

/** `https://www.opensea.io/about` becomes `opensea.io`; undefined if the text is no domain or URL. */
export function domainOf(text: string): string | undefined {
  const host = DOMAIN.exec(text.trim())?.[1];
  return host?.toLowerCase().replace(/^www\./, '');
}

/** A prefix of at most `length` UTF-16 units that does not split a surrogate pair. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
