import type { PostingChange } from './list-change.ts';

/**
 * Changes of lists, in the order of the lists: their numbers, where the changes of each begin, and the changes. All are
 * plain numbers of the machine in one buffer, so that a run is kept, read and searched as it is.
 */
export interface SortedRun {
  readonly lists: Float64Array;
  /** By list, and the end. */
  readonly starts: Uint32Array;
  /** Ordinals, ascending within a list; those that are removed have the highest bit, and so stand last. */
  readonly changes: Uint32Array;
}

export const REMOVED = 2 ** 31;
const NOTHING = new Uint32Array();
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const CHANGE_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Room for a run; before its lists is their number. */
export function newRun(lists: number, changes: number): SortedRun {
  const buffer = new ArrayBuffer((1 + lists) * NUMBER_BYTES + (lists + 1 + changes) * CHANGE_BYTES);
  new Float64Array(buffer, 0, 1)[0] = lists;
  return viewRun(buffer);
}

export const bytesOfRun = ({ lists }: SortedRun): Uint8Array => new Uint8Array(lists.buffer);

export function runOfBytes(data: Uint8Array): SortedRun {
  // A copy: what comes from the database may begin at any byte.
  return viewRun(Uint8Array.from(data).buffer);
}

function viewRun(buffer: ArrayBuffer): SortedRun {
  const lists = new Float64Array(buffer, 0, 1)[0];
  const startsAt = (1 + lists) * NUMBER_BYTES;
  return {
    lists: new Float64Array(buffer, NUMBER_BYTES, lists),
    starts: new Uint32Array(buffer, startsAt, lists + 1),
    changes: new Uint32Array(buffer, startsAt + (lists + 1) * CHANGE_BYTES),
  };
}

/** The changes that runs, the oldest first, make in the lists `from` up to and without `end`, list by list. */
export function* changesOf(
  runs: readonly SortedRun[],
  from: number,
  end: number,
): Generator<[list: number, change: PostingChange]> {
  const places = Uint32Array.from(runs, (run) => placeOfList(run, from));
  const heads = Float64Array.from(runs, ({ lists }, index) => lists[places[index]] ?? Infinity);
  for (;;) {
    let list = end;
    for (let index = 0; index < heads.length; index++) if (heads[index] < list) list = heads[index];
    if (list === end) return;
    const parts: Uint32Array[] = [];
    for (let index = 0; index < heads.length; index++) {
      if (heads[index] !== list) continue;
      const { lists, starts, changes } = runs[index];
      const place = places[index]++;
      parts.push(changes.subarray(starts[place], starts[place + 1]));
      heads[index] = lists[place + 1] ?? Infinity;
    }
    yield [list, changeOf(parts)];
  }
}

/** The index of the first list that is not below `list`. */
function placeOfList({ lists }: SortedRun, list: number): number {
  let low = 0;
  let high = lists.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lists[middle] < list) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The lists that a run only removes from. */
export const emptiedLists = ({ lists, starts, changes }: SortedRun): number[] =>
  [...lists].filter((_, index) => changes[starts[index]] >= REMOVED);

/**
 * What several parts of runs, the oldest first, make of one list: of an ordinal the last word counts, and within a part that it
 * is added: it has gone from one document to another.
 */
function changeOf(parts: readonly Uint32Array[]): PostingChange {
  // Most parts only add, and most lists have one part.
  if (parts.every(isAdding)) return { added: parts.length === 1 ? parts[0] : together(parts), removed: NOTHING };
  const isAdded = new Map<number, boolean>();
  for (const part of parts) {
    for (const code of part) if (code >= REMOVED) isAdded.set(code - REMOVED, false);
    for (const code of part) if (code < REMOVED) isAdded.set(code, true);
  }
  const added: number[] = [];
  const removed: number[] = [];
  for (const [ordinal, is] of isAdded) (is ? added : removed).push(ordinal);
  return { added: Uint32Array.from(added).sort(), removed: Uint32Array.from(removed).sort() };
}

const isAdding = (part: Uint32Array): boolean => part[part.length - 1] < REMOVED;

function together(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all.sort();
}
