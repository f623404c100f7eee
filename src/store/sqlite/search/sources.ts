import { type Entry, firstOfKey, type Lists } from './lists.ts';
import { type Layout, PLACES_MAX, stepOf, wordOf } from './ordinals.ts';
import { bitsStart, decodeRun, decodeSegment, type Run, runsOf, SEGMENT_BYTES_MAX } from './segments.ts';

/** Lists that are evidence for some words of the query, with what they are worth. */
export interface Source {
  entries: readonly Entry[];
  count: number;
  weight: number;
  /** The first and the last word of the query that it stands for. */
  from: number;
  to: number;
}

/** Reads sources; the memory it works in is used again by every search. */
export interface SourceReader {
  /** All ordinals of some sources, ascending and without repeats. */
  union(sources: readonly Source[]): Uint32Array;
  /** Raises the values of those of the ascending ordinals that the source holds to at least `value`. */
  raise(source: Source, ordinals: Uint32Array, values: Float32Array, value: number): void;
  /** Sets the bits of the source's ordinals. */
  fill(source: Source, layout: Layout, bits: Uint32Array): void;
}

const SEGMENT_ORDINALS_MAX = SEGMENT_BYTES_MAX * 8;
const SEGMENT_WORDS_MAX = SEGMENT_BYTES_MAX / 4;

export function createSourceReader(lists: Lists): SourceReader {
  const decoded = new Uint32Array(SEGMENT_ORDINALS_MAX);
  const words = new Uint32Array(SEGMENT_WORDS_MAX);
  const wordBytes = new Uint8Array(words.buffer);
  const dataOf = (entry: Entry): Uint8Array => {
    entry.data ??= lists.read(entry.key);
    return entry.data;
  };

  const decodeSource = (source: Source): Uint32Array => {
    const ordinals = new Uint32Array(source.count);
    let length = 0;
    for (const entry of source.entries) length = decodeSegment(firstOfKey(entry.key), dataOf(entry), ordinals, length);
    return ordinals;
  };

  return {
    union(sources) {
      const all = sources.filter((source) => source.count > 0).sort((one, other) => one.count - other.count);
      let union: Uint32Array = new Uint32Array();
      for (const source of all)
        union = union.length === 0 ? decodeSource(source) : mergeOrdinals(union, decodeSource(source));
      return union;
    },
    raise(source, ordinals, values, value) {
      let start = 0;
      for (let place = 0; place < source.entries.length && start < ordinals.length; place++) {
        const entry = source.entries[place];
        const first = firstOfKey(entry.key);
        const next = source.entries[place + 1];
        while (start < ordinals.length && ordinals[start] < first) start++;
        const end = next ? endBefore(ordinals, start, firstOfKey(next.key)) : ordinals.length;
        if (start === end) continue;
        let from = start;
        for (const run of runsOf(first, dataOf(entry))) {
          if (from >= end) break;
          const raised = { ordinals, start: from, end, values, value };
          from = run.isBits ? raiseByBits(run, raised) : raiseBySteps(decoded, decodeRun(run, decoded, 0), raised);
        }
        start = end;
      }
    },
    fill(source, layout, target) {
      const fillBits = ({ first, data }: Run) => {
        wordBytes.fill(0, data.length, (data.length + 3) & ~3);
        wordBytes.set(data);
        const start = wordOf(layout, bitsStart(first));
        const length = (data.length + 3) >>> 2;
        for (let index = 0; index < length; index++) target[start + index] |= words[index];
      };
      for (const entry of source.entries) {
        for (const run of runsOf(firstOfKey(entry.key), dataOf(entry))) {
          if (run.isBits) fillBits(run);
          else fillSteps(decoded, decodeRun(run, decoded, 0), layout, target);
        }
      }
    },
  };
}

interface Raised {
  ordinals: Uint32Array;
  start: number;
  end: number;
  values: Float32Array;
  value: number;
}

function endBefore(ordinals: Uint32Array, start: number, border: number): number {
  let end = start;
  while (end < ordinals.length && ordinals[end] < border) end++;
  return end;
}

/** Gives the index of the first ordinal behind the run. */
function raiseByBits({ first, data }: Run, { ordinals, start, end, values, value }: Raised): number {
  const base = bitsStart(first);
  for (let index = start; index < end; index++) {
    const bit = ordinals[index] - base;
    if (bit < 0) continue;
    if (bit >>> 3 >= data.length) return index;
    if ((data[bit >>> 3] >>> (bit & 7)) & 1 && values[index] < value) values[index] = value;
  }
  return end;
}

function raiseBySteps(held: Uint32Array, length: number, { ordinals, start, end, values, value }: Raised): number {
  let place = 0;
  for (let index = start; index < end; index++) {
    while (place < length && held[place] < ordinals[index]) place++;
    if (place === length) return index;
    if (held[place] === ordinals[index] && values[index] < value) values[index] = value;
  }
  return end;
}

function fillSteps(ordinals: Uint32Array, length: number, layout: Layout, target: Uint32Array): void {
  let end = 0;
  let shift = 0;
  for (let index = 0; index < length; index++) {
    const ordinal = ordinals[index];
    if (ordinal >= end) {
      end = (stepOf(ordinal) + 1) * PLACES_MAX;
      shift = wordOf(layout, ordinal) - (ordinal >>> 5);
    }
    target[(ordinal >>> 5) + shift] |= 1 << (ordinal & 31);
  }
}

/** Both ascending; what is in both is kept once. */
export function mergeOrdinals(one: Uint32Array, other: Uint32Array): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(one.length + other.length);
  let length = 0;
  let oneIndex = 0;
  let otherIndex = 0;
  while (oneIndex < one.length && otherIndex < other.length) {
    const left = one[oneIndex];
    const right = other[otherIndex];
    merged[length++] = Math.min(left, right);
    if (left <= right) oneIndex++;
    if (right <= left) otherIndex++;
  }
  while (oneIndex < one.length) merged[length++] = one[oneIndex++];
  while (otherIndex < other.length) merged[length++] = other[otherIndex++];
  return merged.subarray(0, length);
}
