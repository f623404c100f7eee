import type { Operation } from '../../contract/endpoints.ts';
import type { UsageData } from '../../contract/usage.ts';
import { SIGN_IN_HEADER } from '../../contract/wallet-sign-in.ts';
import type { PurchasesQuery } from '../../contract/x402.ts';
import type { Store } from '../../store/store.ts';
import { bareResponse, type Handler, withRequestMeta } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { createHealthCheck, type HealthCheck } from '../health.ts';
import { balanceOf, type QuotaWindow } from '../middleware/enforce-quota.ts';
import { aggregate, connections, paidAggregate, paidConnections } from './analytics.ts';
import { paymentGateOf } from './charge.ts';
import { openapi } from './openapi.ts';
import { change, detail, list, related, sources } from './records.ts';
import { keyedSearch, paidSearch } from './search.ts';

export function createHandlers(deps: ServiceDeps): Record<Operation, Handler> {
  const { store } = deps;
  return {
    health: readHealth(createHealthCheck(deps)),
    openapi: openapi(deps),
    search: keyedSearch(store),
    aggregate: aggregate(store),
    connections: connections(store),
    paidSearch: paidSearch(deps),
    paidAggregate: paidAggregate(deps),
    paidConnections: paidConnections(deps),
    purchases: purchases(deps),
    vocabulary: async ({ atLeast }) =>
      withRequestMeta(JSON.stringify(await store.records.vocabulary(atLeast)), 'Vocabulary read'),
    usage: readUsage(store),
    list: list(store),
    detail: detail(store),
    related: related(store),
    sources: sources(store),
    create: change(store, 'create'),
    replace: change(store, 'replace'),
    merge: change(store, 'merge'),
    delete: change(store, 'delete'),
    restore: change(store, 'restore'),
  };
}

/** The status depends on the core only. */
function readHealth(check: HealthCheck): Handler {
  return async ({ query }) => {
    const result = await check(query['detailed'] === true);
    return bareResponse(JSON.stringify(result), result.status === 'operational' ? 200 : 503);
  };
}

function readUsage(store: Store): Handler {
  return async ({ key }) => {
    if (key === undefined) throw new Error('Usage requires a key');
    const { day, month } = balanceOf(key.limits, await store.usage.read(key));
    const { id, name, level, display, expires_at, plan } = key;
    const data: UsageData = {
      plan,
      key: { id, name, level, display, expires_at },
      day: toData(day),
      month: toData(month),
    };
    return withRequestMeta(JSON.stringify(data), 'Usage read');
  };
}

const toData = ({ limit, used, remaining, resetsAt }: QuotaWindow): UsageData['day'] => ({
  limit,
  used,
  remaining,
  resets_at: resetsAt.toISOString(),
});

const purchases =
  (deps: ServiceDeps): Handler =>
  async ({ query, path, address, header }) => {
    const { limit, before } = query as PurchasesQuery;
    const resource = deps.publicUrl + path;
    return paymentGateOf(deps).purchases({ resource, address, signIn: header(SIGN_IN_HEADER), limit, before });
  };
