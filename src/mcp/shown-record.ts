import * as z from 'zod';
import { entityOf, type RecordData } from '../contract/entities/index.ts';
import { unknownFacts } from '../contract/filters.ts';
import { UNSOURCED_FIELDS, unsourcedAmong } from '../contract/unsourced.ts';
import { withAnd } from '../contract/value-text.ts';
import { DATA_NOTICE, sanitize } from './sanitize.ts';

/** Output schema of a record of any type; its fields depend on its type. */
export const recordOutput = z.looseObject({
  type: z.string(),
  id: z.int(),
  name: z.string(),
  slug: z.string(),
}) as z.ZodType as z.ZodType<RecordData>;

const DETAILS = ['concise', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

export interface Showing {
  readonly detail: Detail;
  readonly fields?: readonly string[] | undefined;
  /** The field of the order of its list, which a concise record has as well. */
  readonly sortedBy?: string | undefined;
  /** Fields that its search asks for, which a concise record has as well. */
  readonly asked?: readonly string[] | undefined;
}

export const detailArgument = z
  .enum(DETAILS)
  .default('concise')
  .meta({ description: 'concise: main known fields; full: all, with sources.' });

export const fieldsArgument = z
  .array(z.string())
  .max(50)
  .optional()
  .meta({ description: 'Only these fields, instead of detail.' });

/** Part of the structured content too, because some hosts show only that to a model. */
export const notice = z.string().default(DATA_NOTICE);

export const NAMING = ['type', 'id', 'name', 'slug'];

/** A record in the chosen detail. `concise` omits unknown fields; `full` has them as null. */
export function showRecord(given: RecordData, { detail, fields, sortedBy = 'as_of', asked = [] }: Showing): RecordData {
  const record = detail === 'full' || fields !== undefined ? withNulls(given) : given;
  if (detail === 'full' && fields === undefined) return sanitize(record);
  const selected = fields ?? [...entityOf(record.type).concise, ...asked, sortedBy, 'as_of'];
  const names = [...new Set([...NAMING, ...selected, 'approximate'])].filter((field) => Object.hasOwn(record, field));
  const entries = names.map((field) => [field, fields === undefined ? brief(record[field]) : record[field]] as const);
  const unsourced = unsourcedAmong(record, selected);
  return sanitize({
    ...Object.fromEntries(entries.filter(([, value]) => fields !== undefined || isKnown(value))),
    ...(unsourced.length > 0 && { [UNSOURCED_FIELDS]: unsourced }),
  } as RecordData);
}

/** An empty list states nothing: it is unknown, as null is. */
const withNulls = (record: RecordData): RecordData =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [field, Array.isArray(value) && value.length === 0 ? null : value]),
  ) as RecordData;

export const nameRecord = ({ type, id, name, slug }: RecordData): RecordData => ({ type, id, name, slug });

/** A value without its unknown parts, at every depth. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(isReference(value) ? { name: value['name'], slug: value['slug'] } : value)
      .filter(([name]) => !isNumbering(name, value))
      .map(([name, part]) => [name, brief(part)] as const)
      .filter(([, part]) => isKnown(part)),
  );
}

/** Whether a part of a reference in several fields repeats its slug: `organization_id` beside `organization_slug`. */
const isNumbering = (name: string, value: object): boolean =>
  /_(?:id|type)$/.test(name) && Object.hasOwn(value, name.replace(/_[a-z]+$/, '_slug'));

/** Whether a value is a reference, which is reduced to its slug. */
const isReference = (value: object): value is Record<string, unknown> => NAMING.every((part) => part in value);

/** Whether a value states something: null and empty lists and objects do not. */
export function isKnown(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The latest `as_of` of the records; null if none has one. */
export function newestAsOf(records: readonly RecordData[]): string | null {
  const dates = records.map((record) => record['as_of']).filter((date): date is string => typeof date === 'string');
  return dates.sort().at(-1) ?? null;
}

export const recordLine = (record: RecordData): string => JSON.stringify(record);

/** Records that filters excluded as unknown, and how many records have each field. */
interface LeftOut {
  readonly unknown: Readonly<Record<string, unknown>>;
  readonly unknown_grants?: Readonly<Partial<Record<string, number>>> | undefined;
  readonly coverage?: Readonly<Record<string, unknown>> | undefined;
}

interface Covered {
  readonly known: number;
  readonly records: number;
  readonly grants?: number;
}

/** One line with the number of records that filters excluded as unknown, so that a result does not seem complete. */
export function leftOutLine({ unknown, unknown_grants: grants = {}, coverage = {} }: LeftOut): string {
  const among = (some: number | undefined): string => (some === undefined ? '' : ` (${some} of them grants)`);
  const left = [...unknownFacts(unknown)].map(
    ([names, count]) => `${count} for ${withAnd(names)}${among(grants[names[0] ?? ''])}`,
  );
  const stated = (Object.entries(coverage) as [string, Covered][])
    .filter(([name]) => name !== 'to' || !('from' in coverage))
    .map(([name, { known, records, grants: some }]) => `${name} ${known} of ${records}${among(some)}`);
  const leftOut = left.length === 0 ? '' : ` Left out, because the fact is unknown: ${left.join(', ')}.`;
  const several = stated.length > 1 ? ' Those lacking several facts are left out uncounted.' : '';
  return stated.length === 0 ? leftOut : `${leftOut}${several} Known, whatever the filters: ${stated.join(', ')}.`;
}
