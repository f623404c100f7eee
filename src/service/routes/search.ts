import type * as z from 'zod';
import { SEARCHED_TYPES } from '../../contract/entities/index.ts';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import type { searchQuery } from '../../contract/queries.ts';
import type { Found, SearchRequest } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { enveloped, type Handler } from '../call.ts';
import { filtersFor, pageJson, sortFor, windowOf } from './page.ts';

/** GET /api/v1/search (specification 4.1). */
export function search(store: Store): Handler {
  return async ({ query }) => {
    const { type, query: text, page, limit, fields, sort } = query as z.output<typeof searchQuery>;
    const types = type === 'all' ? SEARCHED_TYPES : [type];
    checkFields(types, fields, 'query');
    const request = {
      types,
      text,
      filters: filtersFor(types, query),
      sort: sortFor(types, sort),
      window: windowOf(page, limit),
    };
    const found = await searchStore(store, request);
    return enveloped(pageJson(found, { page, limit, fields, isTotalled: true }), 'Search completed');
  };
}

/**
 * A search that fails by itself has an error of its own (specification 7). A database that is away is `unavailable`, as for
 * every other request.
 */
export async function searchStore(store: Store, request: SearchRequest): Promise<Found> {
  try {
    return await store.records.search(request);
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'unavailable') throw cause;
    throw new ServiceError('search_failed', TEXT.searchFailed, { cause });
  }
}
