import { entityOf } from '../../contract/entities/index.ts';
import { showThrough } from '../../contract/entity.ts';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import { PAID_TYPES, PAYMENT_HEADERS, type PaidSearchQuery, type PaidType } from '../../contract/x402.ts';
import type { Found, RecordJson, Window } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import type { Call, Handler } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Goods } from '../till.ts';
import { windowOf } from './page.ts';

/** GET /api/v1/x402/search (specification 4.5). */
export function paidSearch({ store, till, publicUrl }: ServiceDeps): Handler {
  return async (call) => {
    if (till === undefined) {
      throw new ServiceError('not_found', 'This service takes no payments; search at /api/v1/search with a key.');
    }
    const query = call.query as PaidSearchQuery;
    // Everything that can be wrong with the request is refused before a payment is asked for.
    const windows = windowsOf(query);
    const item = call.path + canonical(query);
    return till.sell({
      resource: publicUrl.replace(/\/$/, '') + item,
      item,
      payment: paymentOf(call),
      requestId: call.requestId,
      address: call.address,
      isGone: call.isGone,
      make: () => searched(store, query, windows),
    });
  };
}

/** HEAD asks what GET would say, but an answer without a body is nothing to sell. */
const paymentOf = ({ method, header }: Call): string | undefined =>
  method === 'HEAD' ? undefined : header(PAYMENT_HEADERS.signature);

/** The query in one form, so that the same question has one address however it is written. */
function canonical({ q, type, limit, page }: PaidSearchQuery): string {
  return `?${new URLSearchParams({ ...(q !== '' && { q }), type, limit: String(limit), page: String(page) })}`;
}

/**
 * The part of each type's result that is asked for. A limit that does not divide evenly favours the first types; one that
 * is too small for all of them leaves out the last, which are counted all the same.
 */
function windowsOf({ type, limit, page }: PaidSearchQuery): ReadonlyMap<PaidType, Window> {
  if (type !== 'all') return new Map([[type, windowOf(page, limit)]]);
  const shares = PAID_TYPES.map((_type, place) => Math.ceil((limit - place) / PAID_TYPES.length));
  return new Map(PAID_TYPES.map((each, place) => [each, windowOf(page, shares[place] ?? 0)]));
}

async function searched(
  store: Store,
  { q, type, page, limit }: PaidSearchQuery,
  windows: ReadonlyMap<PaidType, Window>,
): Promise<Goods> {
  let total = 0;
  const lists = [];
  for (const each of PAID_TYPES) {
    const window = windows.get(each);
    const found = window === undefined ? NOTHING : await searchOne(store, each, { text: q, window });
    total += found.total;
    lists.push(`"${each}":[${found.results.map((json) => shown(each, json)).join(',')}]`);
  }
  return { data: `{${lists.join(',')}}`, meta: { query: q, type, page, limit, total } };
}

const NOTHING: Found = { results: [], total: 0, totals: {} };

async function searchOne(store: Store, type: PaidType, asked: { text: string; window: Window }): Promise<Found> {
  const { limit, offset } = asked.window;
  try {
    // The store takes no limit of nothing.
    const found = await store.records.search({
      types: [type],
      ...asked,
      window: { offset, limit: Math.max(1, limit) },
    });
    return { ...found, results: found.results.slice(0, limit) };
  } catch (cause) {
    throw new ServiceError('search_failed', TEXT.searchFailed, { cause });
  }
}

function shown(type: PaidType, json: RecordJson): string {
  const { paid } = entityOf(type);
  if (paid === null) throw new Error(`${type} are not sold`);
  return JSON.stringify(showThrough(paid, JSON.parse(json) as Record<string, unknown>));
}
