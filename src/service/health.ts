import type { RecordType } from '../contract/entities/index.ts';
import { CHECKED_ENDPOINTS, type Health } from '../contract/health.ts';
import type { Store } from '../store/store.ts';
import type { ServiceDeps } from './deps.ts';

const PROBE_TIMEOUT_MS = 2_000;
/**
 * Time of all routes together, which are tried at once. The first search of a process opens connections and loads the index: on a
 * busy machine that takes seconds, which is no fault of a route.
 */
const ROUTES_TIMEOUT_MS = 8_000;
/** Detailed checks are cached and shared for this long, which bounds their cost. */
const DETAILED_LIFE_MS = 5_000;

type HealthDeps = Pick<ServiceDeps, 'store' | 'clock' | 'isStopping'>;
type Status = Health['status'];

/** Health of the core, or with the API routes. */
export type HealthCheck = (detailed: boolean) => Promise<Health>;

export function createHealthCheck(checked: HealthDeps): HealthCheck {
  let shared: { startedAt: number; result: Promise<Health> } | undefined;
  return (detailed) => {
    if (!detailed) return quickCheck(checked);
    const now = checked.clock().getTime();
    if (shared === undefined || now - shared.startedAt >= DETAILED_LIFE_MS)
      shared = { startedAt: now, result: detailedCheck(checked) };
    return shared.result;
  };
}

async function quickCheck({ store, clock, isStopping }: HealthDeps): Promise<Health> {
  const database = await probe(() => store.ping());
  // Load balancers must stop sending requests before the service closes.
  const api = toStatus(isStopping?.() !== true);
  return {
    status: toStatus(database.status === 'operational' && api === 'operational'),
    timestamp: clock().toISOString(),
    responseTime: database.responseTime,
    services: { database: database.status, api },
  };
}

async function detailedCheck(checked: HealthDeps): Promise<Health> {
  const startedAt = performance.now();
  const { store } = checked;
  const core = await quickCheck(checked);
  const endpoints = await Promise.all(
    CHECKED_ENDPOINTS.map(async (name) => ({ name, ...(await probe(() => smoke(store, name), ROUTES_TIMEOUT_MS)) })),
  );
  const routes = toStatus(endpoints.every((endpoint) => endpoint.status === 'operational'));
  return {
    ...core,
    responseTime: Math.round(performance.now() - startedAt),
    operational: core.status === 'operational',
    diagnostics: { apiRoutes: { status: routes, operational: routes === 'operational' } },
    endpoints,
  };
}

const SMOKE_TYPES: Record<(typeof CHECKED_ENDPOINTS)[number], readonly RecordType[]> = {
  'Companies API': ['companies'],
  'People API': ['people'],
  'Investors API': ['investors'],
  'Search API': ['companies', 'people', 'investors', 'events'],
};

async function smoke(store: Store, name: (typeof CHECKED_ENDPOINTS)[number]): Promise<void> {
  const text = name === 'Search API' ? 'web3' : '';
  const types = SMOKE_TYPES[name];
  // Listing an empty type reads no record; a look-up always does.
  for (const type of types) await store.records.get(type, '1');
  await store.records.search({
    types,
    text,
    filters: {},
    sort: undefined,
    // Checks that the index responds, however far it lags behind.
    window: { offset: 0, limit: 1, atLeast: 0 },
  });
}

/** Runs a check with a time-out. Failures become a status and never throw. */
async function probe(check: () => Promise<unknown>, timeoutMs = PROBE_TIMEOUT_MS) {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const isOperational = await Promise.race([
    check()
      .then(() => true)
      .catch(() => false),
    timeout,
  ]);
  clearTimeout(timer);
  return { status: toStatus(isOperational), responseTime: Math.round(performance.now() - startedAt) };
}

const toStatus = (isFine: boolean): Status => (isFine ? 'operational' : 'error');
