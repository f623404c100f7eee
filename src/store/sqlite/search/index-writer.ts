import type { Database } from 'better-sqlite3';
import { featuresOf } from '../../search/features.ts';
import { FIELD, FIELDS, type Field, importanceStep } from '../../search/layers.ts';
import { stepOf } from '../../search/places.ts';
import type { Merging, Ranked, SearchedDocument } from '../../search/search-index.ts';
import { isWordTerm } from '../../search/terms.ts';
import { createDocumentsWriter, type IndexedDocument, type MovedDocument, type Replaced } from './documents.ts';
import { createListWriter } from './list-writer.ts';
import { createLists } from './lists.ts';
import { searchTables } from './search-tables.ts';
import { emptiedLists, type SortedRun } from './sorted-run.ts';
import type { VocabularyWriter } from './term-dictionary.ts';
import { createWriteBuffer } from './write-buffer.ts';

/** Keeps the search tables of one type. Changes are gathered, and written by `flush` inside the same transaction. */
export interface IndexWriter {
  /** Forgets what was gathered for a transaction that was rolled back. */
  begin(merging: Merging): void;
  put(document: SearchedDocument): void;
  /** Keeps a document under another rank; one that is not there is passed over. */
  rerank(ranked: Ranked): void;
  remove(id: number): void;
  flush(): void;
  /** Whether any document has a term in one of the first `fields` fields, as of the last `refresh`. */
  holds(term: number, fields: number): boolean;
  refresh(): void;
  /** Merges a part of what waits; false when nothing waits. */
  compact(): boolean;
}

/** Gathered changes are written at this number, which bounds memory to some tens of megabytes. */
const GATHERED_MAX = 2_000_000;
const NO_LISTS: ReadonlySet<number> = new Set();

export function createIndexWriter(database: Database, type: string, vocabulary: VocabularyWriter): IndexWriter {
  const documents = createDocumentsWriter(database, type);
  const { lists: table } = searchTables(type);
  const lists = createListWriter(database, table, createLists(database, table));
  const batch = createBatch();
  let merging: Merging = 'now';

  const write = () => {
    const replaced = batch.take();
    const run = changesOf(replaced);
    documents.changeKeys(replaced);
    lists.write(run, merging);
    vocabulary.release(emptiedLists(run).map(termOfList));
    vocabulary.flush(merging);
    documents.flush();
  };

  /** A record that comes twice in one batch is written in between, so that the words it had first are forgotten. */
  const touch = (id: number): IndexedDocument | undefined => {
    if (batch.isFull() || batch.hasTouched(id)) write();
    batch.touch(id);
    return documents.find(id);
  };

  const put = (
    id: number,
    rank: number,
    { before, ...rest }: Omit<IndexedDocument, 'ordinal'> & Pick<Replaced, 'before'>,
  ) => {
    const step = importanceStep(rank);
    const isPlaced = before !== undefined && stepOf(before.ordinal) === step;
    const ordinal = isPlaced ? before.ordinal : documents.place(step, id, batch.noteMoved);
    const after = { ordinal, ...rest };
    documents.put(id, after);
    batch.note(id, before, after);
  };

  return {
    begin(how) {
      merging = how;
      batch.take();
      vocabulary.begin();
      documents.begin();
    },
    put(document) {
      const before = touch(document.id);
      const { keys, terms } = featuresOf(document);
      put(document.id, document.rank, { before, lists: listsOf(terms, vocabulary), keys });
    },
    rerank({ id, rank }) {
      const ordinal = documents.ordinalOf(id);
      if (ordinal === undefined || stepOf(ordinal) === importanceStep(rank)) return;
      const before = touch(id);
      if (before) put(id, rank, { before, lists: before.lists, keys: before.keys });
    },
    remove(id) {
      const before = touch(id);
      if (before === undefined) return;
      documents.delete(id);
      batch.note(id, before, undefined);
    },
    flush: write,
    holds: (term, fields) => lists.holds(listOf(term, 0), listOf(term, 0) + fields),
    refresh: lists.refresh,
    compact: lists.compact,
  };
}

/** Gathers what becomes of documents, also of those that make room for others. */
interface Batch {
  note(id: number, before: IndexedDocument | undefined, after: IndexedDocument | undefined): void;
  noteMoved(moved: MovedDocument): void;
  /** Notes that a document is changed itself, not only moved. */
  touch(id: number): void;
  hasTouched(id: number): boolean;
  isFull(): boolean;
  /** Gives what was gathered, and begins anew. */
  take(): Replaced[];
}

function createBatch(): Batch {
  let replaced = new Map<number, Replaced>();
  const touched = new Set<number>();
  let gathered = 0;
  const note: Batch['note'] = (id, before, after) => {
    const earlier = replaced.get(id);
    replaced.set(id, { before: earlier ? earlier.before : before, after });
    gathered += (before?.lists.length ?? 0) + (after?.lists.length ?? 0);
  };
  return {
    note,
    noteMoved: ({ id, before, after }) => note(id, before, after),
    touch: (id) => void touched.add(id),
    hasTouched: (id) => touched.has(id),
    isFull: () => gathered >= GATHERED_MAX,
    take() {
      const all = [...replaced.values()];
      replaced = new Map();
      touched.clear();
      gathered = 0;
      return all;
    },
  };
}

/** The changes of lists that replaced documents make. */
function changesOf(all: Iterable<Replaced>): SortedRun {
  const changes = createWriteBuffer();
  for (const { before, after } of all) {
    const kept = before?.ordinal === after?.ordinal ? common(before?.lists, after?.lists) : NO_LISTS;
    for (const list of before?.lists ?? []) if (before && !kept.has(list)) changes.remove(list, before.ordinal);
    for (const list of after?.lists ?? []) if (after && !kept.has(list)) changes.add(list, after.ordinal);
  }
  return changes.drain();
}

/** In ascending order. */
function listsOf(terms: ReadonlyMap<string, Field>, vocabulary: VocabularyWriter): number[] {
  const lists = new Float64Array(terms.size);
  let length = 0;
  for (const [term, field] of terms) {
    lists[length++] = listOf(termOf(vocabulary, term, field), field);
  }
  return [...lists.sort()];
}

/** The number of a term that a document has in a field. */
export const termOf = (vocabulary: VocabularyWriter, term: string, field: Field): number =>
  isWordTerm(term) ? vocabulary.spell(term, field === FIELD.name) : vocabulary.idOf(term);

/** A term has one list for each field, so a document stands in one of them: its best. */
export const listOf = (term: number, field: number): number => term * FIELDS.length + field;
export const termOfList = (list: number): number => Math.floor(list / FIELDS.length);

function common(one: readonly number[] = [], other: readonly number[] = []): ReadonlySet<number> {
  const set = new Set(other);
  return new Set(one.filter((list) => set.has(list)));
}
