import { DOC_ID_BITS } from '../../search/matches.ts';

/**
 * The format of posting lists. A list is split into blocks of at most `BLOCK_BYTES_MAX`, one row each. A block is a
 * sequence of containers, as in Roaring bitmaps: sparse document ids are deltas in varints of one to four bytes, dense
 * ones a bitmap, which may be larger but is combined word by word. A container has a header: kind, byte length, first id.
 * A block of one delta container has none: its kind is the first byte, and its first id is in the key.
 */
export const DOC_ID_END = 2 ** DOC_ID_BITS;
/** Two SQLite pages: larger blocks read faster, smaller ones write faster. */
export const BLOCK_BYTES_MAX = 8_000;
const CONTAINER_HEADER_BYTES = 7;

const DELTAS = 0;
const BITMAP = 1;
const CONTAINERS = 2;
const BITS_PER_BYTE = 8;
/** Bitmaps are used up to this many bytes per id. */
const BITMAP_BYTES_PER_DOC_ID_MAX = 4;
const BITMAP_DOC_IDS_MIN = 16;
/** A wider gap ends a bitmap container. */
const GAP_MAX = 1_024;

export interface Block {
  first: number;
  count: number;
  data: Uint8Array;
}

/** Deltas after the first id, or a bitmap from the 32-bit word of the first id on. */
export interface Container {
  isBitmap: boolean;
  first: number;
  data: Uint8Array;
}

/** The containers of a block, in order; `data` are views of it. */
export function* containersOf(first: number, data: Uint8Array): Generator<Container> {
  if (data[0] === DELTAS) {
    yield { isBitmap: false, first, data: data.subarray(1) };
    return;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let offset = 1; offset < data.length; ) {
    const start = offset + CONTAINER_HEADER_BYTES;
    const end = start + view.getUint16(offset + 1);
    yield { isBitmap: data[offset] === BITMAP, first: view.getUint32(offset + 3), data: data.subarray(start, end) };
    offset = end;
  }
}

/** The document id of the first bit of a bitmap. */
export const bitmapStart = (first: number): number => first & ~31;

/** Writes the ids of a container to `target` from `offset` on; returns the offset after the last. */
export const decodeContainer = ({ isBitmap, first, data }: Container, target: Uint32Array, offset: number): number =>
  isBitmap ? decodeBitmap(bitmapStart(first), data, target, offset) : decodeDeltas(first, data, target, offset);

/** Writes the ids of a block to `target` from `offset` on; returns the offset after the last. */
export function decodeBlock(first: number, data: Uint8Array, target: Uint32Array, offset: number): number {
  if (data[0] === DELTAS) return decodeDeltas(first, data.subarray(1), target, offset);
  let end = offset;
  for (const container of containersOf(first, data)) end = decodeContainer(container, target, end);
  return end;
}

export function encodeBlocks(docIds: Uint32Array): Block[] {
  // Most posting lists of a dictionary have one document.
  if (docIds.length === 1) return [{ first: docIds[0], count: 1, data: Uint8Array.of(DELTAS) }];
  const blocks: Block[] = [];
  let containers: Cut[] = [];
  let bytes = 1;
  const close = () => {
    if (containers.length > 0) blocks.push(encodeBlock(docIds, containers));
    containers = [];
    bytes = 1;
  };
  for (let start = 0; start < docIds.length; ) {
    if (BLOCK_BYTES_MAX - bytes < CONTAINER_HEADER_BYTES + BITMAP_DOC_IDS_MIN * BITMAP_BYTES_PER_DOC_ID_MAX) close();
    const cut = cutContainer(docIds, start, BLOCK_BYTES_MAX - bytes - CONTAINER_HEADER_BYTES);
    containers.push(cut);
    bytes += CONTAINER_HEADER_BYTES + cut.bytes;
    start = cut.end;
  }
  close();
  return blocks;
}

interface Cut {
  isBitmap: boolean;
  start: number;
  end: number;
  bytes: number;
}

function cutContainer(docIds: Uint32Array, start: number, bytesMax: number): Cut {
  const bits = cutBitmap(docIds, start, bytesMax);
  if (isWorthBitmap(bits)) return bits;
  let bytes = 0;
  let end = start + 1;
  for (; end < docIds.length; end++) {
    const size = deltaBytes(docIds[end] - docIds[end - 1]);
    const isDense = docIds[end] - docIds[end - 1] > GAP_MAX && isWorthBitmap(cutBitmap(docIds, end, bytesMax));
    if (bytes + size > bytesMax || isDense) break;
    bytes += size;
  }
  return { isBitmap: false, start, end, bytes };
}

function cutBitmap(docIds: Uint32Array, start: number, bytesMax: number): Cut {
  const base = bitmapStart(docIds[start]);
  const end = base + bytesMax * BITS_PER_BYTE;
  let index = start + 1;
  while (index < docIds.length && docIds[index] < end && docIds[index] - docIds[index - 1] <= GAP_MAX) index++;
  return { isBitmap: true, start, end: index, bytes: 1 + Math.floor((docIds[index - 1] - base) / BITS_PER_BYTE) };
}

const isWorthBitmap = ({ start, end, bytes }: Cut): boolean =>
  end - start >= BITMAP_DOC_IDS_MIN && bytes <= (end - start) * BITMAP_BYTES_PER_DOC_ID_MAX;

function encodeBlock(docIds: Uint32Array, cuts: readonly Cut[]): Block {
  const first = docIds[cuts[0].start];
  const count = cuts[cuts.length - 1].end - cuts[0].start;
  if (cuts.length === 1 && !cuts[0].isBitmap) {
    const data = new Uint8Array(1 + cuts[0].bytes);
    data[0] = DELTAS;
    encodeDeltas(docIds, cuts[0], data, 1);
    return { first, count, data };
  }
  const data = new Uint8Array(cuts.reduce((sum, { bytes }) => sum + CONTAINER_HEADER_BYTES + bytes, 1));
  const view = new DataView(data.buffer);
  data[0] = CONTAINERS;
  let offset = 1;
  for (const cut of cuts) {
    data[offset] = cut.isBitmap ? BITMAP : DELTAS;
    view.setUint16(offset + 1, cut.bytes);
    view.setUint32(offset + 3, docIds[cut.start]);
    (cut.isBitmap ? encodeBitmap : encodeDeltas)(docIds, cut, data, offset + CONTAINER_HEADER_BYTES);
    offset += CONTAINER_HEADER_BYTES + cut.bytes;
  }
  return { first, count, data };
}

const deltaBytes = (delta: number): number => (delta < 0x80 ? 1 : delta < 0x4000 ? 2 : delta < 0x20_0000 ? 3 : 4);

function encodeDeltas(docIds: Uint32Array, { start, end }: Cut, data: Uint8Array, offset: number): void {
  let place = offset;
  for (let index = start + 1; index < end; index++) {
    let delta = docIds[index] - docIds[index - 1];
    for (; delta >= 0x80; delta >>>= 7) data[place++] = (delta & 0x7f) | 0x80;
    data[place++] = delta;
  }
}

function decodeDeltas(first: number, data: Uint8Array, target: Uint32Array, offset: number): number {
  let docId = first;
  let place = offset;
  target[place++] = docId;
  for (let index = 0; index < data.length; ) {
    let byte = data[index++];
    let delta = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = data[index++];
      delta |= (byte & 0x7f) << shift;
    }
    docId += delta;
    target[place++] = docId;
  }
  return place;
}

function encodeBitmap(docIds: Uint32Array, { start, end }: Cut, data: Uint8Array, offset: number): void {
  const base = bitmapStart(docIds[start]);
  for (let index = start; index < end; index++) {
    const bit = docIds[index] - base;
    data[offset + (bit >>> 3)] |= 1 << (bit & 7);
  }
}

function decodeBitmap(start: number, data: Uint8Array, target: Uint32Array, offset: number): number {
  let place = offset;
  for (let index = 0; index < data.length; index++) {
    const base = start + index * BITS_PER_BYTE;
    for (let byte = data[index]; byte !== 0; byte &= byte - 1) target[place++] = base + (31 - Math.clz32(byte & -byte));
  }
  return place;
}

/** A key is the number of a posting list and an id in it, in one integer below 2^53. */
export const listOfKey = (key: number): number => Math.floor(key / DOC_ID_END);
export const idOfKey = (key: number): number => key % DOC_ID_END;
export const keyOf = (list: number, id: number): number => list * DOC_ID_END + id;
