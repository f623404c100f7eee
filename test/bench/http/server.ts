import type { AddressInfo } from 'node:net';
import express from 'express';
import { createApp } from '../../../src/service/app.ts';
import { listen } from '../../../src/service/listen.ts';
import { createLog } from '../../../src/service/logging.ts';
import { createMetrics } from '../../../src/service/metrics.ts';
import { openStore } from '../../../src/store/open.ts';
import type { FoundRecord } from '../../../src/store/port/records.ts';
import type { Store } from '../../../src/store/store.ts';

/** One server of the benchmark, in a process of its own: `node server.cjs VARIANT DATABASE`. */
type Variant = 'bare' | 'key' | 'counted' | 'whole';

/** What every variant but `whole` answers: 2 kB. */
const RECORD = { type: 'companies', id: 1, name: 'Fixed', slug: 'fixed', overview: 'x'.repeat(1_750) };
const META = { requestId: 'req_0', timestamp: '2026-11-21T12:00:00.000Z', version: 'v1' };

/** What a process tells of itself when it is asked: the processor time that it has taken, in microseconds. */
const takenMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The store of a variant: the real one, with what is not measured replaced by a constant. */
function storeOf(variant: Variant, store: Store): Store {
  if (variant === 'whole') return store;
  const found: FoundRecord = { id: 1, slug: 'fixed', version: 1, json: JSON.stringify(RECORD) };
  const fixed: Store = { ...store, records: { ...store.records, get: async () => found } };
  if (variant === 'counted') return fixed;
  const taken = { isAdmitted: true, at: new Date(), today: 1, thisMonth: 1 };
  return { ...fixed, usage: { ...store.usage, take: async () => taken } };
}

async function start(variant: Variant, database: string): Promise<string> {
  if (variant === 'bare') return startBare();
  const clock = (): Date => new Date();
  // As it is served: one line a request, to stderr, which the benchmark throws away.
  const log = createLog(process.stderr, 'info');
  const store = storeOf(variant, await openStore(database));
  const more = { metrics: createMetrics(), version: '0.0.0', burstPerSecond: 1_000_000, trustedProxies: [] };
  const server = await listen({ host: '127.0.0.1', port: 0, log, clock }, (publicUrl, isStopping) =>
    createApp({ store, clock, log, isStopping, publicUrl, ...more }),
  );
  return server.url;
}

/** Express as its own documentation shows it. */
function startBare(): Promise<string> {
  const app = express();
  app.get('/fixed', (_request, response) => {
    response.json({ success: true, data: RECORD, message: 'Record found', meta: META });
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

const [variant = 'bare', database = ''] = process.argv.slice(2);
process.on('message', () => process.send?.({ takenMicros: takenMicros() }));
process.once('disconnect', () => process.exit(0));
void start(variant as Variant, database).then((url) => process.send?.({ url }));
