import type { Database } from 'better-sqlite3';
import { cached, createCache } from '../../cached.ts';
import { stem } from '../../search/analyzer.ts';
import { FIELD, FIELDS, type Field, isWordTerm } from '../../search/matches.ts';
import type { Merging } from '../../search/search-index.ts';
import { isCorrected } from '../../search/typos.ts';
import { EPOCH_TYPE, MERGES_TABLE, RUNS_TABLE, SIZES_TABLE, TERMS_TABLE } from './postings-table.ts';
import { createTypoTables } from './typo-tables.ts';

export interface TermUse {
  refresh(): void;
  /** Whether any document of any type has a term in one of the first `fields` fields. */
  isUsed(term: number, fields: number): boolean;
}

/** Terms that are cached between batches. */
const CACHED_MAX = 150_000;
/** Where a term is spelled out: nowhere (a prefix), in text, or in a name. */
export const SPELLING = { none: 0, text: 1, name: 2 } as const;

interface Known {
  id: number;
  spelling: number;
}

export function spellingOf(term: string, field: Field): number {
  if (!isWordTerm(term)) return SPELLING.none;
  return field === FIELD.name ? SPELLING.name : SPELLING.text;
}

/** The stored stem of a word; null if equal to the word, and for prefixes. */
export function ownStem(term: string, spelling: number): string | null {
  if (spelling === SPELLING.none) return null;
  const word = term.slice(1);
  const base = stem(word);
  return base === word ? null : base;
}

function prepareTerms(database: Database) {
  return {
    find: database.prepare<[string], Known>(`SELECT id, spelling FROM ${TERMS_TABLE} WHERE term = ?`),
    findById: database.prepare<[number], { term: string; spelling: number }>(
      `SELECT term, spelling FROM ${TERMS_TABLE} WHERE id = ?`,
    ),
    insert: database.prepare<[string, number, string | null]>(
      `INSERT INTO ${TERMS_TABLE} (term, spelling, stem) VALUES (?, ?, ?)`,
    ),
    setSpelling: database.prepare<[number, string | null, number]>(
      `UPDATE ${TERMS_TABLE} SET spelling = ?, stem = ? WHERE id = ?`,
    ),
    erase: database.prepare<[number]>(`DELETE FROM ${TERMS_TABLE} WHERE id = ?`),
  };
}

/** Assigns term ids, and maintains the typo tables. Every call runs in the caller's transaction. */
export type TermDictionaryWriter = ReturnType<typeof createTermDictionaryWriter>;

export function createTermDictionaryWriter(database: Database, use: TermUse) {
  const { find, insert, setSpelling, findById, erase } = prepareTerms(database);
  const epochs = createEpochs(database);
  const typos = createTypoTables(database);
  const held = createHeldReleases(database);
  const known = createCache<string, Known>(CACHED_MAX);
  const knownOf = (term: string): Known | undefined => cached(known, term, (asked) => find.get(asked));
  /** Whether there are uncommitted changes. */
  let isChanged = false;

  const newTerm = (term: string, spelling: number): Known => {
    const entry = { id: Number(insert.run(term, spelling, ownStem(term, spelling)).lastInsertRowid), spelling };
    known.set(term, entry);
    isChanged = true;
    return entry;
  };

  const releaseTerm = (id: number) => {
    const kept = findById.get(id);
    if (kept === undefined) return;
    const { term, spelling } = kept;
    const word = term.slice(1);
    const isUsed = use.isUsed(id, FIELDS.length);
    if (isUsed && (spelling !== SPELLING.name || use.isUsed(id, FIELD.name + 1))) return;
    isChanged = true;
    known.delete(term);
    if (isUsed) setSpelling.run(SPELLING.text, ownStem(term, SPELLING.text), id);
    else erase.run(id);
    const isInTypos = isWordTerm(term) && isCorrected(word);
    if (isInTypos && spelling === SPELLING.name) typos.removeName({ word, id });
    if (isInTypos && !isUsed) typos.remove({ word, id });
  };

  const release = (terms: readonly number[]) => {
    use.refresh();
    new Set(terms).forEach(releaseTerm);
  };
  return {
    /** Starts a batch, discarding state of a rolled back transaction. */
    begin(): void {
      if (isChanged || !epochs.isOurs()) known.clear();
      typos.begin();
      isChanged = false;
    },
    /** Id of a term, with typo entries for a word; words of names have more. */
    idOf(term: string, field: Field): number {
      const spelling = spellingOf(term, field);
      const old = knownOf(term);
      if (old && old.spelling >= spelling) return old.id;
      const { id } = old ?? newTerm(term, spelling);
      if (old) {
        setSpelling.run(spelling, ownStem(term, spelling), id);
        known.set(term, { id, spelling });
        isChanged = true;
      }
      const word = term.slice(1);
      if (spelling === SPELLING.none || !isCorrected(word)) return id;
      if (!old) typos.add({ word, id });
      if (spelling === SPELLING.name) typos.addName({ word, id });
      return id;
    },
    /** Deletes terms that no document has any more. */
    release: (terms: readonly number[]): void => {
      if (terms.length > 0) (held.isHolding() ? held.note : release)(terms);
    },
    /** Defers deletions: during a build, the live index does not show all used terms. */
    hold: held.hold,
    releaseHeld: (): void => release(held.take()),
    flush(merging: Merging): void {
      typos.flush(merging);
      isChanged = false;
      epochs.next();
    },
    /** Signals all readers that the whole index was replaced. */
    replaced: epochs.replaced,
    compact: typos.compact,
  };
}

/** Detects whether our last batch was committed without other writers; otherwise cached ids are stale. */
function createEpochs(database: Database) {
  const read = database
    .prepare<[], number>(`SELECT documents FROM ${SIZES_TABLE} WHERE type = '${EPOCH_TYPE}'`)
    .pluck();
  const write = database.prepare<[number]>(
    `INSERT OR REPLACE INTO ${SIZES_TABLE} (type, documents, steps) VALUES ('${EPOCH_TYPE}', ?, '')`,
  );
  let epoch = -1;
  const newEpoch = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  return {
    isOurs: () => read.get() === epoch,
    next(): void {
      epoch = newEpoch();
      write.run(epoch);
    },
    replaced: () => void write.run(newEpoch()),
  };
}

/** Deferred deletions of any process, stored in the table of runs. */
function createHeldReleases(database: Database) {
  const find = database.prepare(`SELECT 1 FROM ${MERGES_TABLE} WHERE target = '${TERMS_TABLE}'`);
  const hold = database.prepare(
    `INSERT OR REPLACE INTO ${MERGES_TABLE} (target, last_run, next_list) VALUES ('${TERMS_TABLE}', 0, 0)`,
  );
  const note = database.prepare<[Uint8Array]>(
    `INSERT INTO ${RUNS_TABLE} (target, stamp, data) VALUES ('${TERMS_TABLE}', 0, ?)`,
  );
  const read = database
    .prepare<[], string>(`SELECT CAST(data AS TEXT) FROM ${RUNS_TABLE} WHERE target = '${TERMS_TABLE}'`)
    .pluck();
  return {
    hold: () => void hold.run(),
    isHolding: () => find.get() !== undefined,
    note: (terms: readonly number[]) => void note.run(Buffer.from(JSON.stringify(terms))),
    take() {
      const terms = read.all().flatMap((text) => JSON.parse(text) as number[]);
      for (const table of [RUNS_TABLE, MERGES_TABLE])
        database.exec(`DELETE FROM ${table} WHERE target = '${TERMS_TABLE}'`);
      return terms;
    },
  };
}
