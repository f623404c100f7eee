import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import { createAnalytics } from '../../analytics/analytics.ts';
import { indexFolder } from '../../index-replication/index-file.ts';
import { createIndexReader, readAtPosition } from '../../index-replication/index-reader.ts';
import { createSearchModel, type ReadModel } from '../../records/record-index.ts';
import { createSearch } from '../../records/search-records.ts';
import { mapWhole } from '../database.ts';
import { openSqlite } from '../driver.ts';
import { createProgramRunner } from '../runner.ts';
import type { AnalyticsTask, Failure, ThreadQueries, ThreadReply, ThreadRequest } from './analytics-thread.ts';

/** Lock time-out, such as during a WAL reset. */
const BUSY_MS = 1_000;
/** The caller has seen this position; only the current file may have changed. */
const WAIT_MS = 10_000;

function searchingFile(file: string): ReadModel {
  const database = openSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  mapWhole(database);
  const take = createProgramRunner(database);
  const model = createSearchModel(database);
  return { read: async (program) => database.transaction(() => take(program(model)))() };
}

function searchingIndex({ root, origin }: Extract<AnalyticsTask, { root: string }>): ReadModel {
  const reader = createIndexReader(indexFolder(root, origin), origin);
  return { read: (program, atLeast = 0) => readAtPosition(reader, program, { atLeast, waitMs: WAIT_MS }) };
}

const task = workerData as AnalyticsTask;
const readModel = 'file' in task ? searchingFile(task.file) : searchingIndex(task);
const analytics = createAnalytics(readModel);
const queries: ThreadQueries = { ...analytics, search: createSearch(readModel) };

/** Idle time before precomputing, a part of which takes as long as a request; also how often it follows changes. */
const IDLE_MS = 1_000;
let preparing: NodeJS.Timeout | undefined;
let underWay = 0;

function prepareIn(ms: number): void {
  clearTimeout(preparing);
  preparing = setTimeout(async () => {
    const isMore = await analytics.prepare().catch(() => false);
    if (underWay === 0) prepareIn(isMore ? 0 : IDLE_MS);
  }, ms);
}

prepareIn(IDLE_MS);
parentPort?.on('message', async (asked: ThreadRequest | 'close') => {
  // Work in progress is abandoned, because no caller waits for it.
  if (asked === 'close') return process.exit();
  const { id, kind, request } = asked;
  clearTimeout(preparing);
  underWay += 1;
  const reply = await queries[kind](request).then((result) => ({ result }), failureOf);
  underWay -= 1;
  parentPort?.postMessage({ id, ...reply } satisfies ThreadReply);
  if (underWay === 0) prepareIn(IDLE_MS);
});

const failureOf = (error: Error & { readonly code?: unknown }): Failure => ({
  error,
  code: error.code,
  ...(error instanceof ServiceError && { errors: error.errors, nearest: error.nearest }),
});
