import { writeSync } from 'node:fs';
import { createApp } from '../../src/service/app.ts';
import { listen } from '../../src/service/listen.ts';
import { createLog } from '../../src/service/logging.ts';
import { type PaymentGateOptions, preparePaymentGate } from '../../src/service/payments/payment-gate.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { loopbackEndpoint } from './mcp-endpoint.ts';

/** Where the process kills itself, like a power failure: before or after a step of a sale. */
export type Death =
  `${'before' | 'after'} ${'acquire' | 'verify' | 'search' | 'settling' | 'settle' | 'settled' | 'delivered'}`;

/** Options of a service in its own process. */
export interface PaidProcessOptions {
  readonly database: string;
  readonly paymentGate: PaymentGateOptions;
  readonly death?: Death | undefined;
}

type Async = (...args: never[]) => Promise<unknown>;

/** Serves until it is ended or kills itself. Writes a line when it listens, and one per search. */
async function serve({ database, paymentGate: options, death }: PaidProcessOptions): Promise<void> {
  const dieAt = (moment: string): void => {
    if (moment === death) process.kill(process.pid, 'SIGKILL');
  };
  /** Wraps a step so that the process is killed before or after it. */
  const deadly = <Work extends Async>(name: string, work: Work): Work => {
    const wrapped: Async = async (...args) => {
      dieAt(`before ${name}`);
      const result = await work(...args);
      dieAt(`after ${name}`);
      return result;
    };
    // It has the signature of the wrapped step.
    return wrapped as Work;
  };
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const call = /\/(verify|settle)$/.exec(String(input))?.[1];
    return call === undefined ? real(input, init) : deadly(call, () => real(input, init))();
  };
  const store = await openStore(database);
  const { payments, records } = store;
  // Builds the index before the first sale, because its writes to a slow disk could outlast the lease.
  await records.vocabulary();
  const search = deadly('search', async (request: Parameters<typeof records.search>[0]) => {
    writeSync(1, `${JSON.stringify({ searched: request.types })}\n`);
    return records.search(request);
  });
  const watched: Store = {
    ...store,
    records: { ...records, search },
    payments: {
      ...payments,
      acquire: deadly('acquire', payments.acquire),
      settling: deadly('settling', payments.settling),
      settled: deadly('settled', payments.settled),
      delivered: deadly('delivered', payments.delivered),
    },
  };
  const log = createLog(process.stderr, 'error');
  const clock = (): Date => new Date();
  const paymentGate = preparePaymentGate(options)({ store: watched, clock, log });
  const given = { store: watched, clock, log, paymentGate, version: '0', burstPerSecond: 0, trustedProxies: [] };
  const mcp = loopbackEndpoint((err) => log.error({ err }, 'MCP call failed'));
  const server = await listen({ host: '127.0.0.1', port: 0, log, clock }, (publicUrl) =>
    createApp({ ...given, mount: mcp.mount, publicUrl }),
  );
  writeSync(1, `${JSON.stringify({ url: server.url })}\n`);
}

void serve(JSON.parse(process.argv[2] ?? '{}') as PaidProcessOptions);
