import type { Store } from '../store/store.ts';
import type { Log } from './logging.ts';

export type Clock = () => Date;

/** What the service is made of. */
export interface ServiceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Base of every address that the service writes. */
  readonly publicUrl: string;
  readonly version: string;
  /** Requests a key may make a second, on average over two; 0 turns every burst limit off. */
  readonly burstPerSecond: number;
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}
