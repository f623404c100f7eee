/** Name comparison without accents, case, spaces and punctuation. */

const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;

/** Folds a name, so that `Open Sea`, `OPEN-SEA` and `opensea` become the same text. */
export const foldName = (name: string): string =>
  name.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(NOT_WORD, '');

/** Makes a slug of a name. Empty if the name has no Latin letter. */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '');
  return /[a-z]/.test(slug) ? slug : '';
}

/** Whether two values are one web address, apart from a trailing slash. */
export const isSameAddress = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  /^https?:/.test(one) &&
  one.replace(/\/$/, '') === other.replace(/\/$/, '');

const ACCOUNT = /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x\.com|twitter\.com|github\.com)\/@?([\w-]+)(?:[/?#].*)?$/i;

/** The name of the account on X or GitHub that an address is of, in lower case; null for others. */
export const handleIn = (address: string): string | null => ACCOUNT.exec(address.trim())?.[1]?.toLowerCase() ?? null;

/** The host of a URL without `www.`, or null if the text is not a URL. */
export function webDomain(address: string): string | null {
  const text = address.trim().toLowerCase();
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/^www\./, '');
  return /^[^.]+(\.[^.]+)+$/.test(host) ? host : null;
}
