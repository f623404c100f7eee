import type { Database } from 'better-sqlite3';
import { isCorrected } from '../../search/corrections.ts';
import type { Merging } from '../../search/search-index.ts';
import { stem } from '../../search/stem.ts';
import { createMemory } from './memory.ts';
import { EPOCH_TYPE, SIZES_TABLE, TERMS_TABLE } from './schema.ts';
import { createTypoTables, type Spelt } from './typo-tables.ts';

/** Gives terms their numbers, and keeps what typos are resolved by. Every call is inside the caller's transaction. */
export interface VocabularyWriter {
  /** Begins a batch: forgets what a transaction that was rolled back had made. */
  begin(): void;
  /** Number of a term, made when it is new. */
  idOf(term: string): number;
  /** Number of a word's term, and has typos lead to the word; to one of a name more of them. */
  spell(term: string, isNamed: boolean): number;
  flush(merging: Merging): void;
  /** Merges a part of what waits; false when nothing waits. */
  settle(): boolean;
}

/** Terms remembered between batches: at most twice this many. */
const REMEMBERED_MAX = 150_000;
/** Where a term is written as a word: nowhere (a beginning), in some text, in a name. */
const SPELLING = { none: 0, text: 1, name: 2 } as const;

interface Known {
  id: number;
  spelling: number;
}

export function createVocabularyWriter(database: Database): VocabularyWriter {
  const find = database.prepare<[string], Known>(`SELECT id, spelling FROM ${TERMS_TABLE} WHERE term = ?`);
  const insert = database.prepare<[string, number, string | null]>(
    `INSERT INTO ${TERMS_TABLE} (term, spelling, stem) VALUES (?, ?, ?)`,
  );
  const setSpelling = database.prepare<[number, string | null, number]>(
    `UPDATE ${TERMS_TABLE} SET spelling = ?, stem = ? WHERE id = ?`,
  );
  const epochs = createEpochs(database);
  const typos = createTypoTables(database);
  const known = createMemory<string, Known>(REMEMBERED_MAX);
  let newWords: Spelt[] = [];
  let newNames: Spelt[] = [];
  /** Whether terms were made that are not committed yet. */
  let hasNew = false;

  const forgetNew = () => {
    newWords = [];
    newNames = [];
    hasNew = false;
  };

  const knownTerm = (term: string): Known | undefined => {
    const remembered = known.get(term);
    if (remembered) return remembered;
    const found = find.get(term);
    if (found) known.set(term, found);
    return found;
  };
  const newTerm = (term: string, spelling: number, wordStem: string | null): Known => {
    const id = Number(insert.run(term, spelling, wordStem).lastInsertRowid);
    const entry = { id, spelling };
    known.set(term, entry);
    hasNew = true;
    return entry;
  };

  return {
    begin() {
      const isCommitted = !hasNew && epochs.isOurs();
      if (!isCommitted) known.clear();
      forgetNew();
    },
    idOf: (term) => (knownTerm(term) ?? newTerm(term, SPELLING.none, null)).id,
    spell(term, isNamed) {
      const spelling = isNamed ? SPELLING.name : SPELLING.text;
      const old = knownTerm(term);
      if (old && old.spelling >= spelling) return old.id;
      const before = old?.spelling ?? SPELLING.none;
      const word = term.slice(1);
      const base = stem(word);
      const ownStem = base === word ? null : base;
      const { id } = old ?? newTerm(term, spelling, ownStem);
      if (old) {
        setSpelling.run(spelling, ownStem, id);
        old.spelling = spelling;
      }
      if (isCorrected(word) && before === SPELLING.none) newWords.push({ word, id });
      if (isCorrected(word) && isNamed) newNames.push({ word, id });
      return id;
    },
    flush(merging) {
      typos.add(newWords, newNames, merging);
      forgetNew();
      epochs.next();
    },
    settle: typos.settle,
  };
}

/** Tells whether our last batch was committed and nobody wrote since: else remembered numbers may be gone. */
function createEpochs(database: Database): { isOurs(): boolean; next(): void } {
  const read = database
    .prepare<[], number>(`SELECT documents FROM ${SIZES_TABLE} WHERE type = '${EPOCH_TYPE}'`)
    .pluck();
  const write = database.prepare<[number]>(
    `INSERT OR REPLACE INTO ${SIZES_TABLE} (type, documents, steps) VALUES ('${EPOCH_TYPE}', ?, '')`,
  );
  let epoch = -1;
  return {
    isOurs: () => read.get() === epoch,
    next() {
      epoch = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
      write.run(epoch);
    },
  };
}
