import type { Database } from 'better-sqlite3';
import type { IdentityKey } from '../../search/features.ts';
import { keptKey } from '../../search/identities.ts';
import { nextOrdinal, parseSizes, type Sizes, type SizesRow } from '../../search/places.ts';
import { SIZES_TABLE, searchTables } from './schema.ts';

export interface IndexedDocument {
  ordinal: number;
  lists: number[];
  keys: IdentityKey[];
}

/** Rows of the search tables that are kept by document: its ordinal, its lists and its identities. */
export interface DocumentsWriter {
  begin(): void;
  find(id: number): IndexedDocument | undefined;
  /** The next free ordinal of a step of importance. */
  nextOrdinal(step: number): number;
  insert(id: number, document: IndexedDocument): void;
  delete(document: IndexedDocument): void;
  /** Writes the sizes down. */
  flush(): void;
}

interface Row {
  ordinal: number;
  lists: Uint8Array;
  keys: string;
}

export function createDocumentsWriter(database: Database, type: string): DocumentsWriter {
  const tables = searchTables(type);
  const find = database.prepare<[number], Row>(`SELECT ordinal, lists, keys FROM ${tables.documents} WHERE id = ?`);
  const insert = database.prepare(`INSERT INTO ${tables.documents} (ordinal, id, lists, keys) VALUES (?, ?, ?, ?)`);
  const erase = database.prepare(`DELETE FROM ${tables.documents} WHERE ordinal = ?`);
  const insertKey = database.prepare(`INSERT INTO ${tables.keys} (key, kind, ordinal) VALUES (?, ?, ?)`);
  const eraseKey = database.prepare(`DELETE FROM ${tables.keys} WHERE key = ? AND kind = ? AND ordinal = ?`);
  const readSizes = database.prepare<[string], SizesRow>(`SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`);
  const writeSizes = database.prepare(
    `INSERT OR REPLACE INTO ${SIZES_TABLE} (type, documents, steps) VALUES (?, ?, ?)`,
  );
  // Read anew after every flush: another process may have written in between.
  let sizes: Sizes | undefined;

  const current = () => {
    sizes ??= parseSizes(readSizes.get(type));
    return sizes;
  };

  return {
    begin() {
      sizes = undefined;
    },
    find(id) {
      const row = find.get(id);
      return row && { ordinal: row.ordinal, lists: unpackLists(row.lists), keys: unpackKeys(row.keys) };
    },
    nextOrdinal(step) {
      return nextOrdinal(current(), step);
    },
    insert(id, document) {
      insert.run(document.ordinal, id, packLists(document.lists), packKeys(document.keys));
      for (const { key, kind } of document.keys) insertKey.run(keptKey(kind, key), kind, document.ordinal);
      current().documents += 1;
    },
    delete(document) {
      erase.run(document.ordinal);
      for (const { key, kind } of document.keys) eraseKey.run(keptKey(kind, key), kind, document.ordinal);
      current().documents -= 1;
    },
    flush() {
      if (sizes) writeSizes.run(type, sizes.documents, sizes.steps.join(' '));
      sizes = undefined;
    },
  };
}

/** Ascending list numbers as steps of seven bits a byte. */
function packLists(lists: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (const list of lists) {
    let step = list - previous;
    for (; step >= 0x80; step = Math.floor(step / 0x80)) bytes.push((step % 0x80) | 0x80);
    bytes.push(step);
    previous = list;
  }
  return Uint8Array.from(bytes);
}

function unpackLists(data: Uint8Array): number[] {
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

const packKeys = (keys: readonly IdentityKey[]): string => JSON.stringify(keys.map(({ key, kind }) => [key, kind]));

function unpackKeys(text: string): IdentityKey[] {
  const pairs = JSON.parse(text) as [string, IdentityKey['kind']][];
  return pairs.map(([key, kind]) => ({ key, kind }));
}
