/** Cleaning of text that came from a source, and the small parts of speech that the sentences are made of. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&nbsp;': ' ',
};

/** Trims, collapses spaces, decodes HTML entities and takes out characters that cannot be seen. */
export function cleanText(text: string): string {
  return text
    .replace(/&(?:amp|lt|gt|quot|apos|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What two spellings of one name have in common: letters and digits, without case and accents. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** "a, b and c". */
export function listed(items: readonly string[]): string {
  if (items.length <= 1) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** The first items of a list and how many more there are: "a, b and 3 others". */
export function listedUpTo(items: readonly string[], countMax: number): string {
  if (items.length <= countMax + 1) return listed(items);
  return `${items.slice(0, countMax).join(', ')} and ${items.length - countMax} others`;
}

/** The first items of a list that may itself be cut short: "a, b and others". */
export function listedSome(items: readonly string[], countMax: number): string {
  return items.length <= countMax ? listed(items) : `${items.slice(0, countMax).join(', ')} and others`;
}

const SPELLED_WITH_VOWEL = /^[AEFHILMNORSX][A-Z0-9]*\b/;

/** The words with "a" or "an" before them. */
export function withArticle(words: string): string {
  const first = words.split(/[\s-]/)[0] ?? '';
  const isSpelled = /^[A-Z0-9]{2,}s?$/.test(first);
  const hasVowel = isSpelled
    ? SPELLED_WITH_VOWEL.test(first)
    : /^[aeiou]/i.test(first) && !/^(uni|eu|one)/i.test(first);
  return `${hasVowel ? 'an' : 'a'} ${words}`;
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 round", "2 rounds". */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "March 2021" for a day or a month, "2021" for a year. */
export function monthWords(date: string): string {
  const [year, month] = date.split('-');
  return month === undefined ? String(year) : `${MONTHS[Number(month) - 1]} ${year}`;
}

/** "5 March 2021". */
function dayWords(date: string): string {
  return `${Number(date.slice(8, 10))} ${monthWords(date)}`;
}

/** "5 to 7 March 2021", or one day. */
export function periodWords(start: string, end: string): string {
  if (start === end) return dayWords(start);
  if (start.slice(0, 7) === end.slice(0, 7)) return `${Number(start.slice(8, 10))} to ${dayWords(end)}`;
  if (start.slice(0, 4) !== end.slice(0, 4)) return `${dayWords(start)} to ${dayWords(end)}`;
  return `${dayWords(start).replace(/ \d{4}$/, '')} to ${dayWords(end)}`;
}

const BILLION = 1_000_000_000;
const MILLION = 1_000_000;

/** "$1.25 billion", "$8.3 million", "$660,000". */
export function moneyWords(amount: number): string {
  if (amount >= BILLION) return `$${shortNumber(amount / BILLION)} billion`;
  if (amount >= MILLION) return `$${shortNumber(amount / MILLION)} million`;
  return `$${Math.round(amount).toLocaleString('en-US')}`;
}

function shortNumber(number: number): string {
  return String(Number(number.toFixed(2)));
}

/** Sentences with one full stop each, and none after an abbreviation that ends in one. */
export function sentences(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => (/[.!?]$/.test(part ?? '') ? part : `${part}.`))
    .join(' ');
}
