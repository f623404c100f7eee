import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import { openStore } from '../../store/open.ts';
import { lowerPriority } from '../../store/thread-priority.ts';
import { type ImportJob, type ImportResult, runImport } from './import-job.ts';

export interface Task {
  readonly databaseUrl: string;
  readonly job: ImportJob;
}

/** Result of the worker; other errors are failures of the thread. */
export type Outcome =
  | { readonly result: ImportResult }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } };

const { databaseUrl, job } = workerData as Task;
lowerPriority();
try {
  const store = await openStore(databaseUrl);
  try {
    const result = await runImport(store, job);
    parentPort?.postMessage({ result } satisfies Outcome);
  } finally {
    await store.close();
  }
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message } = error;
  parentPort?.postMessage({ refusal: { code, message } } satisfies Outcome);
}
