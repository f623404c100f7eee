import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import { createLazy } from '../contract/lazy.ts';
import type { ErrorLog } from './errors.ts';

/** Records changed after a position, by any process. Without a position, returns only the current one. */
export type RecordChanges = (last: number | undefined) => Promise<{
  readonly last: number;
  readonly changed: readonly { readonly type: string; readonly slug: string }[];
  readonly hasMore: boolean;
}>;

/** Events of subscriptions: those of this process, and every record change while there are subscribers. */
export interface RecordBus extends ServerEventBus {
  /** Resolves once later changes will be seen. Await before acknowledging a subscription. */
  watch(): Promise<void>;
  close(): void;
}

/** Polling interval while there are subscribers. */
const EVERY_MS = 500;

export function createRecordBus(changes: RecordChanges, log: ErrorLog): RecordBus {
  const bus = new InMemoryServerEventBus();
  let timer: NodeJS.Timeout | undefined;
  let last: number | undefined;
  /** Whether a subscription is being made. */
  let isAwaited = false;
  const look = async (): Promise<void> => {
    try {
      for (let hasMore = true; hasMore; ) {
        const seen = await changes(last);
        ({ last, hasMore } = seen);
        for (const { type, slug } of seen.changed)
          bus.publish({ kind: 'resource_updated', uri: `web3-bi://${type}/${slug}` });
      }
    } catch (error) {
      // The database may be unavailable; the next poll starts from the same position.
      log.error(error);
    }
  };
  const next = async (): Promise<void> => {
    await look();
    if (bus.listenerCount > 0 || isAwaited) return arm();
    watching.forget();
    last = undefined;
  };
  const arm = (): void => {
    isAwaited = false;
    timer = setTimeout(next, EVERY_MS);
    timer.unref();
  };
  const watching = createLazy(async () => {
    last = (await changes(undefined)).last;
    arm();
  });
  return {
    publish: (event) => bus.publish(event),
    subscribe: (listener) => bus.subscribe(listener),
    watch: () => {
      isAwaited = true;
      return watching.get();
    },
    close: () => clearTimeout(timer),
  };
}
