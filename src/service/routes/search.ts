import type * as z from 'zod';
import { NAMED_TYPES, RECORD_TYPES } from '../../contract/entities/index.ts';
import { type ErrorCode, ServiceError, TEXT } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import type { searchQuery } from '../../contract/queries.ts';
import { parseSort } from '../../contract/sorts.ts';
import type { SearchPage, SearchRequest } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type Handler, withRequestMeta } from '../call.ts';
import { csvResponse } from './csv.ts';
import { filtersFor, searchJson, windowOf } from './page.ts';

/** GET /api/v1/search. */
export function keyedSearch(store: Store): Handler {
  return async (call) => {
    const { query, isCsv } = call;
    const { type, query: text, page, limit, fields, sort } = query as z.output<typeof searchQuery>;
    const types = type === 'all' ? NAMED_TYPES : [type];
    // A sentence may select a type beyond the given ones.
    checkFields(type === 'all' ? RECORD_TYPES : types, fields, 'query');
    const request = {
      types,
      text,
      filters: filtersFor(types, query),
      sort: parseSort(types, sort),
      window: windowOf(page, limit, call),
    };
    const found = await searchStore(store, request);
    if (isCsv) return csvResponse(found, { types, fields });
    return withRequestMeta(searchJson(found, { page, limit, fields }), 'Search completed');
  };
}

/** Errors that are not failures of the search: an unavailable database, or an unknown filter value. */
const PASSED_ON: readonly ErrorCode[] = ['unavailable', 'invalid_parameter'];

/** Runs a search. Unexpected errors become `search_failed`. */
export async function searchStore(store: Store, request: SearchRequest): Promise<SearchPage> {
  try {
    return await store.records.search(request);
  } catch (cause) {
    if (cause instanceof ServiceError && PASSED_ON.includes(cause.code)) throw cause;
    throw new ServiceError('search_failed', TEXT.searchFailed, { cause });
  }
}
