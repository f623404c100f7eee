import type { Operation } from '../../contract/endpoints.ts';
import { type Handler, withRequestMeta } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { createHealthCheck } from '../health.ts';
import { answerAggregate, paidAggregate } from './aggregate.ts';
import { change } from './change.ts';
import { connections, paidConnections } from './connections.ts';
import { answerHealth } from './health.ts';
import { openapi } from './openapi.ts';
import { paidSearch } from './paid-search.ts';
import { purchases } from './purchases.ts';
import { detail, list, related, sources } from './records.ts';
import { answerSearch } from './search.ts';
import { answerUsage } from './usage.ts';

export function createHandlers(deps: ServiceDeps): Record<Operation, Handler> {
  const { store } = deps;
  return {
    health: answerHealth(createHealthCheck(deps)),
    openapi: openapi(deps),
    search: answerSearch(store),
    aggregate: answerAggregate(store),
    connections: connections(store),
    paidSearch: paidSearch(deps),
    paidAggregate: paidAggregate(deps),
    paidConnections: paidConnections(deps),
    purchases: purchases(deps),
    vocabulary: async ({ atLeast }) =>
      withRequestMeta(JSON.stringify(await store.records.vocabulary(atLeast)), 'Vocabulary read'),
    usage: answerUsage(store),
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
