import type * as z from 'zod';
import type { searchQuery } from '../../contract/endpoints.ts';
import { SEARCHED_TYPES } from '../../contract/entities/index.ts';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import type { Found, SearchRequest, Store } from '../../store/store.ts';
import { enveloped, type Handler } from '../call.ts';
import { pageJson, windowOf } from './page.ts';

/** GET /api/v1/search (specification 4.1). */
export function search(store: Store): Handler {
  return async ({ query }) => {
    const { type, query: text, page, limit, fields } = query as z.output<typeof searchQuery>;
    const types = type === 'all' ? SEARCHED_TYPES : [type];
    const found = await searchStore(store, { types, text, window: windowOf(page, limit) });
    return enveloped(pageJson(found, { page, limit, fields, isTotalled: true }), 'Search completed');
  };
}

/** A failed search has an error of its own, which tells the caller that the request itself was right. */
async function searchStore(store: Store, request: SearchRequest): Promise<Found> {
  try {
    return await store.records.search(request);
  } catch (cause) {
    throw new ServiceError('search_failed', TEXT.searchFailed, { cause });
  }
}
