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

/** GET /api/v1/x402/search (specification 4.5). */
export function paidSearch(deps: ServiceDeps): Handler {
  return async (call) => {
    const query = call.query as PaidSearchQuery;
    // Everything that can be wrong with the request is refused before a payment is asked for.
    const window = windowOf(query.page, query.limit, call);
    return charge(deps, call, {
      query: canonical(query),
      make: () => searched(deps.store, query, window),
      // The first page is always there, even when nothing matches: that is the answer, and it takes a search to know it.
      ...(query.page > 1 && { check: checkPage }),
    });
  };
}

/** The query in one form, so that the same question has one address however it is written. */
function canonical({ q, type, limit, page }: PaidSearchQuery): string {
  return `${new URLSearchParams({ ...(q !== '' && { q }), type, limit: String(limit), page: String(page) })}`;
}

/** The answer to a paid search. Throws `invalid_parameter` for a page past the end. */
async function searched(
  store: Store,
  { q, type, page, limit }: PaidSearchQuery,
  window: Window,
): Promise<PaidResource> {
  const types: readonly SoldType[] = type === 'all' ? PAID_TYPES : [type];
  const { results, total } = await searchStore(store, { types, text: q, window, isDivided: true });
  if (page > 1 && results.length === 0) throw pastTheEnd(Math.ceil(total / limit));
  const records = results.map((json) => JSON.parse(json) as Record<string, unknown>);
  const lists = [...new Set([...PAID_TYPES, ...types])].map((each) => [
    each,
    records.filter((record) => record['type'] === each).map(shownAs(each)),
  ]);
  return { data: JSON.stringify(Object.fromEntries(lists)), meta: { query: q, type, page, limit, total } };
}

/** Throws for a page past the end. A search that fails tells nothing of that; its failure is told when it is paid. */
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

/** Shows records of a type as they are sold. */
function shownAs(type: SoldType): (record: Record<string, unknown>) => Record<string, unknown> {
  const { paid } = entityOf(type);
  if (paid === null) throw new Error(`${type} are not sold`);
  return (record) => showThrough(paid, record);
}
