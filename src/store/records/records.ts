import type { RecordType } from '../../contract/entities/index.ts';
import { datedFilters } from '../../contract/filters.ts';
import { createAnalytics } from '../analytics/analytics.ts';
import type { Engine } from '../engine.ts';
import { OPERATOR } from '../port/audit.ts';
import type { RecordJson, Records, SearchPage } from '../port/records.ts';
import { LongSearch } from '../search/search-index.ts';
import { number } from '../sql.ts';
import type { Store } from '../store.ts';
import { changeRecord, deletedRecord, findDeleted, findLive, foundRecord } from './changes.ts';
import { withLabelsSpelt } from './label-spelling.ts';
import { computePending } from './pending-computed.ts';
import { relatedRecords } from './related.ts';
import { createSearch } from './search-records.ts';
import { createShippedWrites, type ShippedWrites } from './shipped.ts';
import { createRecordTables, type RecordTables, recordPages } from './tables.ts';
import { createImportUndo } from './undo-import.ts';
import { beginWork, type WriterParts } from './unit-of-work.ts';
import { readCoverageGaps } from './vocabulary.ts';
import { createWriter } from './writer.ts';

const WALK_STEP = 500;
/** Rows that a search reads in this thread, which takes some 20 ms; another thread runs those that read more. */
const SEARCHED_ROWS_MAX = 50_000;

type RecordsEngine = Omit<Engine, 'close'>;

export function createRecords(engine: RecordsEngine, now: () => Date): Records & Pick<Store, 'compactIndex'> {
  const { reader, readModel } = engine;
  const parts = writerPartsOf(engine);
  const { tables } = parts;
  const { search: searchElsewhere, ...computed } = engine.analytics ?? {};
  const analytics = { ...createAnalytics(readModel), ...computed };
  const search = createSearch(readModel);
  const writes = createWrites(engine, parts, now);
  return {
    get: async (type, idOrSlug) => {
      const row = await reader.query(findLive(tables[type], idOrSlug));
      return row && foundRecord(row);
    },
    getDeleted: async (type, idOrSlug) => {
      const row = await reader.query(findDeleted(tables[type], idOrSlug, now().toISOString()));
      return row && deletedRecord(row);
    },
    search: (given) => {
      const today = now();
      const dated = given.filters ? { ...given, filters: datedFilters(given.filters, today) } : given;
      const task = { search: dated, today, atLeast: given.window.atLeast };
      if (searchElsewhere === undefined) return search(task);
      return search(task, SEARCHED_ROWS_MAX).catch((error: unknown): Promise<SearchPage> => {
        if (!(error instanceof LongSearch)) throw error;
        return searchElsewhere(task);
      });
    },
    related: (list, id, window) => readModel.read(() => relatedRecords(list, { id, window }), window.atLeast),
    vocabulary: (atLeast) => readModel.read(({ index }) => index.vocabulary(), atLeast),
    coverageGaps: () => readModel.read(readCoverageGaps),
    count: (type) => reader.query(number(`SELECT count(*) FROM ${type}`)),
    walk: (type) => walk(engine, tables, type),
    ...analytics,
    aggregate: (given) => analytics.aggregate({ ...given, filters: datedFilters(given.filters, now()) }),
    ...writes,
    change: async (given) => writes.change({ ...given, input: await withLabelsSpelt(readModel, given.input) }),
  };
}

export const writerPartsOf = ({ dialect, indexing }: RecordsEngine): WriterParts => ({
  dialect,
  tables: createRecordTables(dialect),
  index: indexing,
});

type Writes = Pick<Records, 'change' | 'putAll' | 'upsertMany' | 'undoImport' | 'dryRun'> &
  ShippedWrites &
  Pick<Store, 'compactIndex'>;

/** Imports up to this size are indexed per batch; larger ones deferred, in bulk, at a fraction of the cost. */
export const FOLLOWED_ROWS = 2_000;

function createWrites(engine: RecordsEngine, parts: WriterParts, now: () => Date): Writes {
  const { runner } = engine;
  const writer = createWriter(parts, now);
  let unsettled = 0;
  const settle = async (): Promise<void> => {
    unsettled = 0;
    await computePending(engine, parts, now);
    await engine.compact();
  };
  return {
    change: (given) => runner.transaction('records', changeRecord(parts, given, now)),
    putAll: (rows) => runner.transaction('records', writer.putAll(rows, false)),
    upsertMany: async (rows, author = OPERATOR, following = 0) => {
      unsettled += rows.length;
      const when = unsettled + following > FOLLOWED_ROWS ? 'deferred' : 'later';
      await engine.awaitFollowers();
      return runner.transaction('records', writer.upsertMany(rows, author, when));
    },
    undoImport: createImportUndo(engine, () => beginWork(parts, now()), settle),
    compactIndex: settle,
    dryRun: (rows) => runner.dryRun('records', writer.dryRun(rows)),
    ...createShippedWrites(engine, { writer, tables: parts.tables, now, settle }),
  };
}

async function* walk({ reader }: RecordsEngine, tables: RecordTables, type: RecordType): AsyncGenerator<RecordJson> {
  for await (const rows of recordPages(reader, tables[type], WALK_STEP)) for (const row of rows) yield row.document;
}
