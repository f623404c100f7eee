import { writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware } from '@x402/express';
import express from 'express';
import { PAID_TYPES } from '../../../src/contract/x402.ts';
import { createApp } from '../../../src/service/app.ts';
import { listen } from '../../../src/service/listen.ts';
import { createLog } from '../../../src/service/logging.ts';
import { type PaymentGateOptions, preparePaymentGate } from '../../../src/service/payments/payment-gate.ts';
import { rowsOfFolder } from '../../../src/store/import/ndjson.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';

/** What is measured: our service, or the stock middleware before the same search. */
export type Kind = 'own' | 'stock';

export interface ServerOptions {
  readonly kind: Kind;
  readonly database: string;
  /** The folder of records that are searched. */
  readonly data: string;
  readonly paymentGate: PaymentGateOptions;
}

/** One answered request that was paid. */
export interface Measured {
  readonly status: number;
  /** From the request's headers to the end of its answer. */
  readonly totalMs: number;
  /** Of that, what the answers of the facilitator and of the chain's node took: from each call to its headers. */
  readonly elsewhereMs: number;
  /** Processor time of the process meanwhile, which others on the machine do not lengthen as much. */
  readonly cpuMs: number;
}

const PATH = '/api/v1/x402/search';
const LIMIT = 10;

let elsewhereMs = 0;

/** Serves until it is ended, and writes a line for each paid request. One request comes at a time. */
async function serve({ kind, database, data, paymentGate }: ServerOptions): Promise<void> {
  watchAnswers([paymentGate.facilitatorUrl, ...(paymentGate.rpcUrl === undefined ? [] : [paymentGate.rpcUrl])]);
  const store = await openStore(database);
  await store.records.fillOnce(() => rowsOfFolder(data));
  if (kind === 'own') return serveOwn(paymentGate, store);
  const app = await stockApp(paymentGate, store);
  const server = createServer(measured(app));
  server.listen(0, '127.0.0.1', () => say({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
}

async function serveOwn(options: PaymentGateOptions, store: Store): Promise<void> {
  const log = createLog({ write: () => undefined }, 'info');
  const clock = (): Date => new Date();
  const paymentGate = preparePaymentGate(options)({ store, clock, log });
  const given = { store, clock, log, paymentGate, version: '0', burstPerSecond: 0, trustedProxies: [] };
  const server = await listen({ host: '127.0.0.1', port: 0, log, clock }, (publicUrl) =>
    measured(createApp({ ...given, publicUrl })),
  );
  say({ url: server.url });
}

/** The same search as ours, sold by the stock middleware as its documentation shows it. */
async function stockApp(
  { network, payTo, facilitatorUrl }: PaymentGateOptions,
  store: Store,
): Promise<RequestListener> {
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl });
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme());
  await server.initialize();
  const accepts = { scheme: 'exact', network, payTo, price: '$0.01' };
  const app = express();
  app.use(
    paymentMiddleware({ [`GET ${PATH}`]: { accepts, description: 'One search' } }, server, undefined, undefined, false),
  );
  app.get(PATH, async (request, response) => {
    const window = { offset: 0, limit: Math.ceil(LIMIT / PAID_TYPES.length) };
    const data: Record<string, unknown> = {};
    for (const type of PAID_TYPES) {
      const { results } = await store.records.search({ types: [type], text: String(request.query['q']), window });
      data[type] = results.map((json) => JSON.parse(json) as unknown);
    }
    response.json({ data });
  });
  return app;
}

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

function measured(listener: RequestListener): RequestListener {
  return (request, response) => {
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    elsewhereMs = 0;
    response.once('finish', () => {
      if (request.headers['payment-signature'] === undefined) return;
      const totalMs = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(cpu);
      const line: Measured = { status: response.statusCode, totalMs, elsewhereMs, cpuMs: (user + system) / 1_000 };
      say(line);
    });
    listener(request, response);
  };
}

/** Adds up how long the responses from addresses that begin so take. Their bodies are small and arrive with the headers. */
function watchAnswers(origins: readonly string[]): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (!origins.some((origin) => String(input).startsWith(origin))) return real(input, init);
    const startedAt = performance.now();
    const response = await real(input, init);
    elsewhereMs += performance.now() - startedAt;
    return response;
  };
}

void serve(JSON.parse(process.argv[2] ?? '{}') as ServerOptions);
