import type { Operation } from '../../contract/endpoints.ts';
import { enveloped, type Handler } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { createHealthCheck } from '../health.ts';
import { aggregate, paidAggregate } from './aggregate.ts';
import { change } from './change.ts';
import { connections, paidConnections } from './connections.ts';
import { health } from './health.ts';
import { openapi } from './openapi.ts';
import { paidSearch } from './paid-search.ts';
import { purchases } from './purchases.ts';
import { detail, list, related, sources } from './records.ts';
import { search } from './search.ts';
import { usage } from './usage.ts';

/** The handler of each operation. */
export function createHandlers(deps: ServiceDeps): Record<Operation, Handler> {
  const { store } = deps;
  return {
    health: health(createHealthCheck(deps)),
    openapi: openapi(deps),
    search: search(store),
    aggregate: aggregate(store),
    connections: connections(store),
    paidSearch: paidSearch(deps),
    paidAggregate: paidAggregate(deps),
    paidConnections: paidConnections(deps),
    purchases: purchases(deps),
    vocabulary: async ({ atLeast }) =>
      enveloped(JSON.stringify(await store.records.vocabulary(atLeast)), 'Vocabulary read'),
    usage: usage(store),
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
