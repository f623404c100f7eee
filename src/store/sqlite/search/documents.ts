import type { Database } from 'better-sqlite3';
import type { NameKey } from '../../search/analyzer.ts';
import { docIdOf, POSITIONS_MAX, parseSizes, type Sizes, type SizesRow } from '../../search/matches.ts';
import { storedKey } from '../../search/name-matcher.ts';
import { SIZES_TABLE, searchTables } from './postings-table.ts';

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

/** Old and new state of a document; undefined if absent. */
export interface Replaced {
  before: IndexedDocument | undefined;
  after: IndexedDocument | undefined;
}

/** Writes the per-document rows: document id, terms and name keys. */
export function createDocumentsWriter(database: Database, type: string) {
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
    begin(): void {
      sizes = undefined;
    },
    find: known,
    docIdOf: (id: number): number | undefined => findDocId.get(id),
    /** A free document id of a rank step, in the order of record ids. Calls `move` for documents moved to make room. */
    place(step: number, id: number, noteMoved: (moved: MovedDocument) => void): number {
      const { docId, moved } = order.place(current(), step, id);
      for (const { id: other, to } of moved) {
        const before = known(other);
        if (before === undefined) continue;
        move.run(to, other);
        noteMoved({ id: other, before, after: { ...before, docId: to } });
      }
      return docId;
    },
    /** Writes the row of a document; `changeKeys` writes its name keys. */
    put(id: number, document: IndexedDocument): void {
      if (findDocId.get(id) === undefined) current().documents += 1;
      put.run(id, document.docId, packLists(document.lists), packKeys(document.keys));
    },
    delete(id: number): void {
      current().documents -= erase.run(id).changes;
    },
    /** Replaces the name keys of documents. Deletes all before inserting, because document ids may be reused. */
    changeKeys(changes: Iterable<Replaced>): void {
      const changed = [...changes].filter(({ before, after }) => !hasSameKeys(before, after));
      for (const { before } of changed)
        for (const { key, kind } of before?.keys ?? []) eraseKey.run(storedKey(kind, key), kind, before?.docId);
      for (const { after } of changed)
        for (const { key, kind } of after?.keys ?? []) insertKey.run(storedKey(kind, key), kind, after?.docId);
    },
    flush(): void {
      if (sizes) writeSizes.run(type, sizes.documents, sizes.steps.join(' '));
      sizes = undefined;
    },
  };
}

const hasSameKeys = (before: IndexedDocument | undefined, after: IndexedDocument | undefined): boolean =>
  before !== undefined && before.docId === after?.docId && hasSameNames(before.keys, after.keys);

export const hasSameNames = (one: readonly NameKey[], other: readonly NameKey[]): boolean =>
  one.length === other.length &&
  one.every(({ key, kind }, index) => key === other[index].key && kind === other[index].kind);

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

interface Placed {
  readonly id: number;
  readonly docId: number;
}

/** A free document id, and documents moved to make room. */
interface Placement {
  readonly docId: number;
  /** With their old and new document ids. */
  readonly moved: readonly (Placed & { readonly to: number })[];
}

/** One of this many appended positions is left free; bitmaps have a bit per position, so gaps cost searches. */
const APPENDED = 16;
const WINDOW_MIN = 16;
/** Required free share of a window, which grows with its size. */
const FREE_MAX = 1 / 8;
const FREE_PER_DOUBLING = 1 / 256;

/** The next position at the end of a step with `used` positions. */
export const appendedPlace = (used: number): number => (used % APPENDED === APPENDED - 1 ? used + 1 : used);

const mayHold = (size: number): number =>
  size - Math.ceil(size * Math.min(FREE_MAX, Math.log2(size) * FREE_PER_DOUBLING));

/**
 * Keeps the documents of a rank step in the order of record ids. The highest record id is appended; others are inserted
 * between their neighbours. Without a gap, the smallest sufficiently sparse window is redistributed (packed-memory
 * array of Itai, Konheim and Rodeh), with low amortized cost.
 */
function createOrder(database: Database, type: string) {
  const { documents } = searchTables(type);
  const range = `SELECT id, ordinal AS docId FROM ${documents} WHERE ordinal >= ? AND ordinal < ? ORDER BY ordinal`;
  const first = database.prepare<[number, number], Placed>(`${range} LIMIT 1`);
  const last = database.prepare<[number, number], Placed>(`${range} DESC LIMIT 1`);
  const all = database.prepare<[number, number], Placed>(range);

  /** The document of a step with the lowest record id above `id`, by bisection. */
  const nextOf = (step: number, id: number, highest: Placed): Placed => {
    let next = highest;
    for (let low = docIdOf(step, 0), high = highest.docId; low < high; ) {
      const middle = (low + high) >>> 1;
      const found = first.get(middle, high + 1);
      if (found !== undefined && found.id <= id) low = found.docId + 1;
      else {
        // Nothing may remain between them.
        next = found ?? next;
        high = middle;
      }
    }
    return next;
  };

  const makeRoom = (sizes: Sizes, step: number, id: number, near: Placed): Placement => {
    const start = docIdOf(step, 0);
    for (let size = WINDOW_MIN; ; size *= 2) {
      const from = start + Math.floor((near.docId - start) / size) * size;
      const members = all.all(from, from + size);
      const isWhole = from === start && size >= sizes.steps[step];
      if (members.length >= mayHold(size) && size < POSITIONS_MAX) continue;
      if (members.length >= POSITIONS_MAX)
        throw new Error(`Search holds at most ${POSITIONS_MAX} records of one importance`);
      // A full step grows as little as necessary.
      const wanted = Math.max(sizes.steps[step], Math.ceil((members.length + 1) / (1 - FREE_MAX)));
      return spread({ from, room: isWhole ? Math.min(POSITIONS_MAX, wanted) : size, members }, id);
    }
  };

  const placeIn = (sizes: Sizes, step: number, id: number): Placement => {
    const start = docIdOf(step, 0);
    const highest = last.get(start, start + POSITIONS_MAX);
    if (highest === undefined) return { docId: start, moved: [] };
    if (highest.id < id) {
      const place = appendedPlace(highest.docId - start + 1);
      return place < POSITIONS_MAX ? { docId: start + place, moved: [] } : makeRoom(sizes, step, id, highest);
    }
    const next = nextOf(step, id, highest);
    const before = last.get(start, next.docId)?.docId ?? start - 1;
    if (next.docId - before > 1) return { docId: (before + next.docId) >>> 1, moved: [] };
    return makeRoom(sizes, step, id, next);
  };

  return {
    place(sizes: Sizes, step: number, id: number): Placement {
      const placement = placeIn(sizes, step, id);
      const highest = placement.moved.reduce((most, { to }) => Math.max(most, to), placement.docId);
      sizes.steps[step] = Math.max(sizes.steps[step], highest - docIdOf(step, 0) + 1);
      return placement;
    },
  };
}

/** Distributes the documents of a window evenly, with room for one more. */
function spread(
  { from, room, members }: { from: number; room: number; members: readonly Placed[] },
  id: number,
): Placement {
  const count = members.length + 1;
  const place = (index: number): number => from + Math.floor((index * room) / count);
  const own = members.filter((member) => member.id < id).length;
  const moved = members
    .map((member, index) => ({ ...member, to: place(index < own ? index : index + 1) }))
    .filter(({ docId, to }) => docId !== to);
  return { docId: place(own), moved };
}
