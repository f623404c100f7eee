import { createApp } from '../../src/service/app.ts';
import { listen } from '../../src/service/listen.ts';
import { createLog } from '../../src/service/logging.ts';
import { openStore } from '../../src/store/open.ts';
import type { NewKey, Row, Store } from '../../src/store/store.ts';

export interface TestService {
  readonly url: string;
  readonly store: Store;
  /** A read key of an account with a plan. */
  readonly key: string;
  /** Log lines so far. */
  readonly log: string[];
  setNow(now: Date): void;
  newKey(given?: Partial<NewKey> & { plan?: 'none' | 'api_access' | 'enterprise' }): Promise<string>;
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface Options {
  /** A file, for tests that come to it from another side too. */
  readonly database?: string;
  /** Tests ask faster than people do, so without it there is no burst limit. */
  readonly burstPerSecond?: number;
  readonly trustedProxies?: readonly string[];
}

/** The real service on a free port over an empty database in memory, filled with the given rows. */
export async function startService(
  rows: readonly Row[] = [],
  { database = ':memory:', burstPerSecond = 0, trustedProxies = [] }: Options = {},
): Promise<TestService> {
  let now = new Date('2026-11-21T12:00:00.000Z');
  const clock = (): Date => now;
  const log: string[] = [];
  const store = await openStore(`sqlite:${database}`, clock);
  await store.records.putAll(rows);
  const logger = createLog({ write: (line: string) => void log.push(line) }, 'info');
  const server = await listen('127.0.0.1', 0, () =>
    createApp({
      store,
      clock,
      log: logger,
      publicUrl: 'http://test',
      version: '0.0.0',
      burstPerSecond,
      trustedProxies,
    }),
  );
  const { url } = server;
  let accounts = 0;
  const newKey: TestService['newKey'] = async ({ plan = 'api_access', ...given } = {}) => {
    accounts += 1;
    const account = `account-${accounts}`;
    await store.accounts.create(account, plan);
    const { secret } = await store.keys.create({ account, name: 'test', level: 'read', expires_at: null, ...given });
    return secret;
  };
  const key = await newKey();
  return {
    url,
    store,
    key,
    log,
    setNow: (later) => {
      now = later;
    },
    newKey,
    get: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } }),
    close: async () => {
      await server.close();
      await store.close();
    },
  };
}
