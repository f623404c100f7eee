import type { Database } from 'better-sqlite3';
import { hasOwnCode, INFIX_LENGTH, infixCode } from '../../search/infixes.ts';
import { TYPO_LENGTH_MAX } from '../../search/typos.ts';
import { createKeySet } from './key-set.ts';
import { idOfKey, keyOf, listOfKey } from './postings-codec.ts';
import { INFIXES_TABLE } from './postings-table.ts';
import { listOfLength } from './typo-tables.ts';

/** Maximum compared words; word lengths beyond it are skipped. */
const COMPARED_MAX = 2_048;

/**
 * Ids of name words that contain a text, shortest first, then alphabetically, at most `limit`. Deterministic whatever the ids.
 */
export function createContainedWords(
  database: Database,
  wordsOf: (ids: Iterable<number>) => ReadonlyMap<number, string>,
): (text: string, limit: number) => number[] {
  const infixes = createKeySet(database, INFIXES_TABLE);
  /** Words of an infix by length and id. */
  const keysOf = (text: string, start: number): number[] => {
    const code = infixCode(text, start);
    const first = keyOf(listOfLength(code, 0), 0);
    const keys = infixes.keysOf(listOfLength(code, text.length), listOfLength(code, TYPO_LENGTH_MAX + 1));
    return keys.map((key) => key - first);
  };

  const compared = (text: string, ids: readonly number[]): number[] =>
    [...wordsOf(ids)]
      .filter(([, word]) => word.includes(text))
      .sort(shortestFirst)
      .map(([id]) => id);

  return (text, limit) => {
    const keys = keysOf(text, 0);
    if (hasOwnCode(text) && keys.length <= limit) return keys.map(idOfKey);
    const isLonger = text.length > INFIX_LENGTH;
    const contained: number[] = [];
    let size = 0;
    let candidates: number[] = [];
    for (const ids of byLength(isLonger ? common(keys, keysOf(text, text.length - INFIX_LENGTH)) : keys)) {
      if (candidates.length >= limit) contained.push(...compared(text, candidates.splice(0)));
      size += ids.length;
      if (contained.length >= limit || size > COMPARED_MAX) break;
      candidates = candidates.concat(ids);
    }
    return contained.concat(compared(text, candidates)).slice(0, limit);
  };
}

const shortestFirst = ([, one]: readonly [number, string], [, other]: readonly [number, string]): number =>
  one.length - other.length || (one < other ? -1 : 1);

/** What two ascending lists share. */
function common(one: readonly number[], other: readonly number[]): number[] {
  let place = 0;
  return one.filter((number) => {
    while (other[place] < number) place++;
    return other[place] === number;
  });
}

/** The ids of keys by word length, shortest first. */
function* byLength(keys: readonly number[]): Generator<number[]> {
  for (let start = 0, end = 0; start < keys.length; start = end) {
    while (end < keys.length && listOfKey(keys[end]) === listOfKey(keys[start])) end++;
    yield keys.slice(start, end).map(idOfKey);
  }
}
