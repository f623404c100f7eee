import type { SearchedType } from '../contract/entities/index.ts';
import { CHECKED_ENDPOINTS, type Health } from '../contract/health.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './deps.ts';

const PROBE_TIMEOUT_MS = 2_000;
/** A detailed check is shared by all who ask within this time, so that asking often costs nothing. */
const DETAILED_LIFE_MS = 5_000;

type Status = Health['status'];

/** Health of the core, or with the API routes (specification 4.3, 4.4). */
export type HealthCheck = (detailed: boolean) => Promise<Health>;

export function createHealthCheck(store: Store, clock: Clock): HealthCheck {
  let shared: { startedAt: number; result: Promise<Health> } | undefined;
  return (detailed) => {
    if (!detailed) return quickCheck(store, clock);
    const now = clock().getTime();
    if (shared === undefined || now - shared.startedAt >= DETAILED_LIFE_MS) {
      shared = { startedAt: now, result: detailedCheck(store, clock) };
    }
    return shared.result;
  };
}

async function quickCheck(store: Store, clock: Clock): Promise<Health> {
  const database = await probe(() => store.ping());
  return {
    status: database.status,
    timestamp: clock().toISOString(),
    responseTime: database.responseTime,
    services: { database: database.status, api: 'operational' },
  };
}

async function detailedCheck(store: Store, clock: Clock): Promise<Health> {
  const startedAt = performance.now();
  const core = await quickCheck(store, clock);
  const endpoints = [];
  for (const name of CHECKED_ENDPOINTS) endpoints.push({ name, ...(await probe(() => smoke(store, name))) });
  const routes = toStatus(endpoints.every((endpoint) => endpoint.status === 'operational'));
  return {
    ...core,
    responseTime: Math.round(performance.now() - startedAt),
    operational: core.status === 'operational',
    diagnostics: { apiRoutes: { status: routes, operational: routes === 'operational' } },
    endpoints,
  };
}

const SMOKE_TYPES: Record<(typeof CHECKED_ENDPOINTS)[number], readonly SearchedType[]> = {
  'Companies API': ['companies'],
  'People API': ['people'],
  'Investors API': ['investors'],
  'Search API': ['companies', 'people', 'investors', 'events'],
};

async function smoke(store: Store, name: (typeof CHECKED_ENDPOINTS)[number]): Promise<void> {
  const text = name === 'Search API' ? 'web3' : '';
  await store.records.search({
    types: SMOKE_TYPES[name],
    text,
    filters: {},
    sort: undefined,
    window: { offset: 0, limit: 1 },
  });
}

/** Runs a check with a bound on its time; any failure is a status, never a throw. */
async function probe(check: () => Promise<unknown>): Promise<{ status: Status; responseTime: number }> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  });
  const isFine = await Promise.race([
    check()
      .then(() => true)
      .catch(() => false),
    late,
  ]);
  clearTimeout(timer);
  return { status: toStatus(isFine), responseTime: Math.round(performance.now() - startedAt) };
}

const toStatus = (isFine: boolean): Status => (isFine ? 'operational' : 'error');
