import { innerGramCodes, TYPO_LENGTH_MAX } from '../../search/typos.ts';
import { decodeBlock, idOfKey, listOfKey } from './postings-codec.ts';
import type { BlockEntry, BlockReader } from './postings-table.ts';
import { gramList, lengthOfGramList } from './typo-tables.ts';

/** Maximum compared words; word lengths beyond it are skipped. */
const COMPARED_MAX = 2_048;

/**
 * Ids of name words that contain a text, shortest first, then alphabetically, at most `limit`. Trigram posting lists
 * preselect; the text decides. Deterministic whatever the ids.
 */
export function createContainedWords(
  grams: BlockReader,
  wordsOf: (ids: Iterable<number>) => ReadonlyMap<number, string>,
): (text: string, limit: number) => number[] {
  const decoded = (entries: readonly BlockEntry[]): Uint32Array => {
    const ids = new Uint32Array(postingCount(entries));
    let length = 0;
    for (const entry of entries) {
      length = decodeBlock(idOfKey(entry.key), entry.data ?? grams.read(entry.key), ids, length);
    }
    return ids.subarray(0, length);
  };

  return (text, limit) => {
    const from = innerGramCodes(text).map((code) => gramList(code, text.length));
    const lists = grams.directories(from, TYPO_LENGTH_MAX + 1 - text.length);
    const [rarest, second] = lists.sort((one, other) => postingCount(one) - postingCount(other));
    if (rarest === undefined) return [];
    const others = second && byLength(second);
    const contained: number[] = [];
    let candidates: number[] = [];
    const compare = () => {
      const found = [...wordsOf(candidates)].filter(([, word]) => word.includes(text));
      for (const [id] of found.sort(shortestFirst)) contained.push(id);
      candidates = [];
    };
    let size = 0;
    for (const [length, entries] of byLength(rarest)) {
      const also = others?.get(length);
      if (others !== undefined && also === undefined) continue;
      size += postingCount(entries);
      if (candidates.length >= limit) compare();
      if (contained.length >= limit || size > COMPARED_MAX) break;
      const ids = also === undefined ? decoded(entries) : common(decoded(entries), decoded(also));
      for (const id of ids) candidates.push(id);
    }
    compare();
    return contained.slice(0, limit);
  };
}

/** Words of one length are compared together, so that those found first are shorter than those found later. */
const shortestFirst = ([, one]: readonly [number, string], [, other]: readonly [number, string]): number =>
  one.length - other.length || (one < other ? -1 : 1);

/** What two ascending lists share. */
function common(one: Uint32Array, other: Uint32Array): number[] {
  const shared: number[] = [];
  let place = 0;
  for (let index = 0; index < one.length; index++) {
    while (place < other.length && other[place] < one[index]) place++;
    if (other[place] === one[index]) shared.push(one[index]);
  }
  return shared;
}

/** Entries by word length; of one trigram, shortest first. */
export function byLength(entries: readonly BlockEntry[]): Map<number, BlockEntry[]> {
  const found = new Map<number, BlockEntry[]>();
  for (const entry of entries) {
    const length = lengthOfGramList(listOfKey(entry.key));
    const some = found.get(length);
    if (some === undefined) found.set(length, [entry]);
    else some.push(entry);
  }
  return found;
}

export const postingCount = (entries: readonly BlockEntry[]): number =>
  entries.reduce((sum, { count }) => sum + count, 0);
