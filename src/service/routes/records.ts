import type * as z from 'zod';
import type { listQuery } from '../../contract/endpoints.ts';
import { entityOf, type SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { KeptRecord, Store } from '../../store/store.ts';
import { type Call, enveloped, type Handler } from '../call.ts';
import { pageJson, selectFields, windowOf } from './page.ts';

/** GET /api/v1/{type} */
export function list(store: Store): Handler {
  return async ({ endpoint, query }) => {
    const { page, limit, fields } = query as z.output<typeof listQuery>;
    const types = [endpoint.type as SearchedType];
    const found = await store.records.search({ types, text: '', window: windowOf(page, limit) });
    return enveloped(pageJson(found, { page, limit, fields, isTotalled: false }), 'List completed');
  };
}

/** GET /api/v1/{type}/{idOrSlug} */
export function detail(store: Store): Handler {
  return async (call) => {
    const { fields } = call.query as { fields?: string[] };
    return enveloped(selectFields((await recordOf(store, call)).json, fields), 'Record found');
  };
}

/** GET /api/v1/{type}/{idOrSlug}/{relation} */
export function related(store: Store): Handler {
  return async (call) => {
    const { page, limit, fields } = call.query as z.output<typeof listQuery>;
    const window = windowOf(page, limit);
    const { id } = await recordOf(store, call);
    if (call.endpoint.related === undefined) throw new Error(`${call.endpoint.name} names no related list`);
    const found = await store.records.related(call.endpoint.related, id, window);
    return enveloped(pageJson(found, { page, limit, fields, isTotalled: false }), 'List completed');
  };
}

async function recordOf(store: Store, { endpoint, params }: Call): Promise<KeptRecord> {
  const type = endpoint.type as SearchedType;
  const record = await store.records.get(type, params['idOrSlug'] ?? '');
  if (record === undefined) {
    throw new ServiceError(
      'not_found',
      `There is no ${entityOf(type).noun} with this number or slug; search for its name.`,
    );
  }
  return record;
}
