import type { Database } from 'better-sqlite3';
import type { NameKey } from '../../search/analyzer.ts';
import { parseSizes, type Sizes, type SizesRow } from '../../search/doc-ids.ts';
import { storedKey } from '../../search/name-matcher.ts';
import { createOrder } from './document-order.ts';
import { SIZES_TABLE, searchTables } from './search-tables.ts';

export interface IndexedDocument {
  docId: number;
  lists: number[];
  keys: NameKey[];
}

export interface MovedDocument {
  id: number;
  before: IndexedDocument;
  after: IndexedDocument;
}

/** Writes the per-document rows: document id, terms and name keys. */
export interface DocumentsWriter {
  begin(): void;
  find(id: number): IndexedDocument | undefined;
  docIdOf(id: number): number | undefined;
  /** A free document id of a rank step, in the order of record ids. Calls `move` for documents moved to make room. */
  place(step: number, id: number, move: (moved: MovedDocument) => void): number;
  /** Writes the row of a document; `changeKeys` writes its name keys. */
  put(id: number, document: IndexedDocument): void;
  delete(id: number): void;
  /** Replaces the name keys of documents. Deletes all before inserting, because document ids may be reused. */
  changeKeys(changes: Iterable<Replaced>): void;
  flush(): void;
}

/** Old and new state of a document; undefined if absent. */
export interface Replaced {
  before: IndexedDocument | undefined;
  after: IndexedDocument | undefined;
}

export function createDocumentsWriter(database: Database, type: string): DocumentsWriter {
  const tables = searchTables(type);
  const find = database.prepare<[number], { docId: number; lists: Uint8Array; keys: string }>(
    `SELECT ordinal AS docId, lists, keys FROM ${tables.documents} WHERE id = ?`,
  );
  const findDocId = database.prepare<[number], number>(`SELECT ordinal FROM ${tables.documents} WHERE id = ?`).pluck();
  const put = database.prepare(
    `INSERT OR REPLACE INTO ${tables.documents} (id, ordinal, lists, keys) VALUES (?, ?, ?, ?)`,
  );
  const move = database.prepare(`UPDATE ${tables.documents} SET ordinal = ? WHERE id = ?`);
  const erase = database.prepare(`DELETE FROM ${tables.documents} WHERE id = ?`);
  const insertKey = database.prepare(`INSERT INTO ${tables.keys} (key, kind, ordinal) VALUES (?, ?, ?)`);
  const eraseKey = database.prepare(`DELETE FROM ${tables.keys} WHERE key = ? AND kind = ? AND ordinal = ?`);
  const readSizes = database.prepare<[string], SizesRow>(`SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`);
  const writeSizes = database.prepare(
    `INSERT OR REPLACE INTO ${SIZES_TABLE} (type, documents, steps) VALUES (?, ?, ?)`,
  );
  const order = createOrder(database, type);
  // Reloaded after every flush, because another process may have written.
  let sizes: Sizes | undefined;

  const current = () => {
    sizes ??= parseSizes(readSizes.get(type));
    return sizes;
  };
  const known = (id: number): IndexedDocument | undefined => {
    const row = find.get(id);
    return row && { docId: row.docId, lists: unpackLists(row.lists), keys: unpackKeys(row.keys) };
  };

  return {
    begin() {
      sizes = undefined;
    },
    find: known,
    docIdOf: (id) => findDocId.get(id),
    place(step, id, noteMoved) {
      const { docId, moved } = order.place(current(), step, id);
      for (const { id: other, to } of moved) {
        const before = known(other);
        if (before === undefined) continue;
        move.run(to, other);
        noteMoved({ id: other, before, after: { ...before, docId: to } });
      }
      return docId;
    },
    put(id, document) {
      if (findDocId.get(id) === undefined) current().documents += 1;
      put.run(id, document.docId, packLists(document.lists), packKeys(document.keys));
    },
    delete(id) {
      current().documents -= erase.run(id).changes;
    },
    changeKeys(changes) {
      const changed = [...changes].filter(({ before, after }) => !hasSameKeys(before, after));
      for (const { before } of changed)
        for (const { key, kind } of before?.keys ?? []) eraseKey.run(storedKey(kind, key), kind, before?.docId);
      for (const { after } of changed)
        for (const { key, kind } of after?.keys ?? []) insertKey.run(storedKey(kind, key), kind, after?.docId);
    },
    flush() {
      if (sizes) writeSizes.run(type, sizes.documents, sizes.steps.join(' '));
      sizes = undefined;
    },
  };
}

const hasSameKeys = (before: IndexedDocument | undefined, after: IndexedDocument | undefined): boolean =>
  before !== undefined &&
  before.docId === after?.docId &&
  before.keys.length === after.keys.length &&
  before.keys.every(({ key, kind }, index) => key === after.keys[index].key && kind === after.keys[index].kind);

/** Delta-encodes ascending list numbers as varints of 7 bits per byte. */
export function packLists(lists: ArrayLike<number>): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (let index = 0; index < lists.length; index++) {
    let step = lists[index] - previous;
    for (; step >= 0x80; step = Math.floor(step / 0x80)) bytes.push((step % 0x80) | 0x80);
    bytes.push(step);
    previous = lists[index];
  }
  return new Uint8Array(bytes);
}

export function unpackLists(data: Uint8Array): number[] {
  const lists: number[] = [];
  let list = 0;
  let unit = 1;
  for (const byte of data) {
    list += (byte % 0x80) * unit;
    unit *= 0x80;
    if (byte >= 0x80) continue;
    lists.push(list);
    unit = 1;
  }
  return lists;
}

export const packKeys = (keys: readonly NameKey[]): string => JSON.stringify(keys.map(({ key, kind }) => [key, kind]));

export function unpackKeys(text: string): NameKey[] {
  const pairs = JSON.parse(text) as [string, NameKey['kind']][];
  return pairs.map(([key, kind]) => ({ key, kind }));
}
