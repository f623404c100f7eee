import { createApp } from '../../src/service/app.ts';
import type { ServiceDeps } from '../../src/service/deps.ts';
import { type ListenOptions, listen } from '../../src/service/listen.ts';
import { createLog } from '../../src/service/logging.ts';
import { openStore } from '../../src/store/open.ts';
import type { NewKey } from '../../src/store/port/access.ts';
import type { RowInput } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { emptyDatabase } from './empty-database.ts';

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

/** No burst limit, because tests send requests in bursts. */
const LIMITS = { burstPerSecond: 0, trustedProxies: [] };

interface Made {
  readonly database?: string;
  /** Replaces the store of the service. */
  readonly around?: (store: Store) => Store;
}
type Given = Partial<ServiceDeps> & Pick<ListenOptions, 'limits'> & Made;

/** The real service on a free port over an empty database of the run's engine, filled with the given rows. */
export async function startService(
  rows: readonly RowInput[] = [],
  { database, limits = {}, around = (store) => store, ...more }: Given = {},
): Promise<TestService> {
  let now = new Date('2026-11-21T12:00:00.000Z');
  const clock = (): Date => now;
  const log: string[] = [];
  const store = await openStore(database ?? (await emptyDatabase()), clock);
  await store.records.putAll(rows);
  const logger = createLog({ write: (line: string) => void log.push(line) }, 'info');
  const server = await listen({ host: '127.0.0.1', port: 0, log: logger, clock, limits }, (_url, isStopping) =>
    createApp({
      store: around(store),
      clock,
      log: logger,
      isStopping,
      publicUrl: 'http://test',
      version: '0.0.0',
      ...LIMITS,
      ...more,
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

/** Reads with another key than changes, which ask for the position of the last noted change. */
export function readsAfterChanges(service: () => TestService) {
  let changedAt = '0';
  return {
    noteChange: (response: Response): void => {
      changedAt = response.headers.get('x-change') ?? changedAt;
    },
    ask: async (path: string) => {
      const response = await service().get(`/api/v1/${path}`, { headers: { 'X-At-Least': changedAt } });
      const { data, error, errors } = (await response.json()) as any;
      return { status: response.status, data, error, errors };
    },
  };
}
