/** How names are compared: without accents, case, spaces and punctuation. */

const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;

/** A name as people type it in any spelling: `Open Sea`, `OPEN-SEA` and `opensea` fold to one text. */
export function foldName(name: string): string {
  return name.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(NOT_WORD, '');
}

/** A slug from a name; empty when the name has no Latin letter in it. */
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

/** The host of a web address without `www.`, or null for a text that is not one. */
export function webDomain(address: string): string | null {
  const text = address.trim().toLowerCase();
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/^www\./, '');
  return /^[^.]+(\.[^.]+)+$/.test(host) ? host : null;
}
