import type { Operation } from '../../contract/endpoints.ts';
import type { Handler } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { createHealthCheck } from '../health.ts';
import { health } from './health.ts';
import { openapi } from './openapi.ts';
import { detail, list, related } from './records.ts';
import { search } from './search.ts';

/** The handler of each operation. */
export function createHandlers(deps: ServiceDeps): Record<Operation, Handler> {
  const { store, publicUrl, version } = deps;
  return {
    health: health(createHealthCheck(deps)),
    openapi: openapi(publicUrl, version),
    search: search(store),
    list: list(store),
    detail: detail(store),
    related: related(store),
  };
}
