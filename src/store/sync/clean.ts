import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { LIST_LENGTH_MAX } from '../../contract/fields.ts';

const TEXT_LENGTH_MAX = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is taken out are control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** Fields of a source as a record takes them: texts without control and direction characters and of a bounded length, nothing that is unknown, no field of another type. */
export function cleanFields(type: RecordType, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { shape } = entityOf(type).record;
  const entries = Object.entries(fields).map(([name, value]) => [name, clean(value)] as const);
  return Object.fromEntries(entries.filter(([name, value]) => Object.hasOwn(shape, name) && isSaid(value)));
}

const isSaid = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL, ' ').trim().slice(0, TEXT_LENGTH_MAX);
  if (Array.isArray(value)) return value.map(clean).filter(isSaid).slice(0, LIST_LENGTH_MAX);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner)]));
}
