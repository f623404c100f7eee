import type { Database } from 'better-sqlite3';
import type { Merging } from '../../search/search-index.ts';
import { deletionCodes, gramCodes } from '../../search/typos.ts';
import { createKeySet } from './key-set.ts';
import { keyOf } from './postings-codec.ts';
import { createPostingsTable, DELETIONS_TABLE, GRAMS_TABLE } from './postings-table.ts';
import { createPostingsWriter, createWriteBuffer } from './postings-writer.ts';

interface Spelt {
  word: string;
  id: number;
}

/** Typo indexes: deletion codes of all words, and trigrams of name words. */
export interface TypoTables {
  add(spelt: Spelt): void;
  remove(spelt: Spelt): void;
  addName(name: Spelt): void;
  removeName(name: Spelt): void;
  /** Starts a batch, discarding buffered changes of a rolled back transaction. */
  begin(): void;
  flush(merging: Merging): void;
  /** Merges a part of the deferred changes. False if there are none. */
  compact(): boolean;
}

/** Trigram lists are separated by word length, up to this. */
const LENGTHS = 32;

/** The list of a trigram and word length; other lengths are too distant. */
export const gramList = (code: number, length: number): number => code * LENGTHS + length;
export const gramLists = (word: string): number[] => gramCodes(word).map((code) => gramList(code, word.length));
export const lengthOfGramList = (list: number): number => list % LENGTHS;

export function createTypoTables(database: Database): TypoTables {
  const deletions = createKeySet(database, DELETIONS_TABLE);
  /** Keys of deletions by whether they are there from now on. */
  const deleted = new Map<number, boolean>();
  const grams = createPostingsWriter(database, GRAMS_TABLE, createPostingsTable(database, GRAMS_TABLE));
  const changes = createWriteBuffer();
  return {
    add({ word, id }) {
      for (const code of deletionCodes(word)) deleted.set(keyOf(code, id), true);
    },
    remove({ word, id }) {
      for (const code of deletionCodes(word)) deleted.set(keyOf(code, id), false);
    },
    addName({ word, id }) {
      for (const list of gramLists(word)) changes.add(list, id);
    },
    removeName({ word, id }) {
      for (const list of gramLists(word)) changes.remove(list, id);
    },
    begin() {
      changes.drain();
      deleted.clear();
    },
    flush(merging) {
      grams.write(changes.drain(), merging);
      deletions.change(deleted);
      deleted.clear();
    },
    compact: grams.compact,
  };
}
