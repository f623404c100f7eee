import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { RecordJson, Records, Row } from '../store.ts';
import type { Sqlite } from './database.ts';
import { createRecordIndex } from './record-index.ts';
import { createRelatedLists } from './related.ts';
import { createRecordTables, type RecordTables } from './tables.ts';
import { createWriter } from './writer.ts';

const WALK_STEP = 500;

/** Records in SQLite. Each method is synchronous inside, so that no other request can come into its transaction. */
export function createRecords(database: Sqlite, now: () => Date): Records {
  const tables = createRecordTables(database);
  const index = createRecordIndex(database);
  const related = createRelatedLists(database);
  const writer = createWriter(database, tables, index, now);
  const filled = database.prepare<[], number>("SELECT count(*) FROM settings WHERE name = 'filled_at'").pluck();
  const markFilled = database.prepare("INSERT INTO settings (name, value) VALUES ('filled_at', ?)");
  const putAll = database.transaction((rows: Iterable<Row>, isShipped: boolean) => writer.putAll(rows, isShipped));
  const putEach = database.transaction((rows: readonly Row[]) => writer.putEach(rows));
  const fillOnce = database.transaction((rows: () => Iterable<Row>) => {
    if (filled.get() === 1) return false;
    writer.putAll(rows(), true);
    markFilled.run(now().toISOString());
    return true;
  });
  const dropShipped = database.transaction(() => {
    const ids = Object.fromEntries(RECORD_TYPES.map((type) => [type, tables[type].shipped()]));
    return writer.removeAll(ids as Record<RecordType, number[]>);
  });
  return {
    get: async (type, idOrSlug) => {
      const isNumber = /^\d+$/.test(idOrSlug);
      const number = Number(idOrSlug);
      if (isNumber && !Number.isSafeInteger(number)) return undefined;
      const row = isNumber ? tables[type].byId(number) : tables[type].bySlug(idOrSlug);
      return row && { id: row.id, version: row.version, json: row.document };
    },
    search: async (request) => index.find(request),
    related: async (list, id, window) => related.find(list, id, window),
    walk: (type) => walk(tables, type),
    putAll: async (rows) => putAll.immediate(rows, false),
    putEach: async (rows) => putEach.immediate(rows),
    tryEach: async (rows) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        return writer.tryEach(rows);
      } finally {
        // A full disk has ended the transaction already.
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    },
    fillOnce: async (rows) => filled.get() !== 1 && fillOnce.immediate(rows),
    addShipped: async (rows) => putAll.immediate(rows(), true),
    dropShipped: async () => dropShipped.immediate(),
  };
}

/** In steps, so that neither memory nor a read lock grows with the table. */
async function* walk(tables: RecordTables, type: RecordType): AsyncGenerator<RecordJson> {
  let last = 0;
  for (;;) {
    const rows = tables[type].after(last, WALK_STEP);
    for (const row of rows) yield row.document;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
