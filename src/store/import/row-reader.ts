import { isMoney } from '../../contract/aggregate.ts';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { type ImportTarget, importTargets, writableFields } from '../../contract/import-names.ts';
import { foldName } from '../../contract/names.ts';
import { completeFields, type Parts } from './complete-fields.ts';
import { type FieldReader, fieldReaders } from './fields.ts';
import type { Note } from './report.ts';
import { isEmpty, readUrl } from './values.ts';

/** A parsed row with fields under their record names. */
interface ReadRow {
  readonly fields: Record<string, unknown>;
  /** The id used by the exporter. */
  readonly id: unknown;
  /** Of a round: the website of its company. */
  readonly companySite: unknown;
}

/** Bounds the cache; a garbage file could have new names in every row. */
const NAMES_KNOWN_MAX = 10_000;
/** Free text, so placeholder words such as "none" are valid values. */
const NEVER_EMPTY_WORDS = new Set(['name', 'slug']);

/** Creates the row parser of a type. It maps names and values leniently; the store validates. */
export function createRowReader(type: RecordType, isText: boolean): (value: object, note: Note) => ReadRow {
  const readers = fieldReaders(type, isText);
  const targetOf = createTargets(type);
  const writable = writableFields(type);
  // Our own files have fields that the service computes.
  const computed = new Set(Object.keys(entityOf(type).record.shape).filter((field) => !writable.includes(field)));
  return (value, note) => {
    const fields: Record<string, unknown> = {};
    const parts: Parts = {};
    const given = new Map<string, { readonly content: unknown; readonly isOwn: boolean }>();
    const converted = new Set<string>();
    for (const [name, content] of Object.entries(value)) {
      const target = targetOf(name);
      if (target === undefined) {
        if (!computed.has(name)) note(name);
      } else if (isStatedValue(target, content)) {
        const { to: field, isOwn } = target;
        const other = given.get(field);
        const stored = fields[field] ?? parts[field as keyof Parts];
        const isTaken = other === undefined || stored === undefined || (isOwn && !other.isOwn);
        if (other !== undefined && String(other.content) !== String(content))
          note({
            field,
            value: String(isTaken ? other.content : content),
            message: 'is left out; another column says otherwise',
          });
        if (other !== undefined && other.isOwn !== isOwn) converted.add(field);
        if (!isTaken || other?.isOwn) continue;
        given.set(field, { content, isOwn });
        readInto(target, content, { fields, parts, readers, note });
      }
    }
    nameOtherCurrencies(fields, parts, converted);
    completeFields(type, fields, parts, note);
    return { fields, id: parts.id, companySite: readUrl(parts.company_website) };
  };
}

function createTargets(type: RecordType): (name: string) => ImportTarget | undefined {
  const targets = importTargets(type);
  const known = new Map<string, ImportTarget | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const target = targetOfColumn(targets, name);
    if (known.size < NAMES_KNOWN_MAX) known.set(name, target);
    return target;
  };
}

const OTHER_SIGN = /(?!\$)\p{Sc}/u;

/** The field of a column; also of an amount in dollars beside one in its currency, such as `Money Raised (in USD)`. */
function targetOfColumn(targets: ReadonlyMap<string, ImportTarget>, name: string): ImportTarget | undefined {
  const folded = foldName(name);
  const target = targets.get(folded);
  if (target !== undefined) return isMoney(target.to) && OTHER_SIGN.test(name) ? undefined : target;
  const [, amount = '', ending] = /^(.+?)(currency|(?:currency)?(?:in)?usd)$/.exec(folded) ?? [];
  const field = targets.get(amount)?.to ?? '';
  if (!isMoney(field)) return undefined;
  return ending === 'currency' ? { to: `${field}.currency`, isOwn: false } : { to: field, isOwn: true };
}

const DOLLARS = /^\s*(?:usd|(?:us ?)?\$|(?:us )?dollars?)\s*$/i;

/** Puts the currency of a row after amounts that are not in dollars, for validation to refuse. Those in a column of dollars beside another are. */
function nameOtherCurrencies(fields: Record<string, unknown>, parts: Parts, converted: ReadonlySet<string>): void {
  for (const field of Object.keys(fields).filter(isMoney)) {
    const currency = parts[`${field}.currency`] ?? parts.currency;
    if (currency !== undefined && !DOLLARS.test(String(currency)) && !converted.has(field))
      fields[field] = `${fields[field]} ${currency}`;
  }
}

const isStatedValue = ({ to }: ImportTarget, content: unknown): boolean =>
  NEVER_EMPTY_WORDS.has(to) ? content !== null && content !== undefined && content !== '' : !isEmpty(content);

interface FieldTarget {
  readonly fields: Record<string, unknown>;
  readonly parts: Parts;
  readonly readers: ReadonlyMap<string, FieldReader>;
  readonly note: Note;
}

function readInto({ to }: ImportTarget, content: unknown, { fields, parts, readers, note }: FieldTarget): void {
  const read = readers.get(to);
  if (read === undefined) {
    parts[to as keyof Parts] = content;
    return;
  }
  const value = read(content, note);
  if (value !== undefined) fields[to] = value;
}
