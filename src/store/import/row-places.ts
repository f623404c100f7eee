import { foldName } from '../../contract/names.ts';
import { isEmpty, readJson } from './values.ts';

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const names = LETTERS.flatMap((first) => LETTERS.map((second) => regions.of(first + second) ?? ''));
const COUNTRIES = new Set([...names, 'USA', 'US', 'UK', 'UAE', 'Hong Kong', 'Czech Republic', 'Korea'].map(foldName));

const PARTS: Readonly<Record<string, 'city' | 'country'>> = {
  city: 'city',
  town: 'city',
  country: 'country',
  countryname: 'country',
};

/** A place from an object or from text such as "Zug, Switzerland"; notes the parts that a place does not have. */
export function readPlace(value: unknown, note: (part: string) => void): unknown {
  const given = typeof value === 'string' ? (readJson(value) ?? value) : value;
  if (typeof given === 'string') return placeOfText(given);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return value;
  const place: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(given)) {
    const part = PARTS[foldName(name)];
    if (part === undefined) note(name);
    else if (!isEmpty(content)) place[part] = content;
  }
  return isEmpty(place) ? undefined : place;
}

/** The last word is the country only when it is the name of one: "Austin, Texas" says no country. */
function placeOfText(text: string): Record<string, string> {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  const country = COUNTRIES.has(foldName(last)) ? { country: last } : {};
  const [city] = words;
  const isCountryAlone = words.length === 1 && 'country' in country;
  return city === undefined || isCountryAlone ? country : { city, ...country };
}
