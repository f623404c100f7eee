import type { Database } from 'better-sqlite3';
import { featuresOf } from '../../search/features.ts';
import { FIELD, FIELDS, type Field, importanceStep } from '../../search/layers.ts';
import { stepOf } from '../../search/places.ts';
import type { Merging, SearchedDocument } from '../../search/search-index.ts';
import { isWordTerm } from '../../search/terms.ts';
import { createDocumentsWriter, type IndexedDocument } from './documents.ts';
import { createGatherer } from './gatherer.ts';
import { createListWriter } from './list-writer.ts';
import { createLists } from './lists.ts';
import { searchTables } from './schema.ts';
import type { VocabularyWriter } from './vocabulary.ts';

/** Keeps the search tables of one type. Changes are gathered, and written by `flush` inside the same transaction. */
export interface IndexWriter {
  /** Forgets what was gathered for a transaction that was rolled back. */
  begin(merging: Merging): void;
  put(document: SearchedDocument): void;
  remove(id: number): void;
  flush(): void;
  /** Merges a part of what waits; false when nothing waits. */
  settle(): boolean;
}

/** Gathered changes are written at this number, which bounds memory to some tens of megabytes. */
const GATHERED_MAX = 2_000_000;
const NO_LISTS: ReadonlySet<number> = new Set();

export function createIndexWriter(database: Database, type: string, vocabulary: VocabularyWriter): IndexWriter {
  const documents = createDocumentsWriter(database, type);
  const { lists: table } = searchTables(type);
  const lists = createListWriter(database, table, createLists(database, table));
  const changes = createGatherer();
  const written = new Set<number>();
  let merging: Merging = 'now';

  const write = () => {
    lists.write(changes.take(), merging);
    written.clear();
    vocabulary.flush(merging);
    documents.flush();
  };

  /** A record that comes twice in one batch is written in between: its two changes must not meet. */
  const touch = (id: number) => {
    if (written.has(id) || changes.size() >= GATHERED_MAX) write();
    written.add(id);
  };

  const replace = (id: number, old: IndexedDocument | undefined, document: IndexedDocument | undefined) => {
    if (old) documents.delete(old);
    if (document) documents.insert(id, document);
    const kept = old?.ordinal === document?.ordinal ? common(old?.lists, document?.lists) : NO_LISTS;
    for (const list of old?.lists ?? []) if (old && !kept.has(list)) changes.remove(list, old.ordinal);
    for (const list of document?.lists ?? []) if (document && !kept.has(list)) changes.add(list, document.ordinal);
  };

  return {
    begin(how) {
      merging = how;
      changes.take();
      written.clear();
      vocabulary.begin();
      documents.begin();
    },
    put(document) {
      touch(document.id);
      const old = documents.find(document.id);
      const { keys, terms } = featuresOf(document);
      const lists = listsOf(terms, vocabulary);
      const step = importanceStep(document.rank);
      const ordinal = old && stepOf(old.ordinal) === step ? old.ordinal : documents.nextOrdinal(step);
      replace(document.id, old, { ordinal, lists, keys });
    },
    remove(id) {
      touch(id);
      const old = documents.find(id);
      if (old) replace(id, old, undefined);
    },
    flush: write,
    settle: lists.settle,
  };
}

/** In ascending order. */
function listsOf(terms: ReadonlyMap<string, Field>, vocabulary: VocabularyWriter): number[] {
  const lists = new Float64Array(terms.size);
  let length = 0;
  for (const [term, field] of terms) {
    const id = isWordTerm(term) ? vocabulary.spell(term, field === FIELD.name) : vocabulary.idOf(term);
    lists[length++] = listOf(id, field);
  }
  return [...lists.sort()];
}

/** A term has one list for each field, so a document stands in one of them: its best. */
export const listOf = (term: number, field: number): number => term * FIELDS.length + field;

function common(one: readonly number[] = [], other: readonly number[] = []): ReadonlySet<number> {
  const set = new Set(other);
  return new Set(one.filter((list) => set.has(list)));
}
