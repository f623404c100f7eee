import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createApp } from '../../src/service/app.ts';
import type { ServiceDeps } from '../../src/service/deps.ts';
import { type Listening, listen } from '../../src/service/listen.ts';
import { createLog } from '../../src/service/logging.ts';
import { type PaymentGateOptions, preparePaymentGate } from '../../src/service/payments/payment-gate.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor, aPerson } from './builders.ts';
import { emptyDatabase } from './empty-database.ts';
import { loopbackEndpoint } from './mcp-endpoint.ts';

/** A selling service with a store that can be made to fail. */
export interface PaidService {
  readonly url: string;
  readonly store: Store;
  /** Log lines so far. */
  readonly log: string[];
  /** Number of searches of the store. */
  searches(): number;
  /** Hook that runs before each search of the store. */
  beforeSearch(work: () => Promise<unknown>): void;
  /** Hook between verification and settlement; the payment is journalled as settling after it. */
  betweenAnswers(work: () => Promise<unknown>): void;
  close(): Promise<void>;
}

interface PaidServiceOptions extends Partial<PaymentGateOptions> {
  /** The store to use; without it a new one in memory, with a record of each type. */
  readonly store?: Store;
  readonly app?: Partial<ServiceDeps>;
}

/** Records of every type; `acme` finds one of each. */
const rows = [
  aCompany({ name: 'Acme', tagline: 'Acme lends', total_employees: 12, founded_date: '2020-02-03' }),
  aPerson({ name: 'Acme Ada', headline: 'Founder of Acme' }),
  anInvestor({ name: 'Acme Capital', tagline: 'Invests in acme' }),
];

export async function openFilledStore(url?: string): Promise<Store> {
  const store = await openStore(url ?? (await emptyDatabase()));
  await store.records.putAll(rows);
  return store;
}

/** The real service on a free port, paid through a sandbox. Its clock is the real one, as the chain's is. */
export async function startPaidService(sandbox: Sandbox, options: PaidServiceOptions = {}): Promise<PaidService> {
  const { store: given, app = {}, ...more } = options;
  const real = given ?? (await openFilledStore());
  let searches = 0;
  let before = async (): Promise<unknown> => undefined;
  let between: (() => Promise<unknown>) | undefined;
  const search: Store['records']['search'] = async (request) => {
    searches += 1;
    await before();
    return real.records.search(request);
  };
  const verified = watchVerdict();
  const settling: Store['payments']['settling'] = async (...given) => {
    if (between !== undefined) {
      await verified.come;
      await between();
    }
    return real.payments.settling(...given);
  };
  const store: Store = { ...real, records: { ...real.records, search }, payments: { ...real.payments, settling } };
  const log: string[] = [];
  const logger = createLog({ write: (line: string) => void log.push(line) }, 'info');
  const clock = (): Date => new Date();
  const paymentGate = preparePaymentGate({ ...tillOptionsOf(sandbox), ...more })({
    store,
    clock,
    log: logger,
    ...(app.metrics && { metrics: app.metrics }),
    tracing: app.tracing,
  });
  const mcp = loopbackEndpoint((error) => void log.push(String(error)));
  const server: Listening = await listen({ host: '127.0.0.1', port: 0, log: logger, clock }, (publicUrl) =>
    createApp({
      store,
      clock,
      log: logger,
      publicUrl,
      version: '0',
      burstPerSecond: 0,
      trustedProxies: [],
      paymentGate,
      mount: (app, gateway) => mcp.mount(app, gateway, publicUrl),
      ...app,
    }),
  );
  return {
    url: server.url,
    store,
    log,
    searches: () => searches,
    beforeSearch: (work) => {
      before = work;
    },
    betweenAnswers: (work) => {
      between = work;
    },
    close: async () => {
      verified.forget();
      await server.close();
      await mcp.close();
      await paymentGate.close();
      if (given === undefined) await real.close();
    },
  };
}

/** Reports when a facilitator's response was fully received, by a diagnostics channel of Node's client. */
function watchVerdict(): { readonly come: Promise<void>; forget(): void } {
  let arrive = (): void => undefined;
  const come = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const see = (message: unknown): void => {
    if ((message as { request: { path: string } }).request.path.endsWith('/verify')) arrive();
  };
  subscribe(ENDED, see);
  return { come, forget: () => unsubscribe(ENDED, see) };
}

const ENDED = 'undici:request:trailers';

/** Payment options with a sandbox; time-outs are long, because the machine may be loaded. */
export function tillOptionsOf({ network, payTo, facilitatorUrl, rpcUrl }: Sandbox): PaymentGateOptions {
  const timeouts = { verifyTimeoutMs: 20_000, settleTimeoutMs: 20_000 };
  return { network, payTo, facilitatorUrl, rpcUrl, ...timeouts, isDiscoverable: false, burstPerSecond: 0 };
}

/** A port that nothing listens on. */
export async function closedPort(): Promise<string> {
  const { createServer } = await import('node:http');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
