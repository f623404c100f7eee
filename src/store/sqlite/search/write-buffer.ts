import { newRun, REMOVED, type SortedRun } from './sorted-run.ts';

/** Buffers posting list changes in any order. An id both removed and added is added. */
export interface WriteBuffer {
  add(list: number, docId: number): void;
  remove(list: number, docId: number): void;
  size(): number;
  /** Returns and clears the buffer as a sorted run. */
  drain(): SortedRun;
}

export function createWriteBuffer(): WriteBuffer {
  /** Lists by order of appearance. */
  let numbers = new Map<number, number>();
  let counts: number[] = [];
  /** Per change: the index of its list and the document id, bitwise negated (-1 - id) for removals. */
  let places: number[] = [];
  let docIds: number[] = [];

  const push = (list: number, docId: number) => {
    let number = numbers.get(list);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(list, number);
      counts.push(0);
    }
    counts[number] += 1;
    places.push(number);
    docIds.push(docId);
  };

  const clear = () => {
    numbers = new Map();
    counts = [];
    places = [];
    docIds = [];
  };

  return {
    add: push,
    remove: (list, docId) => push(list, -1 - docId),
    size: () => places.length,
    drain() {
      const run = newRun(numbers.size, places.length);
      run.lists.set(Float64Array.from(numbers.keys()).sort());
      const ends = new Uint32Array(numbers.size);
      let end = 0;
      for (let index = 0; index < run.lists.length; index++) {
        const number = numbers.get(run.lists[index]) ?? 0;
        run.starts[index] = end;
        ends[number] = end;
        end += counts[number];
      }
      run.starts[run.lists.length] = end;
      for (let index = 0; index < places.length; index++) {
        const docId = docIds[index];
        run.changes[ends[places[index]]++] = docId < 0 ? REMOVED - 1 - docId : docId;
      }
      sortLists(run);
      clear();
      return run;
    },
  };
}

function sortLists({ starts, changes }: SortedRun): void {
  for (let index = 0; index + 1 < starts.length; index++) {
    const start = starts[index];
    const end = starts[index + 1];
    let isSorted = true;
    for (let place = start + 1; place < end; place++) isSorted &&= changes[place - 1] < changes[place];
    if (!isSorted) changes.subarray(start, end).sort();
  }
}
