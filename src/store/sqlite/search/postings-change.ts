import { type Block, DOC_ID_END, decodeBlock, encodeBlocks, idOfKey } from './postings-codec.ts';
import type { BlockEntry, BlockReader } from './postings-table.ts';
import { lowerBound } from './sets.ts';

/** Document ids to add and remove, ascending, distinct and disjoint. Applying a change is idempotent. */
export interface PostingsChange {
  readonly added: Uint32Array;
  readonly removed: Uint32Array;
}

/** Replacement of a block; undefined if it is unchanged. */
export interface ChangedBlock {
  /** Undefined for a list that was empty. */
  readonly entry: BlockEntry | undefined;
  readonly blocks: readonly Block[] | undefined;
}

/** The blocks of a list after a change, in order. */
export function* changedBlocks(
  reader: Pick<BlockReader, 'read'>,
  entries: readonly BlockEntry[],
  change: PostingsChange,
): Generator<ChangedBlock> {
  if (entries.length === 0) yield { entry: undefined, blocks: encodeBlocks(change.added) };
  // Each block gets the ids before the next block; the first also those before itself.
  let left = change;
  for (const [place, entry] of entries.entries()) {
    const next = entries[place + 1];
    const [here, rest] = cut(left, next === undefined ? DOC_ID_END : idOfKey(next.key));
    const isTouched = here.added.length > 0 || here.removed.length > 0;
    yield { entry, blocks: isTouched ? rewritten(entry, entry.data ?? reader.read(entry.key), here) : undefined };
    left = rest;
  }
}

function rewritten({ key, count }: BlockEntry, data: Uint8Array, { added, removed }: PostingsChange): Block[] {
  const old = new Uint32Array(count);
  decodeBlock(idOfKey(key), data, old, 0);
  const merged = merge(old, added, removed);
  const blocks = encodeBlocks(merged);
  if (blocks.length < 2 || !isGrownInside(old, added[0])) return blocks;
  const half = merged.length >>> 1;
  return [...encodeBlocks(merged.subarray(0, half)), ...encodeBlocks(merged.subarray(half))];
}

/** Splits a change at a border. */
function cut({ added, removed }: PostingsChange, border: number): [PostingsChange, PostingsChange] {
  const addedEnd = lowerBound(added, border);
  const removedEnd = lowerBound(removed, border);
  return [
    { added: added.subarray(0, addedEnd), removed: removed.subarray(0, removedEnd) },
    { added: added.subarray(addedEnd), removed: removed.subarray(removedEnd) },
  ];
}

/** A full block that grows in the middle is split in half; one that grows at its end stays full. */
function isGrownInside(old: Uint32Array, added: number | undefined): boolean {
  return added !== undefined && old.length > 0 && added < old[old.length - 1];
}

function merge(old: Uint32Array, added: Uint32Array, removed: Uint32Array): Uint32Array {
  const merged = new Uint32Array(old.length + added.length);
  let length = 0;
  let addedIndex = 0;
  let removedIndex = 0;
  for (let index = 0; index < old.length || addedIndex < added.length; ) {
    const isOld = addedIndex >= added.length || (index < old.length && old[index] <= added[addedIndex]);
    const docId = isOld ? old[index++] : added[addedIndex++];
    if (length > 0 && merged[length - 1] === docId) continue;
    while (removedIndex < removed.length && removed[removedIndex] < docId) removedIndex++;
    if (removed[removedIndex] !== docId) merged[length++] = docId;
  }
  return merged.subarray(0, length);
}
