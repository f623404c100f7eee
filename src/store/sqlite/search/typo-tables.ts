import type { Database } from 'better-sqlite3';
import { infixCodes } from '../../search/infixes.ts';
import type { Merging } from '../../search/search-index.ts';
import { deletionCodes, gramCodes } from '../../search/typos.ts';
import { createKeySet } from './key-set.ts';
import { keyOf } from './postings-codec.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, INFIXES_TABLE } from './postings-table.ts';
import { createPostingsWriter, createWriteBuffer } from './postings-writer.ts';

interface Spelt {
  word: string;
  id: number;
}

/** Lists of a trigram or infix are separated by word length, up to this. */
const LENGTHS = 32;

/** The list of a trigram or infix and word length; those of one code follow each other, shortest words first. */
export const listOfLength = (code: number, length: number): number => code * LENGTHS + length;
export const gramLists = (word: string): number[] => gramCodes(word).map((code) => listOfLength(code, word.length));
export const lengthOfList = (list: number): number => list % LENGTHS;
export const infixLists = (word: string): number[] => infixCodes(word).map((code) => listOfLength(code, word.length));

/** Indexes of what words resemble: deletion codes of all words, and trigrams and infixes of name words. */
export function createTypoTables(database: Database) {
  const deletions = createKeySetWriter(database, DELETIONS_TABLE);
  const infixes = createKeySetWriter(database, INFIXES_TABLE);
  const grams = createPostingsWriter(database, GRAMS_TABLE);
  const changes = createWriteBuffer();
  return {
    add: ({ word, id }: Spelt): void => deletions.put(deletionCodes(word), id, true),
    remove: ({ word, id }: Spelt): void => deletions.put(deletionCodes(word), id, false),
    addName({ word, id }: Spelt): void {
      for (const list of gramLists(word)) changes.add(list, id);
      infixes.put(infixLists(word), id, true);
    },
    removeName({ word, id }: Spelt): void {
      for (const list of gramLists(word)) changes.remove(list, id);
      infixes.put(infixLists(word), id, false);
    },
    /** Starts a batch, discarding buffered changes of a rolled back transaction. */
    begin(): void {
      changes.drain();
      deletions.discard();
      infixes.discard();
    },
    flush(merging: Merging): void {
      grams.write(changes.drain(), merging);
      deletions.flush();
      infixes.flush();
    },
    compact: grams.compact,
  };
}

/** Buffers changes of a set of keys; the last one of a key counts. */
function createKeySetWriter(database: Database, table: string) {
  const set = createKeySet(database, table);
  const changes = new Map<number, boolean>();
  return {
    put(lists: readonly number[], id: number, isKept: boolean) {
      for (const list of lists) changes.set(keyOf(list, id), isKept);
    },
    flush() {
      set.change(changes);
      changes.clear();
    },
    discard: () => changes.clear(),
  };
}
