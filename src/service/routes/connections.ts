import { CONNECTION_KINDS, type ConnectionsQuery } from '../../contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ConnectRequest, RecordRef } from '../../store/port/answers.ts';
import type { Store } from '../../store/store.ts';
import { type Call, type Handler, withRequestMeta } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { canonicalQuery, charge } from './charge.ts';

/** GET /api/v1/connections */
export function connections(store: Store): Handler {
  return async (call) => {
    const data = await store.records.connect(await requestOf(store, call));
    return withRequestMeta(JSON.stringify(data), 'Connections completed');
  };
}

/** GET /api/v1/x402/connections */
export function paidConnections(deps: ServiceDeps): Handler {
  return async (call) => {
    const request = await requestOf(deps.store, call);
    const query = canonicalQuery(call.query);
    const compute = async () => ({ data: JSON.stringify(await deps.store.records.connect(request)), meta: { query } });
    return charge(deps, call, { query, compute });
  };
}

async function requestOf(store: Store, { query, atLeast }: Call): Promise<ConnectRequest> {
  const { hops_max: hopsMax, limit, kinds = CONNECTION_KINDS, ...ends } = query as ConnectionsQuery;
  const from = await resolveEndpoint(store, { name: 'from', reference: ends.from, atLeast });
  const to = await resolveEndpoint(store, { name: 'to', reference: ends.to, atLeast });
  if (from.type === to.type && from.id === to.id) throw refusal('to', 'another record than from');
  return { from, to, hopsMax, limit, kinds, atLeast };
}

/** A requested end of a path. */
interface PathEndpoint extends Pick<Call, 'atLeast'> {
  readonly name: 'from' | 'to';
  readonly reference: string;
}

const TYPE_AND_SLUG = /^([a-z]+)\/(.+)$/;
const SLUG = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/** The record of an end, by type and slug, or by a name that only one record has. */
async function resolveEndpoint(store: Store, { name, reference: given, atLeast }: PathEndpoint): Promise<RecordRef> {
  const [, type = '', slug = ''] = TYPE_AND_SLUG.exec(given) ?? [];
  if ((RECORD_TYPES as readonly string[]).includes(type)) {
    const record = await store.records.get(type as RecordType, slug);
    if (record === undefined) throw refusal(name, `a record that is there: no ${type} of this slug; search finds it`);
    return { type: type as RecordType, id: record.id };
  }
  // Text in the form type/slug is never a name.
  const [first, ...others] = SLUG.test(slug) ? [] : await store.records.named(given, atLeast);
  if (first === undefined) {
    throw refusal(name, `type/slug (${RECORD_TYPES.join(', ')}) or an exact name; search finds it`);
  }
  if (others.length === 0) return first;
  throw refusal(name, `one of ${[first, ...others].map((each) => `${each.type}/${each.slug}`).join(', ')}`);
}

function refusal(name: string, wanted: string): ServiceError {
  const message = `${name} must be ${wanted}`;
  return new ServiceError('invalid_parameter', message, { errors: [{ location: `query.${name}`, message }] });
}
