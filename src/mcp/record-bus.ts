import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import type { ErrorLog } from './log.ts';

/** Which records were changed after a position, by any process; without a position, only where the changes stand. */
export type RecordChanges = (last: number | undefined) => Promise<{
  readonly last: number;
  readonly changed: readonly { readonly type: string; readonly slug: string }[];
  readonly hasMore: boolean;
}>;

/** The events of subscriptions: what this process publishes, and every change of a record while anybody listens. */
export interface RecordBus extends ServerEventBus {
  /** Resolves when changes from now on are seen; to be awaited before a subscription is acknowledged. */
  watch(): Promise<void>;
  close(): void;
}

/** How often the changes are asked for while anybody listens. */
const EVERY_MS = 500;

export function createRecordBus(changes: RecordChanges, log: ErrorLog): RecordBus {
  const bus = new InMemoryServerEventBus();
  let timer: NodeJS.Timeout | undefined;
  let watching: Promise<void> | undefined;
  let last: number | undefined;
  /** Whether a subscription is about to be made. */
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
      // The database may be away; what is missed now is seen the next time.
      log.error(error);
    }
  };
  const next = async (): Promise<void> => {
    await look();
    if (bus.listenerCount > 0 || isAwaited) return arm();
    watching = undefined;
    last = undefined;
  };
  const arm = (): void => {
    isAwaited = false;
    timer = setTimeout(next, EVERY_MS);
    timer.unref();
  };
  const start = async (): Promise<void> => {
    last = (await changes(undefined)).last;
    arm();
  };
  return {
    publish: (event) => bus.publish(event),
    subscribe: (listener) => bus.subscribe(listener),
    watch: () => {
      isAwaited = true;
      watching ??= start().catch((error: unknown) => {
        watching = undefined;
        throw error;
      });
      return watching;
    },
    close: () => clearTimeout(timer),
  };
}
