import { Worker } from 'node:worker_threads';
import { type ErrorCode, type FieldError, ServiceError } from '../../../contract/errors.ts';
import { createLazy } from '../../../contract/lazy.ts';
import type { Origin } from '../../index-replication/index-file.ts';
import type { Analytics, AtLeast } from '../../port/analytics.ts';
import type { SearchPage } from '../../port/records.ts';
import type { SearchTask } from '../../records/search-records.ts';

/** Database of the thread: a file, or the current index file of a folder. */
export type AnalyticsTask = { readonly file: string } | { readonly root: string; readonly origin: Origin };

/** Queries that may take a second. */
export interface ThreadQueries extends Pick<Analytics, 'aggregate' | 'connect'> {
  search(task: SearchTask): Promise<SearchPage>;
}

export interface ThreadRequest {
  readonly id: number;
  readonly kind: keyof ThreadQueries;
  readonly request: never;
}

export type ThreadReply = { readonly id: number } & ({ readonly result: unknown } | Failure);

/** An error in transferable form; errors of callers include a list of invalid inputs. */
export interface Failure {
  readonly error: Error;
  readonly code: unknown;
  readonly errors?: readonly FieldError[];
  readonly nearest?: ServiceError['nearest'];
}

export interface AnalyticsSource {
  task(): Promise<AnalyticsTask>;
  /** Waits until the database includes a position, by default the newest, and returns it. */
  reach(atLeast: number | undefined): Promise<number>;
}

/** Delay of an early start, so that it does not slow down the start of the process. */
const START_MS = 5_000;

export interface AnalyticsThread extends ThreadQueries {
  close(): Promise<void>;
}

/** Bounds the wait of a request at the end of the queue. */
const WAITING_MAX = 256;

/**
 * Computes in a worker thread with its own connection and facts, because an aggregate over a million records can take a
 * second. Starts with the first request, and restarts after it died.
 * @param workerFile the built analytics-worker
 * @param isPrepared whether to start early, so that the first request need not wait for loading
 */
export function analyticsInThread(workerFile: string, source: AnalyticsSource, isPrepared: boolean): AnalyticsThread {
  const { task, reach } = source;
  const waiting = new Map<number, { resolve(result: never): void; reject(error: unknown): void }>();
  let lastId = 0;

  const start = async (): Promise<Worker> => {
    const worker = new Worker(workerFile, { workerData: await task() });
    let fault: unknown = new ServiceError('unavailable', 'The computation was interrupted; try again.');
    worker.on('message', (reply: ThreadReply) => {
      const pending = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('result' in reply) pending?.resolve(reply.result as never);
      else pending?.reject(errorOf(reply));
      // The worker keeps the process alive only while requests wait.
      if (waiting.size === 0) worker.unref();
    });
    worker.on('error', (error) => {
      fault = error;
    });
    worker.on('exit', () => {
      started.forget();
      for (const { reject } of waiting.values()) reject(fault);
      waiting.clear();
    });
    return worker;
  };
  const started = createLazy(start);
  const prepare = async (): Promise<void> => {
    const worker = await started.get();
    if (waiting.size === 0) worker.unref();
  };
  // If starting fails, the first request reports it.
  const preparing = isPrepared ? setTimeout(() => void prepare().catch(() => {}), START_MS).unref() : undefined;
  const ask = async <Result>(kind: keyof ThreadQueries, request: AtLeast): Promise<Result> => {
    if (waiting.size >= WAITING_MAX)
      throw new ServiceError(
        'unavailable',
        'Too many aggregates, connections and long searches are in progress; try again shortly.',
      );
    const atLeast = await reach(request.atLeast);
    const worker = await started.get();
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, kind, request: { ...request, atLeast } });
    });
  };
  return {
    aggregate: (request) => ask('aggregate', request),
    connect: (request) => ask('connect', request),
    search: (task) => ask('search', task),
    close: async () => {
      clearTimeout(preparing);
      const worker = await started.peek();
      if (worker === undefined) return;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}

const errorOf = ({ error, code, errors, nearest }: Failure): Error =>
  errors === undefined
    ? Object.assign(error, { code })
    : new ServiceError(code as ErrorCode, error.message, { errors, nearest });
