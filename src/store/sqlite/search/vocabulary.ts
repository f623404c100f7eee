import type { Database } from 'better-sqlite3';
import { isCorrected } from '../../search/corrections.ts';
import { stem } from '../../search/stem.ts';
import { wordTerm } from '../../search/terms.ts';
import { deletionCodes, gramCodes } from '../../search/typos.ts';
import { createLists } from './lists.ts';
import { DELETIONS_TABLE, EPOCH_TYPE, GRAMS_TABLE, SIZES_TABLE, TERMS_TABLE } from './schema.ts';

/** Gives terms their numbers, and keeps what typos are resolved by. Every call is inside the caller's transaction. */
export interface VocabularyWriter {
  /** Begins a batch: forgets what a transaction that was rolled back had made. */
  begin(): void;
  /** Number of a term, made when it is new. */
  idOf(term: string): number;
  /** Makes a word known as it is written; one of a name can be found by more typos than others. */
  spell(word: string, isNamed: boolean): void;
  /** True when the term was made since the last `flush`, so that its lists are empty. */
  isNew(id: number): boolean;
  flush(): void;
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

interface Spelt {
  word: string;
  id: number;
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
    isNew: (id) => id >= firstNew,
    flush() {
      typos.add(newWords, newNames);
      forgetNew();
      epochs.next();
    },
  };
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

function createTypoTables(database: Database): { add(words: readonly Spelt[], names: readonly Spelt[]): void } {
  const addDeletion = database.prepare<[number, number]>(
    `INSERT OR IGNORE INTO ${DELETIONS_TABLE} (code, term) VALUES (?, ?)`,
  );
  const grams = createLists(database, GRAMS_TABLE);
  return {
    add(words, names) {
      // Ascending codes fill neighbouring pages: several times faster than the order of arrival.
      for (const { code, id } of inOrder(words)) addDeletion.run(code, id);
      for (const [code, ids] of byGram(names)) grams.change(code, Uint32Array.from(ids).sort(), new Uint32Array());
    },
  };
}

function inOrder(words: readonly Spelt[]): { code: number; id: number }[] {
  const codes: { code: number; id: number }[] = [];
  for (const { word, id } of words) for (const code of deletionCodes(word)) codes.push({ code, id });
  return codes.sort((one, other) => one.code - other.code);
}

function byGram(words: readonly Spelt[]): [number, number[]][] {
  const lists = new Map<number, number[]>();
  for (const { word, id } of words) {
    for (const code of gramCodes(word)) {
      const ids = lists.get(code);
      if (ids) ids.push(id);
      else lists.set(code, [id]);
    }
  }
  return [...lists].sort(([one], [other]) => one - other);
}
