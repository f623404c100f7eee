import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import { type UndoSummary, undoAndSummarize } from '../../store/import/undo-summary.ts';
import type { ImportUndo } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type ImportJob, type ImportResult, runImport, UNDONE_MAX } from './import-job.ts';
import type { Outcome, Task } from './import-worker.ts';

/** Each import uses a core, and hundreds of megabytes for a large file. */
const RUNNING_MAX = 2;

export interface Imports {
  run(job: ImportJob): Promise<ImportResult>;
  /** Undefined if no record was changed by such an import. */
  undo(undo: ImportUndo): Promise<UndoSummary | undefined>;
}

/**
 * Runs imports in worker threads with their own connections, because a large file takes many seconds.
 * @param workerFile the built import-worker
 * @param databaseUrl a database that other connections can open
 */
export function createImports(workerFile: string, databaseUrl: string): Imports {
  let running = 0;
  const runInTurn = async <Result>(work: Task['work']): Promise<Result> => {
    if (running >= RUNNING_MAX) throw new ServiceError('unavailable', 'Other imports are in progress; retry shortly.');
    running += 1;
    try {
      return (await runInWorker(workerFile, { databaseUrl, work })) as Result;
    } finally {
      running -= 1;
    }
  };
  return { run: (job) => runInTurn({ import: job }), undo: (undo) => runInTurn({ undo }) };
}

/** Runs imports in this thread, for in-memory databases, which have a single connection. */
export const createInlineImports = (store: Store): Imports => ({
  run: (job) => runImport(store, job),
  undo: (undo) => undoAndSummarize(store.records, undo, UNDONE_MAX),
});

function runInWorker(workerFile: string, task: Task): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: task });
    worker.once('message', (outcome: Outcome) => {
      if ('result' in outcome) resolve(outcome.result);
      else reject(new ServiceError(outcome.refusal.code, outcome.refusal.message));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The import ended with ${code} and said nothing`)));
  });
}
