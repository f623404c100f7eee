import { setImmediate as turn } from 'node:timers/promises';
import { createSerialQueue } from '../contract/serial-queue.ts';
import type { LoggedRequest } from '../store/port/request-log.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './logging.ts';

const FLUSH_EVERY_MS = 1_000;
/** Small, because requests wait while a batch is written. */
const BATCH_MAX = 200;
/** Bound of the queue while the database is unavailable; further entries are dropped and logged. */
const WAITING_MAX = 20_000;

/** Batches request log entries, so that no request waits for its own. */
export type RequestRecorder = ReturnType<typeof createRequestRecorder>;

export function createRequestRecorder({ requests }: Pick<Store, 'requests'>, log: Log) {
  let waiting: LoggedRequest[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const serialized = createSerialQueue();

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      try {
        await requests.add(batch);
      } catch (error) {
        log.error({ err: error, waiting: waiting.length, dropped }, 'the request log could not be written');
        return;
      }
      waiting = waiting.slice(batch.length);
      await turn();
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return serialized(write);
  }

  return {
    add: (request: LoggedRequest): void => {
      if (waiting.length >= WAITING_MAX) {
        dropped += 1;
        return;
      }
      waiting.push(request);
      if (timer !== undefined) return;
      timer = setTimeout(() => void flush(), FLUSH_EVERY_MS);
      timer.unref();
    },
    flush,
  };
}
