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
  termOf: (id: number) => string | undefined,
): (text: string, limit: number) => number[] {
  const decoded = (entries: readonly BlockEntry[]): Uint32Array => {
    const ids = new Uint32Array(sizeOf(entries));
    let length = 0;
    for (const entry of entries) {
      length = decodeBlock(idOfKey(entry.key), entry.data ?? grams.read(entry.key), ids, length);
    }
    return ids.subarray(0, length);
  };

  return (text, limit) => {
    const lists = innerGramCodes(text).map((code) =>
      grams.directory(gramList(code, text.length), gramList(code, TYPO_LENGTH_MAX) + 1),
    );
    const [rarest, second] = lists.sort((one, other) => sizeOf(one) - sizeOf(other));
    if (rarest === undefined) return [];
    const others = second && byLength(second);
    const contained: number[] = [];
    let compared = 0;
    for (const [length, entries] of byLength(rarest)) {
      const also = others?.get(length);
      if (others !== undefined && also === undefined) continue;
      compared += sizeOf(entries);
      if (contained.length >= limit || compared > COMPARED_MAX) break;
      const shared = also && new Set(decoded(also));
      const words = [...decoded(entries)]
        .filter((id) => shared?.has(id) ?? true)
        .map((id) => ({ id, term: termOf(id) ?? '' }));
      // The first character of a term is its kind.
      const found = words.filter(({ term }) => term.includes(text, 1));
      contained.push(...found.sort((one, other) => (one.term < other.term ? -1 : 1)).map(({ id }) => id));
    }
    return contained.slice(0, limit);
  };
}

/** Entries by word length, shortest first. */
function byLength(entries: readonly BlockEntry[]): Map<number, BlockEntry[]> {
  const found = new Map<number, BlockEntry[]>();
  for (const entry of entries) {
    const length = lengthOfGramList(listOfKey(entry.key));
    found.set(length, [...(found.get(length) ?? []), entry]);
  }
  return found;
}

const sizeOf = (entries: readonly BlockEntry[]): number => entries.reduce((sum, { count }) => sum + count, 0);
