import { entityOf } from '../../contract/entities/index.ts';
import { showThrough } from '../../contract/entity.ts';
import { ServiceError } from '../../contract/errors.ts';
import { PAID_TYPES, type PaidSearchQuery, type SoldType } from '../../contract/x402.ts';
import type { Window } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import type { Handler } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import type { PaidResource } from '../payment-gate.ts';
import { charge } from './charge.ts';
import { windowOf } from './page.ts';
import { searchStore } from './search.ts';

/** GET /api/v1/x402/search. */
export function paidSearch(deps: ServiceDeps): Handler {
  return async (call) => {
    const query = call.query as PaidSearchQuery;
    // Validate everything before requesting payment.
    const window = windowOf(query.page, query.limit, call);
    return charge(deps, call, {
      query: canonical(query),
      compute: () => searched(deps.store, query, window),
      // The first page always exists, even without matches; finding out takes a search.
      ...(query.page > 1 && { check: checkPage }),
    });
  };
}

function canonical({ q, type, limit, page }: PaidSearchQuery): string {
  return `${new URLSearchParams({ ...(q !== '' && { q }), type, limit: String(limit), page: String(page) })}`;
}

/** The response of a paid search. Throws `invalid_parameter` past the last page. */
async function searched(
  store: Store,
  { q, type, page, limit }: PaidSearchQuery,
  window: Window,
): Promise<PaidResource> {
  const types: readonly SoldType[] = type === 'all' ? PAID_TYPES : [type];
  const { results, total } = await searchStore(store, { types, text: q, window, isInterleaved: true });
  if (page > 1 && results.length === 0) throw pastTheEnd(Math.ceil(total / limit));
  const records = results.map((json) => JSON.parse(json) as Record<string, unknown>);
  const lists = [...new Set([...PAID_TYPES, ...types])].map((each) => [
    each,
    records.filter((record) => record['type'] === each).map(shownAs(each)),
  ]);
  return { data: JSON.stringify(Object.fromEntries(lists)), meta: { query: q, type, page, limit, total } };
}

/** Throws past the last page. If the search itself fails, the error is reported after payment verification. */
async function checkPage(make: () => Promise<PaidResource>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_parameter') throw error;
  }
}

function pastTheEnd(pages: number): ServiceError {
  const message = `page is past the end; pages of this limit: ${pages}`;
  const errors = [{ location: 'query.page', message: `page must be at most ${Math.max(1, pages)}` }];
  return new ServiceError('invalid_parameter', message, { errors });
}

function shownAs(type: SoldType): (record: Record<string, unknown>) => Record<string, unknown> {
  const { paid } = entityOf(type);
  if (paid === null) throw new Error(`${type} are not sold`);
  return (record) => showThrough(paid, record);
}
