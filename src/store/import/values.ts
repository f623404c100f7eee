import { ServiceError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { splitText } from '../../contract/split-text.ts';

/** Lenient parsers of values. Unparsable values pass through, so that validation reports them. */

const EMPTY_WORDS = new Set(['', '-', 'n/a', 'null', 'undisclosed', 'not disclosed']);
const LIST_SEPARATOR = '|';

/** Whether a value is empty: null, blank text, a dash, an empty list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return EMPTY_WORDS.has(value.trim().toLowerCase());
  if (typeof value !== 'object') return false;
  return Object.values(value).every((part) => part === null || part === undefined || part === '');
}

export const readText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

const GROUPED = /^\d{1,3}([,_' ]\d{3})+$/;
/** Three zeros after a point may be thousands. */
const WHOLE = /^-?\d{1,15}(\.0{1,2})?$/;

/** Parses an integer, including text with thousands separators. */
export function readCount(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  const isGrouped = GROUPED.test(text);
  const digits = isGrouped ? text.replace(/\D/g, '') : text;
  if (WHOLE.test(digits)) return Number(digits);
  return isGrouped ? digits : value;
}

/** Parses a year, including text or a date. */
export function readYear(value: unknown): unknown {
  const read = readCount(value);
  const date = typeof read === 'string' ? /^\s*(\d{4})-\d{2}/.exec(read) : null;
  return date === null ? read : Number(date[1]);
}

/** Groups end with three digits: "1,5" is no amount, because its comma may be a point. */
const AMOUNT = /^(?:usd|us\$|\$)? ?(\d+|\d{1,3}(?:[,_' ]\d{2,3})*[,_' ]\d{3})?(?:\.(\d+))? ?([a-z]+)?\.?$/;
const ZEROS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    '': 0,
    usd: 0,
    dollars: 0,
    k: 3,
    thousand: 3,
    m: 6,
    mm: 6,
    mn: 6,
    mio: 6,
    million: 6,
    b: 9,
    bn: 9,
    billion: 9,
  }),
);

/** Parses US dollars with cents, from a number or text such as "5000000", "1,250.5" or "$5.2M". */
export function readMoney(value: unknown): unknown {
  const text = typeof value === 'number' ? plainDigits(value) : value;
  if (typeof text !== 'string') return value;
  const spaced = text.trim().toLowerCase().replace(/\s/g, ' ');
  const written = spaced.replace(/(?<=[\da-z]) ?(usd|dollars)$/, '');
  if (text === value && THOUSANDS_OR_POINT.test(written)) return value;
  const match = AMOUNT.exec(pointed(written));
  const [, whole = '', fraction = '', unit = ''] = match ?? [];
  const zeros = ZEROS.get(unit);
  if (match === null || zeros === undefined || whole + fraction === '') return value;
  return centsOf(whole.replace(/\D/g, '') || '0', fraction, zeros);
}

/** "1.250" is no amount either, because its point may be a comma. */
const THOUSANDS_OR_POINT = /^\D*[1-9]\d{0,2}\.\d{3}$/;
/** Points group digits where there are several, or a comma follows; more than three digits before a comma are no group. */
const COMMA_IS_POINT = /^(\D*)(\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+(?=,)|\d{4,}(?=,))(?:,(\d{1,2}))?(\D*)$/;

/** An amount as many countries write it, such as "1.250.000,50", with its groups joined and a decimal point. */
const pointed = (text: string): string =>
  text.replace(
    COMMA_IS_POINT,
    (_, before: string, whole: string, fraction = '0', after: string) =>
      `${before}${whole.replaceAll('.', '')}.${fraction}${after}`,
  );

/** A number without exponent, in its shortest decimal form. */
function plainDigits(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(2);
}

/** Shifts decimal digits by a power of ten and rounds to cents, without binary fractions. */
function centsOf(whole: string, fraction: string, zeros: number): string {
  const places = zeros + 2;
  const digits = whole + fraction.slice(0, places).padEnd(places, '0');
  const isUp = (fraction[places] ?? '0') >= '5';
  const cents = (BigInt(digits) + (isUp ? 1n : 0n)).toString().padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Forms of a day or month, with an M before the number of a month that is in words; not 03/04/2024 or Apr-25, which have two readings. */
const DATES = [
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2})(?:[T ].*)?)?$/,
  /^M(?<month>\d+)[ ,-]+(?:(?<day>\d{1,2})[ ,-]+)?(?<year>\d{4})$/,
  /^(?<day>\d{1,2})[ -]M(?<month>\d+)[ ,-]+(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/,
];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Parses a date, or a month as `2025-04`; of a date with time, its date part as written. */
export function readDate(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim().replace(/([a-z]{3,9})\.?/i, (all, word: string) => {
    const index = MONTHS.findIndex((month) => month.startsWith(word.toLowerCase()));
    return index < 0 ? all : `M${index + 1}`;
  });
  const { year, month, day } =
    DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined) ?? {};
  return year === undefined ? value : [year, month, day].flatMap((part) => part?.padStart(2, '0') ?? []).join('-');
}

/** Parses a date of which only the month or year may be known. */
export const readPartialDate = (value: unknown): unknown => readDate(readText(value));

const YES = new Set(['true', 'yes', 'y', '1']);
const NO = new Set(['false', 'no', 'n', '0']);

export function readBoolean(value: unknown): unknown {
  const text = String(value).trim().toLowerCase();
  if (YES.has(text)) return true;
  return NO.has(text) ? false : value;
}

const HTTP = /^https?:\/\//i;
/** A mistyped http scheme ("https//", "htps://"), but no other scheme. */
const MISTYPED_SCHEME = /^(?!(?:ftp|sftp|file|wss?|ipfs|ipns|git|ssh)\b)[a-z]{1,6}:?\/\//i;
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;

/** Parses a web URL, adding a missing https://. */
export function readUrl(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (HTTP.test(text)) return text;
  if (MISTYPED_SCHEME.test(text)) return text.replace(MISTYPED_SCHEME, 'https://');
  return OTHER_SCHEME.test(text) || !/^[^\s/.]+(\.[^\s/.]+)+/.test(text) ? value : `https://${text}`;
}

/** Parses an account of a site: a URL, or a handle with or without @. */
export function handleReader(hosts: RegExp, home: string): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string' || HTTP.test(value.trim())) return readUrl(value);
    const [first = ''] = value.trim().split(/[\s,;|]+/);
    const handle = first.replace(hosts, '').replace(/^@/, '').replace(/\/+$/, '');
    return /^[\w-]+(\/[\w.-]+)*$/.test(handle) ? `${home}${handle}` : readUrl(value);
  };
}

/** Parses a list: an array, JSON text, text separated by |, or a single item. */
export function readList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== '');
  if (typeof value !== 'string') return [value];
  const parsed = readJson(value);
  if (parsed !== undefined) return Array.isArray(parsed) ? parsed : [parsed];
  return splitText(value, LIST_SEPARATOR);
}

/** Parses a JSON list or object; undefined for other text. Throws a ServiceError if it is nested too deep. */
export function readJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text) as object;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return undefined;
  }
}
