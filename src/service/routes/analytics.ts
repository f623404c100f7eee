import type * as z from 'zod';
import { type AggregateData, type AggregateQuery, aggregateQuery, checkAggregate } from '../../contract/aggregate.ts';
import { CONNECTION_KINDS, type ConnectionsQuery } from '../../contract/connections.ts';
import { isRecordType, RECORD_TYPES } from '../../contract/entities/index.ts';
import { invalidAt, type ServiceError, undefinedIfInvalid } from '../../contract/errors.ts';
import { FILTER_NAMES } from '../../contract/filters.ts';
import { parametersOfAsked, withGroupsAsked } from '../../contract/groups-asked.ts';
import type { searchQuery } from '../../contract/queries.ts';
import { createReader } from '../../contract/reader.ts';
import type { SearchData } from '../../contract/record-responses.ts';
import { aggregateThatAnswers } from '../../contract/sentence-calls.ts';
import type { AggregateRequest, ConnectionsRequest, RecordRef } from '../../store/port/analytics.ts';
import type { SearchPage } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type Call, type Handler, withRequestMeta } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { canonicalQuery, charge } from './charge.ts';
import { nearestRecords, SEARCH_BY_NAME } from './nearest-records.ts';
import { filtersFor } from './pagination.ts';

export function aggregate(store: Store): Handler {
  return async ({ query, atLeast }) => {
    const data = await store.records.aggregate({ ...aggregateRequestOf(query as AggregateQuery), atLeast });
    return withRequestMeta(JSON.stringify(data), 'Aggregate completed');
  };
}

const readAggregate = createReader(aggregateQuery, 'query');

/**
 * The aggregate that a sentence asks for, with its parameters. Undefined where it asks for none, where nothing is counted, and
 * where the search leaves a condition out, because the aggregate of that would be of too much.
 */
export async function answerOf(
  { records }: Store,
  page: SearchPage,
  { query, atLeast }: Pick<Call, 'query' | 'atLeast'>,
): Promise<SearchData['answer']> {
  const { type, limit } = query as z.output<typeof searchQuery>;
  const given = FILTER_NAMES.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]);
  const filters = Object.fromEntries(given) as Readonly<Record<string, unknown>>;
  const asked = aggregateThatAnswers(page, { filters, ...(type !== 'all' && { type }) });
  if (asked === undefined) return undefined;
  const count = async (): Promise<AggregateData> =>
    records.aggregate({ ...aggregateRequestOf(readAggregate(parametersOfAsked(asked, limit))), atLeast });
  const counted = await count().catch(undefinedIfInvalid);
  if (counted === undefined || counted.covered.records === 0) return undefined;
  const { of, group_by, measure = 'count', order } = asked;
  const data = withGroupsAsked(counted, asked, limit);
  return data && { asked: { of, group_by, measure: [measure], ...(order && { order }), ...asked.filters }, ...data };
}

export function paidAggregate(deps: ServiceDeps): Handler {
  return async (call) => {
    const request = { ...aggregateRequestOf(call.query as AggregateQuery), atLeast: call.atLeast };
    const query = canonicalQuery(call.query);
    const compute = async () => ({
      data: JSON.stringify(await deps.store.records.aggregate(request)),
      meta: { query },
    });
    return charge(deps, call, { query, compute, isRefusable: Object.keys(request.filters).length > 0 });
  };
}

/** Throws `invalid_parameter`, with the allowed values, for incompatible parameters. */
const aggregateRequestOf = (query: AggregateQuery): AggregateRequest => ({
  ...checkAggregate(query),
  filters: filtersFor([query.of], query),
});

export function connections(store: Store): Handler {
  return async (call) => {
    const data = await store.records.connect(
      await connectionsRequestOf(store, call, (name) => nearestRecords(store, name)),
    );
    return withRequestMeta(JSON.stringify(data), 'Connections completed');
  };
}

export function paidConnections(deps: ServiceDeps): Handler {
  return async (call) => {
    // Records are not named before they are paid for.
    const request = await connectionsRequestOf(deps.store, call, () => Promise.resolve(SEARCH_BY_NAME));
    const query = canonicalQuery(call.query);
    const compute = async () => ({ data: JSON.stringify(await deps.store.records.connect(request)), meta: { query } });
    return charge(deps, call, { query, compute, isRefusable: false });
  };
}

type Nearest = (name: string) => Promise<string>;

async function connectionsRequestOf(store: Store, call: Call, nearestTo: Nearest): Promise<ConnectionsRequest> {
  const { query, atLeast } = call;
  const { hops_max: hopsMax, limit, kinds = CONNECTION_KINDS, ...ends } = query as ConnectionsQuery;
  const from = await resolveEndpoint(store, { name: 'from', reference: ends.from, atLeast, nearestTo });
  const to = await resolveEndpoint(store, { name: 'to', reference: ends.to, atLeast, nearestTo });
  if (from.type === to.type && from.id === to.id) throw refusal('to', 'another record than from');
  return { from, to, hopsMax, limit, kinds, atLeast };
}

interface PathEndpoint extends Pick<Call, 'atLeast'> {
  readonly name: 'from' | 'to';
  readonly reference: string;
  /** What the error suggests for a name that no record has. */
  readonly nearestTo: Nearest;
}

const TYPE_AND_SLUG = /^([a-z]+)\/(.+)$/;
const SLUG = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/** The record of an end, by type and slug, or by a name that only one record has. */
async function resolveEndpoint(store: Store, endpoint: PathEndpoint): Promise<RecordRef> {
  const { name, reference: given, atLeast, nearestTo } = endpoint;
  const [, type = '', slug = ''] = TYPE_AND_SLUG.exec(given) ?? [];
  if (isRecordType(type)) {
    const record = await store.records.get(type, slug);
    if (record !== undefined) return { type, id: record.id };
    // An alias may be known as a slug.
    const named = (await store.records.named(slug, atLeast)).filter((each) => each.type === type);
    if (named.length === 1) return named[0] as RecordRef;
    const near = await nearestTo(slug.replaceAll('-', ' '));
    throw refusal(name, `a record that is there: no ${type} of this slug; ${near}`, NONE);
  }
  // Text in the form type/slug is never a name.
  const [first, ...others] = SLUG.test(slug) ? [] : await store.records.named(given, atLeast);
  if (first === undefined)
    throw refusal(name, `type/slug (${RECORD_TYPES.join(', ')}) or an exact name; ${await nearestTo(given)}`, NONE);
  if (others.length === 0) return first;
  throw refusal(name, `one of ${[first, ...others].map((each) => `${each.type}/${each.slug}`).join(', ')}`);
}

const NONE = 'no such record: ';

const refusal = (name: string, wanted: string, problem = ''): ServiceError =>
  invalidAt(`query.${name}`, `${problem}${name} must be ${wanted}`);
