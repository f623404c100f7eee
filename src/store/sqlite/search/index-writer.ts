import type { Database } from 'better-sqlite3';
import { analyze } from '../../search/analyzer.ts';
import { FIELDS, type Field, rankBucket, stepOf } from '../../search/matches.ts';
import type { Merging, Ranked, SearchedDocument } from '../../search/search-index.ts';
import {
  createDocumentsWriter,
  hasSameNames,
  type IndexedDocument,
  type MovedDocument,
  type Replaced,
} from './documents.ts';
import { searchTables } from './postings-table.ts';
import { createPostingsWriter, createWriteBuffer } from './postings-writer.ts';
import { emptiedLists, type SortedRun } from './sorted-run.ts';
import type { TermDictionaryWriter } from './term-dictionary-writer.ts';

/** Flush threshold of buffered changes, which bounds memory to tens of megabytes. */
const BUFFERED_MAX = 2_000_000;
const NO_LISTS: ReadonlySet<number> = new Set();

/** Maintains the search tables of one type. Changes are buffered until `flush`, in the same transaction. */
export type IndexWriter = ReturnType<typeof createIndexWriter>;

export function createIndexWriter(database: Database, type: string, dictionary: TermDictionaryWriter) {
  const documents = createDocumentsWriter(database, type);
  const { lists: table } = searchTables(type);
  const release = (emptied: readonly number[]) => dictionary.release(emptied.map(termOfList));
  const lists = createPostingsWriter(database, table, release);
  const batch = createBatch();
  let merging: Merging = 'now';

  const write = () => {
    const replaced = batch.take();
    const run = changesOf(replaced);
    documents.changeKeys(replaced);
    lists.write(run, merging);
    if (merging !== 'deferred') release(emptiedLists(run));
    dictionary.flush(merging);
    documents.flush();
  };

  /** Flushes before a record occurs twice in a batch, so that its first state is removed correctly. */
  const touch = (id: number): IndexedDocument | undefined => {
    if (batch.isFull() || batch.hasTouched(id)) write();
    batch.touch(id);
    return documents.find(id);
  };

  const put = (
    id: number,
    rank: number,
    { before, ...rest }: Omit<IndexedDocument, 'docId'> & Pick<Replaced, 'before'>,
  ) => {
    const step = rankBucket(rank);
    const isPlaced = before !== undefined && stepOf(before.docId) === step;
    const docId = isPlaced ? before.docId : documents.place(step, id, batch.noteMoved);
    const after = { docId, ...rest };
    documents.put(id, after);
    batch.note(id, before, after);
  };

  return {
    /** Starts a batch, discarding buffered changes of a rolled back transaction. */
    begin(how: Merging): void {
      merging = how;
      batch.take();
      dictionary.begin();
      documents.begin();
    },
    /** Returns whether its rank is right: unless merged now, a document of the same text keeps the one that it had. */
    put(document: SearchedDocument): boolean {
      const before = touch(document.id);
      const { keys, terms } = analyze(document);
      const lists = [...termLists(terms, dictionary)];
      if (merging !== 'now' && before !== undefined && hasSameText(before, { lists, keys }))
        return stepOf(before.docId) === rankBucket(document.rank);
      put(document.id, document.rank, { before, lists, keys });
      return true;
    },
    rerank({ id, rank }: Ranked): void {
      const docId = documents.docIdOf(id);
      if (docId === undefined || stepOf(docId) === rankBucket(rank)) return;
      const before = touch(id);
      if (before) put(id, rank, { before, lists: before.lists, keys: before.keys });
    },
    remove(id: number): void {
      const before = touch(id);
      if (before === undefined) return;
      documents.delete(id);
      batch.note(id, before, undefined);
    },
    flush: write,
    /** Whether any document has a term in one of the first `fields` fields, as of the last `refresh`. */
    hasPostings: (term: number, fields: number): boolean =>
      lists.hasPostings(listOf(term, 0), listOf(term, 0) + fields),
    refresh: lists.refresh,
    compact: lists.compact,
  };
}

const hasSameText = (before: IndexedDocument, { lists, keys }: Omit<IndexedDocument, 'docId'>): boolean =>
  before.lists.length === lists.length &&
  before.lists.every((list, index) => list === lists[index]) &&
  hasSameNames(before.keys, keys);

/** Buffered replacements, including documents moved to make room. */
function createBatch() {
  let replaced = new Map<number, Replaced>();
  const touched = new Set<number>();
  let buffered = 0;
  const note = (id: number, before: IndexedDocument | undefined, after: IndexedDocument | undefined): void => {
    const earlier = replaced.get(id);
    replaced.set(id, { before: earlier ? earlier.before : before, after });
    buffered += (before?.lists.length ?? 0) + (after?.lists.length ?? 0);
  };
  return {
    note,
    noteMoved: ({ id, before, after }: MovedDocument): void => note(id, before, after),
    /** Marks a document as changed, not only moved. */
    touch: (id: number): void => void touched.add(id),
    hasTouched: (id: number): boolean => touched.has(id),
    isFull: (): boolean => buffered >= BUFFERED_MAX,
    take(): Replaced[] {
      const all = [...replaced.values()];
      replaced = new Map();
      touched.clear();
      buffered = 0;
      return all;
    },
  };
}

function changesOf(all: Iterable<Replaced>): SortedRun {
  const changes = createWriteBuffer();
  for (const { before, after } of all) {
    const kept = before?.docId === after?.docId ? common(before?.lists, after?.lists) : NO_LISTS;
    for (const list of before?.lists ?? []) if (before && !kept.has(list)) changes.remove(list, before.docId);
    for (const list of after?.lists ?? []) if (after && !kept.has(list)) changes.add(list, after.docId);
  }
  return changes.drain();
}

/** Ascending. */
export function termLists(
  terms: ReadonlyMap<string, Field>,
  { idOf }: Pick<TermDictionaryWriter, 'idOf'>,
): Float64Array {
  const lists = new Float64Array(terms.size);
  let length = 0;
  for (const [term, field] of terms) lists[length++] = listOf(idOf(term, field), field);
  return lists.sort();
}

/** Each term has one posting list per field; a document is in the list of its best field. */
export const listOf = (term: number, field: number): number => term * FIELDS.length + field;
export const termOfList = (list: number): number => Math.floor(list / FIELDS.length);

function common(one: readonly number[] = [], other: readonly number[] = []): ReadonlySet<number> {
  const set = new Set(other);
  return new Set(one.filter((list) => set.has(list)));
}
