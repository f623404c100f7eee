import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import { undoAndSummarize } from '../../store/import/undo-summary.ts';
import { openStore } from '../../store/open.ts';
import type { ImportUndo } from '../../store/port/records.ts';
import { lowerPriority } from '../../store/thread-priority.ts';
import { type ImportJob, runImport, UNDONE_MAX } from './import-job.ts';

export interface Task {
  readonly databaseUrl: string;
  readonly work: { readonly import: ImportJob } | { readonly undo: ImportUndo };
}

/** Result of the worker; other errors are failures of the thread. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } };

const { databaseUrl, work } = workerData as Task;
lowerPriority();
try {
  const store = await openStore(databaseUrl);
  try {
    const result =
      'undo' in work
        ? await undoAndSummarize(store.records, work.undo, UNDONE_MAX)
        : await runImport(store, work.import);
    parentPort?.postMessage({ result } satisfies Outcome);
  } finally {
    await store.close();
  }
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message } = error;
  parentPort?.postMessage({ refusal: { code, message } } satisfies Outcome);
}
