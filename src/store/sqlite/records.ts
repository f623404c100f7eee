import { setImmediate } from 'node:timers/promises';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import type { Found, RecordJson, Records, Row, Window } from '../port/records.ts';
import { createAuditWriter } from './audit.ts';
import { createChanges, deletedRecord, findDeleted, findLive, foundRecord } from './changes.ts';
import { mapBeginning, mapWhole, type Sqlite, waitLonger } from './database.ts';
import { createFunding } from './funding.ts';
import { createAnswers } from './idempotency.ts';
import { createLinker } from './linker.ts';
import { createRecordIndex, type RecordIndex } from './record-index.ts';
import { createRelatedLists } from './related.ts';
import { createNameTable, createRecordTables, type RecordTables } from './tables.ts';
import type { WriterParts } from './work.ts';
import { createWriter } from './writer.ts';

const WALK_STEP = 500;
/** Far more than an import leaves: another one may bring more meanwhile, and settles it. */
const SETTLE_STEPS_MAX = 5_000;

/** Records in SQLite. Each method is synchronous inside, so that no other request can come into its transaction. */
export function createRecords(database: Sqlite, now: () => Date): Records {
  const tables = createRecordTables(database);
  const index = createRecordIndex(database);
  const related = createRelatedLists(database);
  const page = database.transaction((type: RecordType, { offset, limit }: Window): Found => {
    const table = tables[type];
    return { results: table.page(offset, limit), total: table.count(), totals: {} };
  });
  return {
    get: async (type, idOrSlug) => {
      const row = findLive(tables[type], idOrSlug);
      return row && foundRecord(row);
    },
    getDeleted: async (type, idOrSlug) => {
      const row = findDeleted(tables[type], idOrSlug, now().toISOString());
      return row && deletedRecord(row);
    },
    search: async (request) => index.find(request),
    list: async (type, window) => page(type, window),
    related: async (list, id, window) => related.find(list, id, window),
    walk: (type) => walk(tables, type),
    ...createWrites(database, partsOf(database, tables, index), now),
  };
}

function partsOf(database: Sqlite, tables: RecordTables, index: RecordIndex): WriterParts {
  const names = createNameTable(database);
  const linker = createLinker(database, tables, names);
  const audit = createAuditWriter(database);
  return { tables, index, names, linker, audit, funding: createFunding(database) };
}

type Writes = Pick<
  Records,
  'change' | 'putAll' | 'putEach' | 'settle' | 'tryEach' | 'fillOnce' | 'addShipped' | 'dropShipped'
>;

function createWrites(database: Sqlite, parts: WriterParts, now: () => Date): Writes {
  const writer = createWriter(parts, now);
  const change = database.transaction(createChanges(parts, createAnswers(database), now));
  const filled = database.prepare<[], number>("SELECT count(*) FROM settings WHERE name = 'filled_at'").pluck();
  const markFilled = database.prepare("INSERT INTO settings (name, value) VALUES ('filled_at', ?)");
  const note = (author: Author, action: string, records: number): void =>
    parts.audit({
      author,
      at: now().toISOString(),
      action,
      type: 'data',
      id: null,
      after: JSON.stringify({ records }),
    });
  const putAll = database.transaction((rows: Iterable<Row>) => writer.putAll(rows, false));
  const putEach = database.transaction((rows: readonly Row[], author: Author) => writer.putEach(rows, author));
  const settle = database.transaction(() => parts.index.settle());
  const fillOnce = database.transaction((rows: () => Iterable<Row>) => {
    if (filled.get() === 1) return false;
    writer.putAll(rows(), true);
    markFilled.run(now().toISOString());
    return true;
  });
  const addShipped = database.transaction((rows: Iterable<Row>, author: Author) => {
    const kept = writer.putAll(rows, true);
    note(author, 'data.add', kept.length);
    return kept;
  });
  const dropShipped = database.transaction((author: Author) => {
    const ids = Object.fromEntries(RECORD_TYPES.map((type) => [type, parts.tables[type].shipped()]));
    const dropped = writer.removeAll(ids as Record<RecordType, number[]>);
    note(author, 'data.drop', dropped);
    return dropped;
  });
  return {
    change: async (given) => change.immediate(given),
    putAll: async (rows) => putAll.immediate(rows),
    putEach: async (rows, author = OPERATOR) => {
      mapBeginning(database);
      return putEach.immediate(rows, author);
    },
    settle: async () => {
      // Others have their turn in between.
      for (let step = 0; step < SETTLE_STEPS_MAX && settle.immediate(); step += 1) await setImmediate();
      mapWhole(database);
    },
    tryEach: async (rows) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        return writer.tryEach(rows);
      } finally {
        // A full disk has ended the transaction already.
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    },
    fillOnce: async (rows) => filled.get() !== 1 && waitLonger(database, () => fillOnce.immediate(rows)),
    addShipped: async (rows, author = OPERATOR) => addShipped.immediate(rows(), author),
    dropShipped: async (author = OPERATOR) => dropShipped.immediate(author),
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
