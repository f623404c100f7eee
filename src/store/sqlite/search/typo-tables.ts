import type { Database } from 'better-sqlite3';
import type { Merging } from '../../search/search-index.ts';
import { deletionCodes, gramCodes } from '../../search/typos.ts';
import { createListWriter } from './list-writer.ts';
import { createLists } from './lists.ts';
import { DELETIONS_TABLE, GRAMS_TABLE } from './search-tables.ts';
import { keyOf } from './segments.ts';
import { createWriteBuffer } from './write-buffer.ts';

/** A word by the number of its term. */
interface Spelt {
  word: string;
  id: number;
}

/** Tables by which misspelt words are found: all words by their deletions, those of names also by their trigrams. */
export interface TypoTables {
  add(spelt: Spelt): void;
  remove(spelt: Spelt): void;
  addName(name: Spelt): void;
  removeName(name: Spelt): void;
  /** Forgets what was gathered for a transaction that was rolled back. */
  begin(): void;
  flush(merging: Merging): void;
  /** Merges a part of what waits; false when nothing waits. */
  compact(): boolean;
}

/** Lengths of words that trigrams are kept apart for, in the order of lists. */
const LENGTHS = 32;

/** The list of a trigram's code and the length of the words that have it: others are too far from what was typed. */
export const gramList = (code: number, length: number): number => code * LENGTHS + length;
export const gramLists = (word: string): number[] => gramCodes(word).map((code) => gramList(code, word.length));
export const lengthOfGramList = (list: number): number => list % LENGTHS;

export function createTypoTables(database: Database): TypoTables {
  const addDeletion = database.prepare<[number]>(`INSERT OR IGNORE INTO ${DELETIONS_TABLE} (key) VALUES (?)`);
  const removeDeletion = database.prepare<[number]>(`DELETE FROM ${DELETIONS_TABLE} WHERE key = ?`);
  const grams = createListWriter(database, GRAMS_TABLE, createLists(database, GRAMS_TABLE));
  const changes = createWriteBuffer();
  return {
    add({ word, id }) {
      for (const code of deletionCodes(word)) addDeletion.run(keyOf(code, id));
    },
    remove({ word, id }) {
      for (const code of deletionCodes(word)) removeDeletion.run(keyOf(code, id));
    },
    addName({ word, id }) {
      for (const list of gramLists(word)) changes.add(list, id);
    },
    removeName({ word, id }) {
      for (const list of gramLists(word)) changes.remove(list, id);
    },
    begin: () => void changes.drain(),
    flush: (merging) => grams.write(changes.drain(), merging),
    compact: grams.compact,
  };
}
