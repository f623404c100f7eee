import type { Express } from 'express';
import type { Store } from '../store/store.ts';
import type { Gateway } from './gateway.ts';
import type { Imports } from './imports/imports.ts';
import type { Log } from './logging.ts';
import type { Metrics } from './metrics.ts';
import type { ClientDocuments } from './oauth/client-documents.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { PaymentGate } from './payment-gate.ts';
import type { RequestRecorder } from './request-recorder.ts';
import type { Tracing } from './tracing.ts';

type Clock = () => Date;

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
  /** Whether it is about to stop; then it is not ready. */
  readonly isStopping?: () => boolean;
  /** Counts requests, and is shown at /metrics to addresses in these CIDR ranges. */
  readonly metrics?: Metrics;
  readonly metricsAllow?: readonly string[];
  /** Makes spans of requests; without it there are none. */
  readonly tracing?: Tracing;
  /** Origins of pages that may use the keyed API; none when left out. */
  readonly corsOrigins?: readonly string[];
  /** Takes payments; without it nothing is sold. */
  readonly paymentGate?: PaymentGate;
  /** Adds another protocol to the app, at a path of its own. */
  readonly mount?: (app: Express, gateway: Gateway) => void;
  /** Mounts the pages for people; without it there are none. */
  readonly pages?: (app: Express, deps: ServiceDeps) => void;
  /** Whether anybody may search and read the records as pages, without a key. */
  readonly publicPages?: boolean;
  /** Without it nobody can sign in, and there are no account pages. */
  readonly passwords?: Passwords;
  /** Finds OAuth clients by their metadata documents; without it there is no OAuth, and /mcp takes keys alone. */
  readonly clientDocuments?: ClientDocuments;
  /** Does the imports of the pages; without it they are done in this thread. */
  readonly imports?: Imports;
  /** Keeps what is asked with keys, for the account pages. */
  readonly recorder?: RequestRecorder;
}
