import { lowerBound } from './key-set.ts';
import type { PostingsChange } from './postings-change.ts';

/**
 * A sorted run: list numbers, start offsets and changes as native integers in one buffer, stored and searched without conversion.
 */
export interface SortedRun {
  readonly lists: Float64Array;
  /** By list, plus the end. */
  readonly starts: Uint32Array;
  /** Document ids, ascending within a list; removals have the highest bit set and so come last. */
  readonly changes: Uint32Array;
}

export const REMOVED = 2 ** 31;
const NOTHING = new Uint32Array();
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const CHANGE_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Allocates a run; its list count precedes the lists. */
export function newRun(lists: number, changes: number): SortedRun {
  const buffer = new ArrayBuffer((1 + lists) * NUMBER_BYTES + (lists + 1 + changes) * CHANGE_BYTES);
  new Float64Array(buffer, 0, 1)[0] = lists;
  return viewRun(buffer);
}

export const bytesOfRun = ({ lists }: SortedRun): Uint8Array => new Uint8Array(lists.buffer);

export function runOfBytes(data: Uint8Array): SortedRun {
  // Copied, because database buffers may be unaligned.
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

/** Merged changes of runs, oldest first, in the lists from `from` up to, excluding, `end`. */
export function* changesOf(
  runs: readonly SortedRun[],
  from: number,
  end: number,
): Generator<[list: number, change: PostingsChange]> {
  const places = Uint32Array.from(runs, (run) => lowerBound(run.lists, from));
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

/** Lists with removals only. */
export const emptiedLists = ({ lists, starts, changes }: SortedRun): number[] =>
  [...lists].filter((_, index) => changes[starts[index]] >= REMOVED);

/**
 * Combines changes of a list from several runs, oldest first: the last one per document id wins. Within a run an
 * addition wins, because the id moved between documents.
 */
function changeOf(parts: readonly Uint32Array[]): PostingsChange {
  // Fast path: most runs only add, and most lists occur in one run.
  if (parts.every(isAdding)) return { added: parts.length === 1 ? parts[0] : together(parts), removed: NOTHING };
  const isAdded = new Map<number, boolean>();
  for (const part of parts) {
    for (const code of part) if (code >= REMOVED) isAdded.set(code - REMOVED, false);
    for (const code of part) if (code < REMOVED) isAdded.set(code, true);
  }
  const added: number[] = [];
  const removed: number[] = [];
  for (const [docId, is] of isAdded) (is ? added : removed).push(docId);
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
