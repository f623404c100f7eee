import { docIdOf } from '../../search/matches.ts';
import { roomFor } from '../room-for.ts';
import {
  countBits,
  countWord,
  type DocIdSet,
  difference,
  hasBit,
  intersectUnion,
  isWorthBitmap,
  type Layout,
  setOfDocIds,
  sizeOf,
  union,
  wordOf,
} from './sets.ts';

/**
 * A Boolean expression over sets of documents: `((allOf[0] AND allOf[1] ...) OR orAnyOf) AND NOT noneOf AND NOT (notAllOf[0] AND
 * notAllOf[1] ...)`. Each list of sets is the union of its sets.
 */
export interface SetExpression {
  allOf: readonly (readonly DocIdSet[])[];
  orAnyOf: readonly DocIdSet[];
  noneOf: readonly DocIdSet[];
  notAllOf: readonly (readonly DocIdSet[])[];
}

/** Document ids of one page, ascending. */
export interface ResultWindow {
  docIds: Uint32Array;
  seen: number;
}

interface FoundDocuments {
  readonly total: number;
  /** Ascending. */
  readonly docIds: Uint32Array | undefined;
}

/** Evaluates set expressions block by block, so that a page costs only the blocks it needs, without copies. */
export interface SetEvaluator {
  /** The number of documents, and the documents as a list if they are at most `listedMax`, or were listed to be counted. */
  find(expression: SetExpression, layout: Layout, listedMax: number): FoundDocuments;
  /** Document ids from `offset` on, at most `limit`. */
  pick(expression: SetExpression, layout: Layout, window: { offset: number; limit: number }): ResultWindow;
}

/** Block size in 32-bit words, chosen for the L1 cache. */
const BLOCK_WORDS = 512;
const WORD_BITS = 32;

/** Position in a set during block iteration. */
interface Cursor {
  set: DocIdSet;
  /** Index of the next document id; unused for bitmaps. */
  next: number;
}

export function createSetEvaluator(): SetEvaluator {
  const buffers = {
    block: new Uint32Array(BLOCK_WORDS),
    group: new Uint32Array(BLOCK_WORDS),
    excluded: new Uint32Array(BLOCK_WORDS),
  };
  /** The blocks of the last expression that was counted. */
  let whole = new Uint32Array();
  return {
    find(expression, layout, listedMax) {
      const quick = countSingleGroup(expression, layout);
      if (quick !== undefined && quick > listedMax) return { total: quick, docIds: undefined };
      const shortest = shortestGroup(expression, layout);
      if (shortest) {
        const some = intersectGroups(shortest, shortest.set, layout);
        const docIds = pickFromList(some, expression, { layout, limit: some.length });
        return { total: docIds.length, docIds };
      }
      whole = roomFor(whole, layout.words);
      let total = 0;
      for (const { block, start } of blocksOf(expression, layout, buffers)) {
        total += countBits(block);
        whole.set(block, start);
      }
      return { total, docIds: total > listedMax ? undefined : docIdsOf(whole, layout, total) };
    },
    pick(expression, layout, { offset, limit }) {
      const shortest = shortestGroup(expression, layout);
      if (shortest) {
        const docIds = pickInParts(shortest, expression, { layout, limit: offset + limit });
        return { docIds: docIds.subarray(offset), seen: docIds.length };
      }
      const picked = new Uint32Array(Math.min(limit, layout.words * WORD_BITS));
      const state: PickState = { layout, offset, seen: 0, length: 0 };
      for (const block of blocksOf(expression, layout, buffers)) {
        pickFromBlock(block, picked, state);
        if (state.length === limit) break;
      }
      return { docIds: picked.subarray(0, state.length), seen: state.seen };
    },
  };
}

function docIdsOf(bits: Uint32Array, { starts, words }: Layout, count: number): Uint32Array {
  const docIds = new Uint32Array(count);
  let [step, length] = [0, 0];
  for (let index = 0; index < words; index++) {
    if (bits[index] === 0) continue;
    while (starts[step + 1] <= index) step++;
    const base = docIdOf(step, (index - starts[step]) * WORD_BITS) + WORD_BITS - 1;
    // As a signed integer, which has a faster negative.
    for (let word = bits[index] | 0; word !== 0; word &= word - 1) docIds[length++] = base - Math.clz32(word & -word);
  }
  return docIds;
}

/** Fast count for a single group with one large set: its size is known, and only the few others are checked. */
function countSingleGroup({ allOf, orAnyOf, noneOf, notAllOf }: SetExpression, layout: Layout): number | undefined {
  if (allOf.length !== 1 || noneOf.length > 0 || notAllOf.length > 0) return undefined;
  const sets = [...allOf[0], ...orAnyOf];
  const bitmaps = sets.filter(({ bits }) => bits !== undefined);
  if (bitmaps.length > 1 || bitmaps.some(({ size }) => size === undefined)) return undefined;
  const others = union(
    layout,
    sets.filter(({ bits }) => bits === undefined),
  );
  if (others.bits) return undefined;
  return bitmaps.reduce((sum, set) => sum + sizeOf(set), difference(layout, others.docIds, bitmaps).length);
}

/** The shortest group as a list, if short enough to probe the others. */
interface ShortestGroup {
  set: DocIdSet;
  others: readonly (readonly DocIdSet[])[];
  orAnyOf: readonly DocIdSet[];
}

function shortestGroup({ allOf, orAnyOf }: SetExpression, layout: Layout): ShortestGroup | undefined {
  const sizes = allOf.map(listedSize);
  const least = Math.min(...sizes);
  if (isWorthBitmap(layout, least + listedSize(orAnyOf))) return undefined;
  const index = sizes.indexOf(least);
  return { set: union(layout, allOf[index]), others: allOf.filter((_, other) => other !== index), orAnyOf };
}

/** Documents of a part of the shortest group that are in every other group, and those in `orAnyOf`. */
function intersectGroups({ others, orAnyOf }: ShortestGroup, part: DocIdSet, layout: Layout): Uint32Array {
  const set = others.reduce((kept, group) => intersectUnion(layout, kept, group), part);
  return union(layout, [set, ...orAnyOf]).docIds;
}

/** Documents processed at a time, because a page is often filled early. */
const PART_DOC_IDS = 2_048;

/** Evaluates only as much of the shortest group as the window needs. */
function pickInParts(
  shortest: ShortestGroup,
  expression: SetExpression,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const { docIds } = shortest.set;
  if (shortest.orAnyOf.some(({ size }) => size !== 0) || docIds.length <= PART_DOC_IDS)
    return pickFromList(intersectGroups(shortest, shortest.set, layout), expression, { layout, limit });
  const picked = new Uint32Array(Math.min(limit, docIds.length));
  let length = 0;
  for (let start = 0; start < docIds.length && length < picked.length; start += PART_DOC_IDS) {
    const part = setOfDocIds(docIds.subarray(start, start + PART_DOC_IDS));
    const some = pickFromList(intersectGroups(shortest, part, layout), expression, {
      layout,
      limit: picked.length - length,
    });
    picked.set(some, length);
    length += some.length;
  }
  return picked.subarray(0, length);
}

/** The first listed documents that are not excluded. */
function pickFromList(
  docIds: Uint32Array,
  { noneOf, notAllOf }: SetExpression,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const sets = noneOf.filter(({ size }) => size !== 0);
  if (sets.length === 0 && notAllOf.length === 0) return docIds.subarray(0, limit);
  const isIn = (group: readonly DocIdSet[], docId: number): boolean => group.some((set) => hasBit(set, layout, docId));
  const picked = new Uint32Array(Math.min(limit, docIds.length));
  let length = 0;
  for (let index = 0; index < docIds.length && length < picked.length; index++) {
    const docId = docIds[index];
    const isExcluded = isIn(sets, docId) || (notAllOf.length > 0 && notAllOf.every((group) => isIn(group, docId)));
    if (!isExcluded) picked[length++] = docId;
  }
  return picked.subarray(0, length);
}

const listedSize = (sets: readonly DocIdSet[]): number =>
  sets.reduce((sum, { bits, docIds }) => sum + (bits ? Infinity : docIds.length), 0);

interface PickState {
  layout: Layout;
  offset: number;
  seen: number;
  length: number;
}

function pickFromBlock({ block, start }: BitmapBlock, picked: Uint32Array, state: PickState): void {
  const { starts } = state.layout;
  let step = 0;
  for (let index = 0; index < block.length && state.length < picked.length; index++) {
    if (block[index] === 0) continue;
    const count = countWord(block[index]);
    if (state.seen + count <= state.offset) {
      state.seen += count;
      continue;
    }
    while (starts[step + 1] <= start + index) step++;
    const base = docIdOf(step, (start + index - starts[step]) * WORD_BITS);
    for (let word = block[index]; word !== 0 && state.length < picked.length; word &= word - 1) {
      if (state.seen++ >= state.offset) picked[state.length++] = base + 31 - Math.clz32(word & -word);
    }
  }
}

type Buffers = Record<'block' | 'group' | 'excluded', Uint32Array>;

interface BitmapBlock {
  block: Uint32Array;
  start: number;
}

function* blocksOf(expression: SetExpression, layout: Layout, buffers: Buffers): Generator<BitmapBlock> {
  const allOf = expression.allOf.map(cursorsOf);
  const orAnyOf = cursorsOf(expression.orAnyOf);
  const noneOf = cursorsOf(expression.noneOf);
  const notAllOf = expression.notAllOf.map(cursorsOf);
  for (let start = 0; start < layout.words; start += BLOCK_WORDS) {
    const words = Math.min(BLOCK_WORDS, layout.words - start);
    const block = buffers.block.subarray(0, words);
    const group = buffers.group.subarray(0, words);
    const excluded = buffers.excluded.subarray(0, words);
    const range = { layout, start, group };
    intersect(allOf, block, range);
    uniteInto(orAnyOf, block, range);
    if (notAllOf.length > 0) intersect(notAllOf, excluded, range);
    else if (noneOf.length > 0) excluded.fill(0);
    uniteInto(noneOf, excluded, range);
    if (notAllOf.length > 0 || noneOf.length > 0) andNotBits(block, excluded);
    yield { block, start };
  }
}

interface BlockRange {
  layout: Layout;
  start: number;
  group: Uint32Array;
}

const cursorsOf = (sets: readonly DocIdSet[]): Cursor[] =>
  sets.filter(({ size }) => size !== 0).map((set) => ({ set, next: 0 }));

function intersect(groups: readonly (readonly Cursor[])[], target: Uint32Array, range: BlockRange): void {
  if (groups.length === 0) target.fill(0);
  for (const [index, cursors] of groups.entries()) {
    const only = cursors.length === 1 ? cursors[0].set.bits : undefined;
    if (index === 0) {
      setUnion(cursors, target, range);
    } else if (only) {
      andBits(target, only, range.start);
    } else {
      setUnion(cursors, range.group, range);
      andBits(target, range.group, 0);
    }
  }
}

function setUnion(cursors: readonly Cursor[], target: Uint32Array, range: BlockRange): void {
  const first = cursors[0]?.set.bits;
  if (first) target.set(first.subarray(range.start, range.start + target.length));
  else target.fill(0);
  uniteInto(first ? cursors.slice(1) : cursors, target, range);
}

function uniteInto(cursors: readonly Cursor[], target: Uint32Array, { layout, start }: BlockRange): void {
  for (const cursor of cursors) {
    const { bits, docIds } = cursor.set;
    if (bits) orBits(target, bits, start);
    else
      for (; cursor.next < docIds.length; cursor.next++) {
        const docId = docIds[cursor.next];
        const word = wordOf(layout, docId) - start;
        if (word >= target.length) break;
        target[word] |= 1 << (docId & (WORD_BITS - 1));
      }
  }
}

// Loops over words are separate functions with arguments, because closures run several times slower.

function orBits(target: Uint32Array, bits: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] |= bits[start + index];
}

function andBits(target: Uint32Array, other: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] &= other[start + index];
}

function andNotBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= ~other[index];
}
