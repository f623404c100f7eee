import { type AggregateQuery, checkAggregate } from '../../contract/aggregate.ts';
import type { AggregateRequest } from '../../store/port/analytics.ts';
import type { Store } from '../../store/store.ts';
import { type Handler, withRequestMeta } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { canonicalQuery, charge } from './charge.ts';
import { filtersFor } from './pagination.ts';

/** GET /api/v1/aggregate */
export function aggregate(store: Store): Handler {
  return async ({ query, atLeast }) => {
    const data = await store.records.aggregate({ ...requestOf(query as AggregateQuery), atLeast });
    return withRequestMeta(JSON.stringify(data), 'Aggregate completed');
  };
}

/** GET /api/v1/x402/aggregate */
export function paidAggregate(deps: ServiceDeps): Handler {
  return async (call) => {
    const request = { ...requestOf(call.query as AggregateQuery), atLeast: call.atLeast };
    const query = canonicalQuery(call.query);
    const compute = async () => ({
      data: JSON.stringify(await deps.store.records.aggregate(request)),
      meta: { query },
    });
    return charge(deps, call, { query, compute });
  };
}

/** Throws `invalid_parameter`, with the allowed values, for incompatible parameters. */
const requestOf = (query: AggregateQuery): AggregateRequest => ({
  ...checkAggregate(query),
  filters: filtersFor([query.of], query),
});
