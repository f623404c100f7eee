import type { Express } from 'express';
import type { Store } from '../store/store.ts';
import type { Gateway } from './gateway.ts';
import type { Imports } from './imports/imports.ts';
import type { Log } from './logging.ts';
import type { Metrics } from './metrics.ts';
import type { ClientDocuments } from './oauth/client-documents.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { PaymentGate } from './payments/payment-gate.ts';
import type { RequestRecorder } from './request-recorder.ts';
import type { Tracing } from './tracing.ts';

export interface ServiceDeps {
  readonly store: Store;
  readonly clock: () => Date;
  readonly log: Log;
  /** Base of every URL in responses. `createApp` drops a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  /** Requests per key and second, averaged over two seconds; 0 disables this limit and that of refusals. */
  readonly burstPerSecond: number;
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly isStopping?: () => boolean;
  /** Metrics, shown at /metrics to addresses in these CIDR ranges. */
  readonly metrics?: Metrics | undefined;
  readonly metricsAllow?: readonly string[];
  /** Creates spans of requests; tracing is off without it. */
  readonly tracing?: Tracing | undefined;
  /** Origins allowed to use the keyed API; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Accepts payments; nothing is sold without it. */
  readonly paymentGate?: PaymentGate;
  readonly mount?: (app: Express, gateway: Gateway) => void;
  /** Mounts the console; there is none without it. */
  readonly pages?: (app: Express, deps: ServiceDeps) => void;
  /** Whether anyone may search and read the records as pages, without a key. */
  readonly publicPages?: boolean;
  /** Mail address or web page of the operator. */
  readonly contact?: string | undefined;
  /** Without it there is no sign-in and no account page. */
  readonly passwords?: Passwords;
  /** Fetches client metadata documents; without it there is no OAuth, and /mcp accepts keys only. */
  readonly clientDocuments?: ClientDocuments;
  /** Runs imports of the console; without it they run in this thread. */
  readonly imports?: Imports;
  readonly recorder?: RequestRecorder;
}
