import type * as z from 'zod';
import type { listQuery, relatedQuery } from '../../contract/endpoints.ts';
import { entityOf, type SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import { parseSort } from '../../contract/filters.ts';
import type { KeptRecord, Store } from '../../store/store.ts';
import { type Call, enveloped, type Handler } from '../call.ts';
import { filtersFor, pageJson, selectFields, windowOf } from './page.ts';

/** GET /api/v1/{type} */
export function list(store: Store): Handler {
  return async ({ endpoint, query }) => {
    const { page, limit, fields, sort } = query as z.output<typeof listQuery>;
    const types = [endpoint.type as SearchedType];
    checkFields(types, fields, 'query');
    const filters = filtersFor(types, query);
    const found = await store.records.search({
      types,
      text: '',
      filters,
      sort: parseSort(sort),
      window: windowOf(page, limit),
    });
    return enveloped(pageJson(found, { page, limit, fields, isTotalled: false }), 'List completed');
  };
}

/** GET /api/v1/{type}/{idOrSlug} */
export function detail(store: Store): Handler {
  return async (call) => {
    const { fields } = call.query as { fields?: string[] };
    checkFields([call.endpoint.type as SearchedType], fields, 'query');
    return enveloped(selectFields((await recordOf(store, call)).json, fields), 'Record found');
  };
}

/** GET /api/v1/{type}/{idOrSlug}/{relation} */
export function related(store: Store): Handler {
  return async (call) => {
    const { page, limit, fields } = call.query as z.output<typeof relatedQuery>;
    const window = windowOf(page, limit);
    const { related: list } = call.endpoint;
    if (list === undefined) throw new Error(`${call.endpoint.name} names no related list`);
    checkFields(list.types, fields, 'query');
    const { id } = await recordOf(store, call);
    const found = await store.records.related(list, id, window);
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
