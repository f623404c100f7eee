import * as z from 'zod';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import {
  bareSchema,
  count,
  isoDate,
  labels,
  location,
  money,
  partialDate,
  source,
  webUrl,
  year,
} from '../../contract/fields.ts';
import { writableFields } from '../../contract/import-names.ts';
import { foldName } from '../../contract/names.ts';
import { relationOf } from '../../contract/relations.ts';
import { splitText } from '../../contract/split-text.ts';
import { referenceReader } from './references.ts';
import type { Note } from './report.ts';
import { readSlug } from './slugs.ts';
import {
  handleReader,
  isEmpty,
  readCount,
  readDate,
  readJson,
  readList,
  readMoney,
  readPartialDate,
  readText,
  readUrl,
  readYear,
} from './values.ts';

/** Synonyms of vocabulary values, folded. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  initial_coin_offering: ['ico'],
  m_and_a: ['ma', 'acquisition', 'mergersandacquisitions'],
  grant: ['grants'],
  debt_financing: ['debt'],
  convertible_note: ['convertiblenoteissuance'],
  pre_series_a: ['seriesprea'],
  venture_capital: ['vc', 'venturecapitalfirm', 'venturefund'],
  corporate_venture_capital: ['cvc', 'corporatevc'],
  angel: ['angelinvestor'],
  founder: ['cofounder'],
  board: ['boardmember'],
  advisor: ['adviser'],
  in_person: ['physical', 'offline', 'onsite'],
  online: ['virtual'],
};

/** Returns a function that maps text to a vocabulary value, or undefined. */
export function labelReader(vocabulary: readonly string[]): (text: unknown) => string | undefined {
  const byFold = new Map(vocabulary.map((label) => [foldName(label), label]));
  for (const label of vocabulary) for (const word of SYNONYMS[label] ?? []) byFold.set(word, label);
  return (text) => {
    // "Series A+" is not Series A.
    if (String(text).includes('+')) return undefined;
    const folded = foldName(String(text));
    return byFold.get(folded) ?? byFold.get(folded.replace(/round$/, ''));
  };
}

/** Parses a value of a file; reports ignored parts, and returns undefined if nothing remains. */
export type FieldReader = (value: unknown, note: Note) => unknown;

const readTwitter = handleReader(/^(www\.)?(twitter|x)\.com\/?/i, 'https://x.com/');
const readGithub = handleReader(/^(www\.)?github\.com\/?/i, 'https://github.com/');

/** Unknown labels pass through here, so that the row keeps its raw label or is rejected. */
const OTHER = 'other';

/** Parsers of every importable field of a type; `isText` for formats without types, such as CSV. */
export function fieldReaders(type: RecordType, isText: boolean): ReadonlyMap<string, FieldReader> {
  const shape: Readonly<Record<string, unknown>> = entityOf(type).record.shape;
  return new Map(
    writableFields(type).map((field) => {
      const schema = bareSchema(shape[field]);
      const read = readerOf(type, field, schema, isText);
      if (schema instanceof z.ZodArray) return [field, separatedReader(field, read)];
      // Events are announced before they take place.
      if (read === readMoney) return [field, amountReader(field)];
      const isOfPast = type !== 'events' && (read === readDate || read === readPartialDate || read === readYear);
      return [field, isOfPast ? pastReader(field, read) : read];
    }),
  );
}

/** Fewer dollars are more often millions without their unit. */
const AMOUNT_MIN = 1_000;

const amountReader =
  (field: string): FieldReader =>
  (value, note) => {
    const amount = readMoney(value);
    if (Number(amount) > 0 && Number(amount) < AMOUNT_MIN)
      note({
        field,
        value: String(value),
        message: 'is read as US dollars, not as millions; those are written with an M',
      });
    return amount;
  };

/** Notes a date or year that is to come, which is more often a mistake. */
const pastReader =
  (field: string, read: FieldReader): FieldReader =>
  (value, note) => {
    const stated = read(value, note);
    const today = new Date().toISOString();
    if (String(stated) > today.slice(0, String(stated).length))
      note({ field, value: String(value), message: 'is in the future; stored as written' });
    return stated;
  };

/** Notes text of a list that seems to be separated otherwise than by |. */
const separatedReader =
  (field: string, read: FieldReader): FieldReader =>
  (value, note) => {
    noteSeparators(field, value, note);
    return read(value, note);
  };

/** A semicolon, or a comma but that of `Acme, Inc.` */
const OTHER_SEPARATOR = /;|,(?! *(?:inc|llc|ltd|lp|l\.p|corp|co|gmbh|ag|s\.a|jr|sr)\b)/i;

export function noteSeparators(field: string, value: unknown, note: Note): void {
  if (typeof value !== 'string' || !OTHER_SEPARATOR.test(value) || readJson(value) !== undefined) return;
  note({ field, value, message: 'has a comma or semicolon, which is part of a value; a list is separated by |' });
}

function readerOf(type: RecordType, field: string, schema: z.ZodType, isText: boolean): FieldReader {
  const relation = relationOf(type, field);
  if (relation !== undefined) {
    const isList = schema instanceof z.ZodArray;
    const item = (isList ? schema.element : schema) as z.ZodObject;
    const named = Object.values<string>({ ...relation.keys });
    const extras = Object.keys(item.shape).filter((name) => !named.includes(name));
    return referenceReader({ relation, extras, readExtra: extraReaders(item) }, isList, isText);
  }
  if (field === 'slug') return (value) => readSlug(type, value);
  if (field === 'sources') return readSources;
  if (field === 'announcement') return readAnnouncement;
  if (field === 'twitter') return readTwitter;
  if (field === 'github') return readGithub;
  if (field === 'status' && schema instanceof z.ZodEnum) return statusReader(schema.options.map(String));
  if (schema instanceof z.ZodEnum) return vocabularyReader(field, schema.options.map(String));
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum) return labelsReader(schema.element, field);
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) return itemsReader(field, schema);
  return READERS.get(schema._zod.def) ?? readText;
}

/** Parsers by the zod definition that fields of one kind share. */
const READERS = new Map<unknown, FieldReader>([
  [money._zod.def, readMoney],
  [isoDate._zod.def, readDate],
  [partialDate._zod.def, readPartialDate],
  [year._zod.def, readYear],
  [count._zod.def, readCount],
  [webUrl._zod.def, readUrl],
  [labels._zod.def, (value) => readList(value).map(readText)],
  [location._zod.def, readPlace],
]);

function extraReaders(item: z.ZodObject): Readonly<Record<string, FieldReader>> {
  const labelled = Object.entries(item.shape).flatMap(([name, schema]) => {
    const inner = bareSchema(schema);
    return inner instanceof z.ZodEnum ? [[name, vocabularyReader(name, inner.options.map(String))] as const] : [];
  });
  return Object.fromEntries(labelled);
}

/** Maps a label to the vocabulary, or to "other" if it has that; otherwise passes it through. */
function vocabularyReader(field: string, vocabulary: readonly string[]): FieldReader {
  const read = labelReader(vocabulary);
  return (value, note) => {
    const known = read(value);
    if (known !== undefined || !vocabulary.includes(OTHER)) return known ?? value;
    note({ field, value: String(value), message: `is not a known one; stored as ${OTHER}` });
    return OTHER;
  };
}

/** Parses labels, or the keys of counts by label. Unknown ones are ignored. */
function labelsReader({ options }: z.ZodEnum, field: string): FieldReader {
  const read = labelReader(options.map(String));
  return (value, note) => {
    const parsed = typeof value === 'string' ? (readJson(value) ?? value) : value;
    const isCounts = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    const found = (isCounts ? Object.keys(parsed) : readList(parsed)).flatMap((label) => {
      const known = read(label);
      if (known === undefined) note(`${field} outside the vocabulary: ${label}`);
      return known ?? [];
    });
    return found.length === 0 ? undefined : [...new Set(found)];
  };
}

const ADDRESS = /https?:\/\/[^\s"'<>]+/i;

/** Extracts the URL of a source from text. Text without one is ignored, because the round is worth more than its source. */
function readAnnouncement(value: unknown, note: Note): unknown {
  const inside = typeof value === 'string' ? ADDRESS.exec(value)?.[0] : undefined;
  const found = [readUrl(value), inside].find((read) => webUrl.safeParse(read).success);
  if (found === undefined) note('announcement without an address');
  return found;
}

/** Other exporters have other statuses, such as of a listing; unknown ones are ignored. */
function statusReader(vocabulary: readonly string[]): FieldReader {
  const read = labelReader(vocabulary);
  return (value, note) => {
    const found = read(value);
    if (found === undefined) note(`status outside the vocabulary: ${value}`);
    return found;
  };
}

/** Parses items in our own form, as JSON in a cell, or as plain names; other forms are ignored. */
function itemsReader(field: string, schema: z.ZodArray): FieldReader {
  return (value, note) => {
    const parsed = typeof value === 'string' ? (readJson(value) ?? readList(value)) : value;
    const items = Array.isArray(parsed)
      ? parsed.map((item) => (typeof item === 'string' ? { name: item } : item))
      : parsed;
    const { data: ours } = schema.safeParse(items);
    if (ours === undefined) note(field);
    return ours;
  };
}

/** Parses sources in our own form; other forms are ignored. */
function readSources(value: unknown, note: Note): unknown {
  const parsed = typeof value === 'string' ? (readJson(value) ?? value) : value;
  const { data: ours } = z.array(source).safeParse(parsed);
  if (ours === undefined) {
    if (!isEmpty(value)) note('sources');
    return undefined;
  }
  for (const name of (parsed as object[]).flatMap(Object.keys))
    if (!Object.hasOwn(source.shape, name)) note(`sources.${name}`);
  return ours;
}

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const names = LETTERS.flatMap((first) => LETTERS.map((second) => regions.of(first + second) ?? ''));
const COUNTRIES = new Set([...names, 'USA', 'US', 'UK', 'UAE', 'Hong Kong', 'Czech Republic', 'Korea'].map(foldName));

const PARTS: ReadonlyMap<string, 'city' | 'country'> = new Map(
  Object.entries({
    city: 'city',
    town: 'city',
    country: 'country',
    countryname: 'country',
  }),
);

/** Parses a location from an object or text such as "Zug, Switzerland"; reports unknown parts. */
function readPlace(value: unknown, note: Note): unknown {
  const decoded = typeof value === 'string' ? (readJson(value) ?? value) : value;
  if (typeof decoded === 'string') return placeOfText(decoded, note);
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) return value;
  const parts: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(decoded)) {
    const part = PARTS.get(foldName(name));
    if (part === undefined) note(`location_json.${name}`);
    else if (!isEmpty(content)) parts[part] = content;
  }
  return isEmpty(parts) ? undefined : parts;
}

/** The last part is a country only if it is the name of one: "Austin, Texas" has none. */
function placeOfText(text: string, note: Note): Record<string, string> {
  const words = splitText(text, ',');
  const last = words.at(-1) ?? '';
  const country = COUNTRIES.has(foldName(last)) ? { country: last } : {};
  const [city] = words;
  const isCountryAlone = words.length === 1 && 'country' in country;
  if (words.length > ('country' in country ? 2 : 1))
    note({ field: 'location', value: text, message: 'has parts that are no city or country; those are left out' });
  return city === undefined || isCountryAlone ? country : { city, ...country };
}
