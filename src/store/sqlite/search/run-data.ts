import type { Change } from './list-change.ts';

/**
 * A run holds the changes that some lists wait for, in the order of the lists: their numbers, where the changes of each
 * begin, and the changes. All are plain numbers of the machine, so that a run is searched as it was read.
 */
export interface Run {
  readonly lists: Float64Array;
  /** By list, and the end. */
  readonly starts: Uint32Array;
  /** Ordinals; one that is removed has the highest bit. */
  readonly changes: Uint32Array;
}

/** The change of one list. */
export type ListChange = readonly [list: number, change: Change];

const REMOVED = 2 ** 31;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const CHANGE_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** `changes` have ascending lists. */
export function encodeRun(changes: readonly ListChange[]): Uint8Array {
  const length = changes.reduce((sum, [, { added, removed }]) => sum + added.length + removed.length, 0);
  const buffer = new ArrayBuffer((1 + changes.length) * NUMBER_BYTES + (changes.length + 1 + length) * CHANGE_BYTES);
  new Float64Array(buffer, 0, 1)[0] = changes.length;
  const run = viewRun(buffer);
  let end = 0;
  changes.forEach(([list, { added, removed }], place) => {
    run.lists[place] = list;
    run.starts[place] = end;
    run.changes.set(added, end);
    end += added.length;
    for (const ordinal of removed) run.changes[end++] = ordinal + REMOVED;
  });
  run.starts[changes.length] = end;
  return new Uint8Array(buffer);
}

export function decodeRun(data: Uint8Array): Run {
  // A copy: what comes from the database may begin at any byte.
  return viewRun(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer);
}

function viewRun(buffer: ArrayBuffer): Run {
  const lists = new Float64Array(buffer, 0, 1)[0];
  const startsAt = (1 + lists) * NUMBER_BYTES;
  const changesAt = startsAt + (lists + 1) * CHANGE_BYTES;
  return {
    lists: new Float64Array(buffer, NUMBER_BYTES, lists),
    starts: new Uint32Array(buffer, startsAt, lists + 1),
    changes: new Uint32Array(buffer, changesAt),
  };
}

/** The index of the first list that is not below `list`. */
export function placeOfList({ lists }: Run, list: number): number {
  let low = 0;
  let high = lists.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lists[middle] < list) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What several parts of runs, the oldest first, make of one list: of an ordinal the last word counts. */
export function changeOf(parts: readonly Uint32Array[]): Change {
  const isAdded = new Map<number, boolean>();
  for (const part of parts) for (const code of part) isAdded.set(code % REMOVED, code < REMOVED);
  const pick = (wanted: boolean) =>
    Uint32Array.from([...isAdded].flatMap(([ordinal, is]) => (is === wanted ? [ordinal] : []))).sort();
  return { added: pick(true), removed: pick(false) };
}
