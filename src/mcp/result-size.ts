import type { RecordData } from '../contract/entities/index.ts';
import { NAMING } from './shown-record.ts';

/** Maximum characters of a result, text and structured content together: hosts truncate longer ones. */
export const ANSWER_CHARACTERS_MAX = 40_000;
/** Reserved for the parts of a result besides its records. */
const AROUND_CHARACTERS = 1_500;

/** Characters of a value in a result: once as structured content, once escaped inside a JSON string. */
export function jsonLengthOf(value: unknown): number {
  const json = JSON.stringify(value);
  return json.length + JSON.stringify(json).length;
}

/** Characters left for records beside the arguments of the next call. */
export const charactersLeft = (next: unknown): number => ANSWER_CHARACTERS_MAX - AROUND_CHARACTERS - jsonLengthOf(next);

export const fitting = <Item>(items: readonly Item[]): Item[] =>
  items.slice(0, countFitting(items, charactersLeft(null)));

export function countFitting(items: readonly unknown[], room: number): number {
  let used = 0;
  const cut = items.findIndex((item) => {
    used += jsonLengthOf(item);
    return used > room;
  });
  return cut === -1 ? items.length : cut;
}

/** How many leading records fit; at least one, which must then be shortened. */
export function countFittingRecords(records: readonly RecordData[], room: number): number {
  // Escaping at most doubles a text, so most pages need not be measured record by record.
  if (JSON.stringify(records).length * 3 <= room) return records.length;
  return Math.max(1, countFitting(records, room));
}

/** Halves the longest field until the record fits. `truncated` names the shortened fields. */
export function shorten(record: RecordData, room: number): RecordData {
  const shortened: Record<string, unknown> = { ...record };
  const truncated = new Set<string>();
  while (jsonLengthOf(shortened) > room) {
    const longest = longestField(shortened);
    if (longest === undefined) break;
    shortened[longest] = halved(shortened[longest]);
    if (shortened[longest] === undefined) delete shortened[longest];
    truncated.add(longest);
    shortened['truncated'] = [...truncated];
  }
  return shortened as RecordData;
}

function longestField(record: Readonly<Record<string, unknown>>): string | undefined {
  const lengths = Object.entries(record)
    .filter(([name]) => name !== 'truncated' && !NAMING.includes(name))
    .map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const);
  return lengths.sort((left, right) => right[1] - left[1])[0]?.[0];
}

/** Half of a shorter text would not be shorter, with its mark. */
const HALVED_LENGTH_MIN = 3;

/** The first half of a text or list; an object with its longest list halved, whose texts are true only as a whole. Undefined if nothing is left. */
function halved(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length < HALVED_LENGTH_MIN ? undefined : `${value.slice(0, value.length >> 1)}…`;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.slice(0, value.length >> 1);
  if (value === null || typeof value !== 'object') return undefined;
  const [longest] = Object.entries(value)
    .filter(([name, part]) => name !== 'next' && typeof part === 'object')
    .map(([name, part]) => ({ name, half: halved(part), length: JSON.stringify(part).length }))
    .filter(({ half }) => half !== undefined)
    .sort((a, b) => b.length - a.length);
  return longest && { ...value, [longest.name]: longest.half };
}

/** How many records to show of a page that does not fit, so that equal pages lead exactly to the rest, and the page where that begins. */
export function splitPage({ page, limit }: PagePosition, fitting: number): { shown: number; rest: PagePosition } {
  const offset = (page - 1) * limit;
  let best = { shown: 1, rest: placeAt(offset + 1, limit) };
  for (let shown = fitting; shown > fitting / 2; shown -= 1) {
    const rest = placeAt(offset + shown, limit);
    if (rest.limit > best.rest.limit) best = { shown, rest };
  }
  return best;
}

export type PagePosition = ReturnType<typeof placeAt>;

function placeAt(offset: number, limitMax: number) {
  let limit = Math.min(limitMax, offset);
  while (offset % limit !== 0) limit -= 1;
  return { page: offset / limit + 1, limit };
}
