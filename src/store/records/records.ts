import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { datedFilters } from '../../contract/filters.ts';
import { createAnalytics } from '../analytics/analytics.ts';
import { appendAuditEntry } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import type { RecordJson, Records, RowInput, Upserted } from '../port/records.ts';
import { lazySentence, mayBeSentence } from '../sentences/sentence.ts';
import { exists, run, type SqlProgram } from '../sql/program.ts';
import type { Store } from '../store.ts';
import { changeRecord, deletedRecord, findDeleted, findLive, foundRecord } from './changes.ts';
import { createLinkTable } from './link-buffer.ts';
import { computePending } from './pending-computed.ts';
import { relatedRecords } from './related.ts';
import { createNameTable, createRecordTables, type RecordTables } from './tables.ts';
import type { WriterParts } from './unit-of-work.ts';
import { readUncovered } from './vocabulary.ts';
import { createWriter, type Writer } from './writer.ts';

const WALK_STEP = 500;
/** Records removed per transaction, to bound the time that other writers wait. */
const DROPPED_AT_ONCE = 200;
/** Referencing types first, so that records are not rewritten before they are dropped. */
const DROP_ORDER: readonly RecordType[] = [...RECORD_TYPES].reverse();

type RecordsEngine = Omit<Engine, 'close'>;

export function createRecords(engine: RecordsEngine, now: () => Date): Records & Pick<Store, 'compactIndex'> {
  const { reader, readModel } = engine;
  const parts = writerPartsOf(engine);
  const { tables } = parts;
  const analytics = { ...createAnalytics(readModel), ...engine.analytics };
  return {
    get: async (type, idOrSlug) => {
      const row = await reader.query(findLive(tables[type], idOrSlug));
      return row && foundRecord(row);
    },
    getDeleted: async (type, idOrSlug) => {
      const row = await reader.query(findDeleted(tables[type], idOrSlug, now().toISOString()));
      return row && deletedRecord(row);
    },
    search: async (given) => {
      const request = given.filters ? { ...given, filters: datedFilters(given.filters, now()) } : given;
      const sentence = mayBeSentence(given.text) ? await lazySentence(given.text, now()) : undefined;
      return readModel.read(({ index }) => index.find(request, sentence), given.window.atLeast);
    },
    related: (list, id, window) =>
      readModel.read((model) => relatedRecords(model.dialect, list, { id, window }), window.atLeast),
    vocabulary: (atLeast) => readModel.read(({ index }) => index.vocabulary(), atLeast),
    uncovered: () => readModel.read((model) => readUncovered(model.dialect)),
    walk: (type) => walk(engine, tables, type),
    ...analytics,
    aggregate: (given) => analytics.aggregate({ ...given, filters: datedFilters(given.filters, now()) }),
    ...createWrites(engine, parts, now),
  };
}

export function writerPartsOf({ dialect, indexing }: RecordsEngine): WriterParts {
  const tables = createRecordTables(dialect);
  return { dialect, tables, names: createNameTable(dialect), links: createLinkTable(dialect), index: indexing };
}

type Writes = Pick<Records, 'change' | 'putAll' | 'upsertMany' | 'dryRun' | 'fillOnce' | 'addShipped' | 'dropShipped'> &
  Pick<Store, 'compactIndex'>;

function createWrites(engine: RecordsEngine, parts: WriterParts, now: () => Date): Writes {
  const { runner } = engine;
  const writer = createWriter(parts, now);
  return {
    change: (given) => runner.transaction('records', changeRecord(parts, given, now)),
    putAll: (rows) => runner.transaction('records', writer.putAll(rows, false)),
    upsertMany: async (rows, author = OPERATOR) => {
      await engine.awaitFollowers();
      return runner.transaction('records', writer.upsertMany(rows, author));
    },
    compactIndex: async () => {
      await computePending(runner, parts, now);
      await engine.compact();
    },
    dryRun: (rows) => runner.dryRun('records', writer.dryRun(rows)),
    fillOnce: async (rows) =>
      !(await runner.query(isFilled())) && (await runner.longTransaction('records', fillOnce(writer, rows, now))),
    addShipped: (rows, author = OPERATOR) =>
      runner.longTransaction('records', addShipped(writer, rows, { author, now })),
    dropShipped: async (author = OPERATOR, isKept = () => false) => {
      let dropped = 0;
      for (const type of DROP_ORDER) {
        const shipped = await runner.query(parts.tables[type].shipped());
        const ids = shipped.filter(({ slug }) => !isKept(type, slug)).map(({ id }) => id);
        for (let start = 0; start < ids.length; start += DROPPED_AT_ONCE) {
          const part = { type, ids: ids.slice(start, start + DROPPED_AT_ONCE), author, now };
          await engine.awaitFollowers();
          dropped += await runner.transaction('records', dropShipped(writer, parts.tables, part));
        }
      }
      await engine.compact();
      return dropped;
    },
  };
}

const isFilled = (): SqlProgram<boolean> => exists("SELECT 1 FROM settings WHERE name = 'filled_at'");

function* fillOnce(writer: Writer, rows: () => Iterable<RowInput>, now: () => Date): SqlProgram<boolean> {
  if (yield* isFilled()) return false;
  yield* writer.putAll(rows(), true);
  yield* run("INSERT INTO settings (name, value) VALUES ('filled_at', ?)", now().toISOString());
  return true;
}

/** Author and time of adding or dropping the shipped data set. */
interface Occasion {
  readonly author: Author;
  readonly now: () => Date;
}

function* addShipped(
  writer: Writer,
  rows: () => Iterable<RowInput>,
  occasion: Occasion,
): SqlProgram<readonly Upserted[]> {
  const upserted = yield* writer.putAll(rows(), true);
  yield* noteShipped('data.add', upserted.length, occasion);
  return upserted;
}

interface DropBatch extends Occasion {
  readonly type: RecordType;
  readonly ids: readonly number[];
}

/** Removes the records that are still unchanged. */
function* dropShipped(writer: Writer, tables: RecordTables, { type, ids, ...occasion }: DropBatch): SqlProgram<number> {
  const shipped = yield* tables[type].shippedOf(ids);
  if (shipped.length === 0) return 0;
  yield* writer.removeAll(type, shipped);
  yield* noteShipped('data.drop', shipped.length, occasion);
  return shipped.length;
}

function noteShipped(action: string, records: number, { author, now }: Occasion): SqlProgram<void> {
  const after = JSON.stringify({ records });
  return appendAuditEntry({ author, at: now().toISOString(), action, type: 'data', id: null, after });
}

/** In pages, so that neither memory nor a read lock grows with the table. */
async function* walk({ reader }: RecordsEngine, tables: RecordTables, type: RecordType): AsyncGenerator<RecordJson> {
  let last = 0;
  for (;;) {
    const rows = await reader.query(tables[type].after(last, WALK_STEP));
    for (const row of rows) yield row.document;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
