import { DOC_ID_BITS } from '../../search/places.ts';

/**
 * A block holds part of one posting list, at most a few kilobytes. Sparse document ids are delta-encoded in one to four
 * bytes, dense ones as bitmaps, which may be larger but combine word by word. A block of a single delta run omits its
 * first id, which is its key; other blocks are sequences of runs, each with kind, byte length and first id.
 */
export const DOC_ID_END = 2 ** DOC_ID_BITS;
/** Two SQLite pages: larger blocks read faster, smaller ones write faster. */
export const SEGMENT_BYTES_MAX = 8_000;
const RUN_HEADER_BYTES = 7;

const STEPS = 0;
const BITS = 1;
const RUNS = 2;
const BITS_PER_BYTE = 8;
/** Bitmaps are used up to this many bytes per id. */
const BITS_BYTES_PER_DOC_ID = 4;
const BITS_DOC_IDS_MIN = 16;
/** A wider gap ends a bitmap run. */
const GAP_MAX = 1_024;

export interface Segment {
  first: number;
  count: number;
  data: Uint8Array;
}

/** A run of a block: deltas from the first id on, or a bitmap from the first id's word on. */
export interface SegmentPart {
  isBits: boolean;
  first: number;
  data: Uint8Array;
}

/** The runs of a block, in order. */
export function* runsOf(first: number, data: Uint8Array): Generator<SegmentPart> {
  if (data[0] === STEPS) {
    yield { isBits: false, first, data: data.subarray(1) };
    return;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let offset = 1; offset < data.length; ) {
    const start = offset + RUN_HEADER_BYTES;
    const end = start + view.getUint16(offset + 1);
    yield { isBits: data[offset] === BITS, first: view.getUint32(offset + 3), data: data.subarray(start, end) };
    offset = end;
  }
}

/** The document id of a bitmap run's first bit. */
export const bitsStart = (first: number): number => first & ~31;

/** Decodes a run at `offset` and returns the offset after it. */
export function decodeRun({ isBits, first, data }: SegmentPart, target: Uint32Array, offset: number): number {
  return isBits ? decodeBits(bitsStart(first), data, target, offset) : decodeSteps(first, data, target, offset);
}

/** Decodes a block at `offset` and returns the offset after it. */
export function decodeSegment(first: number, data: Uint8Array, target: Uint32Array, offset: number): number {
  if (data[0] === STEPS) return decodeSteps(first, data.subarray(1), target, offset);
  let end = offset;
  for (const run of runsOf(first, data)) end = decodeRun(run, target, end);
  return end;
}

/** Splits ascending document ids into blocks. */
export function encodeSegments(docIds: Uint32Array): Segment[] {
  // Most posting lists of a vocabulary have one document.
  if (docIds.length === 1) return [{ first: docIds[0], count: 1, data: Uint8Array.of(STEPS) }];
  const segments: Segment[] = [];
  let runs: Cut[] = [];
  let bytes = 1;
  const close = () => {
    if (runs.length > 0) segments.push(encodeRuns(docIds, runs));
    runs = [];
    bytes = 1;
  };
  for (let start = 0; start < docIds.length; ) {
    if (SEGMENT_BYTES_MAX - bytes < RUN_HEADER_BYTES + BITS_DOC_IDS_MIN * BITS_BYTES_PER_DOC_ID) close();
    const cut = cutRun(docIds, start, SEGMENT_BYTES_MAX - bytes - RUN_HEADER_BYTES);
    runs.push(cut);
    bytes += RUN_HEADER_BYTES + cut.bytes;
    start = cut.end;
  }
  close();
  return segments;
}

interface Cut {
  isBits: boolean;
  start: number;
  end: number;
  bytes: number;
}

function cutRun(docIds: Uint32Array, start: number, bytesMax: number): Cut {
  const bits = cutBits(docIds, start, bytesMax);
  if (isWorthBits(bits)) return bits;
  let bytes = 0;
  let end = start + 1;
  for (; end < docIds.length; end++) {
    const size = stepSize(docIds[end] - docIds[end - 1]);
    const isDense = docIds[end] - docIds[end - 1] > GAP_MAX && isWorthBits(cutBits(docIds, end, bytesMax));
    if (bytes + size > bytesMax || isDense) break;
    bytes += size;
  }
  return { isBits: false, start, end, bytes };
}

function cutBits(docIds: Uint32Array, start: number, bytesMax: number): Cut {
  const base = bitsStart(docIds[start]);
  const end = base + bytesMax * BITS_PER_BYTE;
  let index = start + 1;
  while (index < docIds.length && docIds[index] < end && docIds[index] - docIds[index - 1] <= GAP_MAX) index++;
  return { isBits: true, start, end: index, bytes: 1 + Math.floor((docIds[index - 1] - base) / BITS_PER_BYTE) };
}

function isWorthBits({ start, end, bytes }: Cut): boolean {
  return end - start >= BITS_DOC_IDS_MIN && bytes <= (end - start) * BITS_BYTES_PER_DOC_ID;
}

function encodeRuns(docIds: Uint32Array, cuts: readonly Cut[]): Segment {
  const first = docIds[cuts[0].start];
  const count = cuts[cuts.length - 1].end - cuts[0].start;
  if (cuts.length === 1 && !cuts[0].isBits) {
    const data = new Uint8Array(1 + cuts[0].bytes);
    data[0] = STEPS;
    encodeSteps(docIds, cuts[0], data, 1);
    return { first, count, data };
  }
  const data = new Uint8Array(cuts.reduce((sum, { bytes }) => sum + RUN_HEADER_BYTES + bytes, 1));
  const view = new DataView(data.buffer);
  data[0] = RUNS;
  let offset = 1;
  for (const cut of cuts) {
    data[offset] = cut.isBits ? BITS : STEPS;
    view.setUint16(offset + 1, cut.bytes);
    view.setUint32(offset + 3, docIds[cut.start]);
    (cut.isBits ? encodeBits : encodeSteps)(docIds, cut, data, offset + RUN_HEADER_BYTES);
    offset += RUN_HEADER_BYTES + cut.bytes;
  }
  return { first, count, data };
}

function stepSize(step: number): number {
  return step < 0x80 ? 1 : step < 0x4000 ? 2 : step < 0x20_0000 ? 3 : 4;
}

function encodeSteps(docIds: Uint32Array, { start, end }: Cut, data: Uint8Array, offset: number): void {
  let place = offset;
  for (let index = start + 1; index < end; index++) {
    let step = docIds[index] - docIds[index - 1];
    for (; step >= 0x80; step >>>= 7) data[place++] = (step & 0x7f) | 0x80;
    data[place++] = step;
  }
}

function decodeSteps(first: number, data: Uint8Array, target: Uint32Array, offset: number): number {
  let docId = first;
  let place = offset;
  target[place++] = docId;
  for (let index = 0; index < data.length; ) {
    let byte = data[index++];
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = data[index++];
      step |= (byte & 0x7f) << shift;
    }
    docId += step;
    target[place++] = docId;
  }
  return place;
}

function encodeBits(docIds: Uint32Array, { start, end }: Cut, data: Uint8Array, offset: number): void {
  const base = bitsStart(docIds[start]);
  for (let index = start; index < end; index++) {
    const bit = docIds[index] - base;
    data[offset + (bit >>> 3)] |= 1 << (bit & 7);
  }
}

function decodeBits(start: number, data: Uint8Array, target: Uint32Array, offset: number): number {
  let place = offset;
  for (let index = 0; index < data.length; index++) {
    const base = start + index * BITS_PER_BYTE;
    for (let byte = data[index]; byte !== 0; byte &= byte - 1) target[place++] = base + (31 - Math.clz32(byte & -byte));
  }
  return place;
}

export const listOfKey = (key: number): number => Math.floor(key / DOC_ID_END);
export const firstOfKey = (key: number): number => key % DOC_ID_END;
export const keyOf = (list: number, docId: number): number => list * DOC_ID_END + docId;
