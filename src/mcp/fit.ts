import { NAMING, type ShownRecord } from './show.ts';

/** No answer is longer, with its text and its structured content together: hosts cut or store away what is. */
export const ANSWER_CHARACTERS_MAX = 40_000;
/** For what stands around the records in an answer. */
const AROUND_CHARACTERS = 1_500;

/** Characters that a value takes in an answer: once as structured content, once more as a text inside JSON. */
export function weightOf(value: unknown): number {
  const json = JSON.stringify(value);
  return json.length + JSON.stringify(json).length;
}

/** What is left for records beside the arguments of the next call. */
export const roomBeside = (next: unknown): number => ANSWER_CHARACTERS_MAX - AROUND_CHARACTERS - weightOf(next);

/** How many of these records fit, from the first; at least one, which is then to be shortened. */
export function countFitting(records: readonly ShownRecord[], room: number): number {
  // A text inside JSON is twice as long at most, so most pages need not be weighed record by record.
  if (JSON.stringify(records).length * 3 <= room) return records.length;
  let used = 0;
  const cut = records.findIndex((record) => {
    used += weightOf(record);
    return used > room;
  });
  return cut === -1 ? records.length : Math.max(1, cut);
}

/**
 * A record that fits: its longest field loses half of itself until it does. `truncated` names the fields that are not
 * whole.
 */
export function shorten(record: ShownRecord, room: number): ShownRecord {
  const shortened: Record<string, unknown> = { ...record };
  const truncated = new Set<string>();
  while (weightOf(shortened) > room) {
    const longest = longestField(shortened);
    if (longest === undefined) break;
    shortened[longest] = halved(shortened[longest]);
    if (shortened[longest] === undefined) delete shortened[longest];
    truncated.add(longest);
    shortened['truncated'] = [...truncated];
  }
  return shortened as ShownRecord;
}

function longestField(record: Readonly<Record<string, unknown>>): string | undefined {
  const lengths = Object.entries(record)
    .filter(([name]) => name !== 'truncated' && !NAMING.includes(name))
    .map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const);
  return lengths.sort((left, right) => right[1] - left[1])[0]?.[0];
}

/** The first half of a text or a list; of an object, its longest part halved. Undefined when nothing is left of it. */
function halved(value: unknown): unknown {
  if (typeof value === 'string') return value.length < 2 ? undefined : `${value.slice(0, value.length >> 1)}…`;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.slice(0, value.length >> 1);
  if (value === null || typeof value !== 'object') return undefined;
  const [longest] = Object.entries(value).sort((a, b) => JSON.stringify(b[1]).length - JSON.stringify(a[1]).length);
  if (longest === undefined) return undefined;
  const half = halved(longest[1]);
  const { [longest[0]]: _, ...others } = value as Record<string, unknown>;
  return half === undefined ? others : { ...others, [longest[0]]: half };
}

/** A place in a list of pages of one size. */
interface Place {
  readonly page: number;
  readonly limit: number;
}

/**
 * Where to go on when only some records of a page fit: how many of them to show, so that pages of one size lead exactly
 * to the rest, and the place of that rest.
 */
export function splitPage({ page, limit }: Place, fitting: number): { shown: number; rest: Place } {
  const offset = (page - 1) * limit;
  let best = { shown: 1, rest: placeAt(offset + 1, limit) };
  for (let shown = fitting; shown > fitting / 2; shown -= 1) {
    const rest = placeAt(offset + shown, limit);
    if (rest.limit > best.rest.limit) best = { shown, rest };
  }
  return best;
}

/** The largest page that begins after so many records. */
function placeAt(offset: number, limitMax: number): Place {
  let limit = Math.min(limitMax, offset);
  while (offset % limit !== 0) limit -= 1;
  return { page: offset / limit + 1, limit };
}
