import type { Database } from 'better-sqlite3';
import type { Merging } from '../../search/search-index.ts';
import { stem } from '../../search/stem.ts';
import { wordTerm } from '../../search/terms.ts';
import { TYPO_LENGTH_MAX, TYPO_LENGTH_MIN } from '../../search/typos.ts';
import { EPOCH_TYPE, SIZES_TABLE, TERMS_TABLE } from './schema.ts';
import { createTypoTables, type Spelt } from './typo-tables.ts';

/** Gives terms their numbers, and keeps what typos are resolved by. Every call is inside the caller's transaction. */
export interface VocabularyWriter {
  /** Begins a batch: forgets what a transaction that was rolled back had made. */
  begin(): void;
  /** Number of a term, made when it is new. */
  idOf(term: string): number;
  /** Makes a word known as it is written; one of a name can be found by more typos than others. */
  spell(word: string, isNamed: boolean): void;
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
  /** What has been counted as written so far; the row of a new term may already say more. */
  spelling: number;
  /** Made without a spelling. */
  isBare?: boolean;
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
  const known = createMemory<Known>(REMEMBERED_MAX);
  let newWords: Spelt[] = [];
  let newNames: Spelt[] = [];
  let firstNew = Infinity;

  const forgetNew = () => {
    newWords = [];
    newNames = [];
    firstNew = Infinity;
  };

  /** A new term is written with what is known of it. */
  const entryOf = (term: string, spelling: number, wordStem: string | null): Known => {
    const old = known.get(term) ?? find.get(term);
    const entry = old ?? {
      id: Number(insert.run(term, spelling, wordStem).lastInsertRowid),
      spelling: SPELLING.none,
      isBare: spelling === SPELLING.none,
    };
    if (!old) firstNew = Math.min(firstNew, entry.id);
    known.set(term, entry);
    return entry;
  };

  return {
    begin() {
      const isCommitted = firstNew === Infinity && epochs.isOurs();
      if (!isCommitted) known.clear();
      forgetNew();
    },
    idOf: (term) => entryOf(term, SPELLING.none, null).id,
    spell(word, isNamed) {
      const spelling = isNamed ? SPELLING.name : SPELLING.text;
      const term = wordTerm(word);
      let entry = known.get(term);
      if (entry && entry.spelling >= spelling) return;
      const base = stem(word);
      const ownStem = base === word ? null : base;
      entry = entryOf(term, spelling, ownStem);
      if (entry.spelling >= spelling) return;
      if (isCorrected(word) && entry.spelling === SPELLING.none) newWords.push({ word, id: entry.id });
      if (isCorrected(word) && isNamed) newNames.push({ word, id: entry.id });
      if (entry.id < firstNew || entry.spelling > SPELLING.none || entry.isBare)
        setSpelling.run(spelling, ownStem, entry.id);
      entry.spelling = spelling;
      entry.isBare = false;
    },
    flush(merging) {
      typos.add(newWords, newNames, merging);
      forgetNew();
      epochs.next();
    },
    settle: typos.settle,
  };
}

function isCorrected(word: string): boolean {
  return word.length >= TYPO_LENGTH_MIN && word.length <= TYPO_LENGTH_MAX;
}

/** Remembers the values used last: between `size` and twice `size` of them. */
function createMemory<Value>(size: number): {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  clear(): void;
} {
  let recent = new Map<string, Value>();
  let older = new Map<string, Value>();
  const set = (key: string, value: Value) => {
    if (recent.size >= size) [older, recent] = [recent, new Map<string, Value>()];
    recent.set(key, value);
  };
  return {
    get(key) {
      const value = recent.get(key);
      if (value !== undefined) return value;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
    set,
    clear() {
      recent = new Map<string, Value>();
      older = new Map<string, Value>();
    },
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
