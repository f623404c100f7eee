import type { Database } from 'better-sqlite3';
import type { Merging } from '../../search/search-index.ts';
import { deletionCodes, gramCodes } from '../../search/typos.ts';
import { createGatherer } from './gatherer.ts';
import { createListWriter } from './list-writer.ts';
import { createLists } from './lists.ts';
import type { Run } from './run.ts';
import { DELETIONS_TABLE, GRAMS_TABLE } from './schema.ts';

/** A word by the number of its term. */
export interface Spelt {
  word: string;
  id: number;
}

/** Tables by which misspelt words are found. Words are added and stay. */
export interface TypoTables {
  add(words: readonly Spelt[], names: readonly Spelt[], merging: Merging): void;
  /** Merges a part of what waits; false when nothing waits. */
  settle(): boolean;
}

export function createTypoTables(database: Database): TypoTables {
  const addDeletion = database.prepare<[number, number]>(
    `INSERT OR IGNORE INTO ${DELETIONS_TABLE} (code, term) VALUES (?, ?)`,
  );
  const deletions = createListWriter(database, DELETIONS_TABLE, {
    change(code, { added }) {
      for (const term of added) addDeletion.run(code, term);
    },
  });
  const grams = createListWriter(database, GRAMS_TABLE, createLists(database, GRAMS_TABLE));
  return {
    add(words, names, merging) {
      deletions.write(gather(words, deletionCodes), merging);
      grams.write(gather(names, gramCodes), merging);
    },
    settle: () => deletions.settle() || grams.settle(),
  };
}

function gather(words: readonly Spelt[], codesOf: (word: string) => number[]): Run {
  const gatherer = createGatherer();
  for (const { word, id } of words) for (const code of codesOf(word)) gatherer.add(code, id);
  return gatherer.take();
}
