import type { Database } from 'better-sqlite3';
import { firstKeyFrom } from './key-set.ts';
import { keyOf, listOfKey } from './postings-codec.ts';
import { type BlockEntry, type BlockReader, changedBlocks, type PostingsChange, RUNS_TABLE } from './postings-table.ts';
import { allAscending } from './sets.ts';

/** A sorted run: list numbers, offsets and changes as native integers in one buffer, used without conversion. */
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

function runOfBytes(data: Uint8Array): SortedRun {
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
  const places = Uint32Array.from(runs, (run) => firstKeyFrom(run.lists, from));
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

/** Combines changes of a list, oldest run first: the last per document id wins; within a run, additions win. */
function changeOf(parts: readonly Uint32Array[]): PostingsChange {
  // Fast path: most runs only add, and most lists occur in one run.
  if (parts.every(isAdding)) return { added: parts.length === 1 ? parts[0] : allAscending(parts), removed: NOTHING };
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

/** Merges sorted inputs (k-way, by a heap); equal items keep the order of the inputs. */
export function* mergeSorted<Item>(
  inputs: readonly Iterable<Item>[],
  compare: (one: Item, other: Item) => number,
): Generator<Item> {
  const heads = inputs.flatMap((input, order) => {
    const items = input[Symbol.iterator]();
    const { done, value } = items.next();
    return done ? [] : [{ item: value as Item, items, order }];
  });
  type Head = (typeof heads)[number];
  const isBefore = (one: Head, other: Head): boolean => (compare(one.item, other.item) || one.order - other.order) < 0;
  const siftDown = (start: number) => {
    const head = heads[start];
    let node = start;
    for (;;) {
      let child = 2 * node + 1;
      if (child >= heads.length) break;
      if (child + 1 < heads.length && isBefore(heads[child + 1], heads[child])) child += 1;
      if (!isBefore(heads[child], head)) break;
      heads[node] = heads[child];
      node = child;
    }
    heads[node] = head;
  };
  for (let node = heads.length >>> 1; node >= 0; node--) if (node < heads.length) siftDown(node);
  while (heads.length > 0) {
    const [head] = heads;
    yield head.item;
    const { done, value } = head.items.next();
    if (!done) head.item = value as Item;
    else {
      const last = heads.pop();
      if (heads.length === 0 || last === undefined) return;
      heads[0] = last;
    }
    siftDown(0);
  }
}

/** The unmerged runs of one table, as of the last refresh. */
type Runs = ReturnType<typeof createRuns>;

export function createRuns(database: Database, table: string) {
  const list = database.prepare<[string], { id: number; stamp: number }>(
    `SELECT id, stamp FROM ${RUNS_TABLE} WHERE target = ? ORDER BY id`,
  );
  const read = database.prepare<[number], Uint8Array>(`SELECT data FROM ${RUNS_TABLE} WHERE id = ?`).pluck();
  let known: readonly { readonly id: number; readonly stamp: number; readonly run: SortedRun }[] = [];
  let runs: readonly SortedRun[] = [];
  return {
    refresh(): void {
      // An id may be reused after a rollback; its stamp is not.
      const before = new Map(known.map((one) => [one.stamp, one]));
      known = list.all(table).map(({ id, stamp }) => {
        return before.get(stamp) ?? { id, stamp, run: runOfBytes(read.get(id) ?? new Uint8Array()) };
      });
      runs = known.map(({ run }) => run);
    },
    count: (): number => runs.length,
    lastId: (): number => known.at(-1)?.id ?? 0,
    size: (): number => runs.reduce((sum, { changes }) => sum + changes.length, 0),
    /** Changes of lists from `from` up to, excluding, `end`, in order. */
    between: (from: number, end: number): Iterable<[list: number, change: PostingsChange]> =>
      runs.length === 0 ? [] : changesOf(runs, from, end),
    /** Changes of lists from `from` on in runs up to an id, in order. */
    upTo: (lastId: number, from: number): Iterable<[list: number, change: PostingsChange]> =>
      changesOf(
        runs.filter((_, place) => (known[place]?.id ?? 0) <= lastId),
        from,
        Infinity,
      ),
    /** Lists that only lose documents. */
    emptied: (): number[] =>
      Array.from(changesOf(runs, 0, Infinity)).flatMap(([list, { added }]) => (added.length > 0 ? [] : list)),
  };
}

export function withRuns(lists: BlockReader, runs: Runs): BlockReader {
  const changed = (entries: BlockEntry[], from: number, end: number): BlockEntry[] => {
    if (runs.count() === 0) return entries;
    const changes = [...runs.between(from, end)];
    return changes.length === 0 ? entries : changedEntries(lists, entries, changes);
  };
  return {
    directory: (from, end) => changed(lists.directory(from, end), from, end),
    directories: (from, count) =>
      lists.directories(from, count).map((entries, index) => changed(entries, from[index], from[index] + count)),
    read: lists.read,
  };
}

function changedEntries(
  lists: BlockReader,
  entries: readonly BlockEntry[],
  changes: readonly [list: number, change: PostingsChange][],
): BlockEntry[] {
  const changed = new Set(changes.map(([list]) => list));
  const others = entries.filter(({ key }) => !changed.has(listOfKey(key)));
  for (const [list, change] of changes) {
    const own = entries.filter(({ key }) => listOfKey(key) === list);
    for (const { entry, blocks } of changedBlocks(lists, own, change)) {
      if (blocks === undefined && entry) others.push(entry);
      for (const { first, count, data } of blocks ?? []) others.push({ key: keyOf(list, first), count, data });
    }
  }
  return others.sort((one, other) => one.key - other.key);
}
