import type { Endpoint, Operation } from '../../contract/endpoints.ts';
import { entityOf, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { showThrough } from '../../contract/entity.ts';
import { API_VERSION } from '../../contract/envelope.ts';
import { ERRORS, type ErrorCode, exampleError, ServiceError } from '../../contract/errors.ts';
import { CHECKED_ENDPOINTS } from '../../contract/health.ts';
import { newBodies } from '../../contract/input.ts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import { PLANS } from '../../contract/plans.ts';
import { REASON_FIELDS, type RelatedList } from '../../contract/relations.ts';
import { isBlank } from '../../contract/value-text.ts';
import { PAYMENT_SECONDS_MAX, PRICE_USD, priceOn, X402_VERSION } from '../../contract/x402.ts';
import { errorJson } from '../middleware/error-handler.ts';
import shipped from './openapi-examples.json' with { type: 'json' };

/** Examples in the OpenAPI document: records and figures of the shipped data, which a test keeps as the service answers them. */

type Data = Readonly<Record<string, unknown>>;

const NOW = '2026-11-21T12:00:00.000Z';
const SHIPPED: Readonly<Partial<Record<RecordType, Data>>> = shipped.records;

/** A reference to the example record of a type. */
const referenceTo = (type: RecordType) => {
  const {
    id = 1,
    name = 'Example',
    slug = 'example',
  } = (SHIPPED[type] ?? {}) as { id?: number; name?: string; slug?: string };
  return { type, id, name, slug };
};

/** The example records: of a type that ships none, unknown fields are null or empty. */
const RECORDS = Object.fromEntries(
  RECORD_TYPES.map((type) => {
    const known: Data = {
      ...referenceTo(type),
      ...SHIPPED[type],
      is_verified: false,
      created_at: NOW,
      updated_at: NOW,
    };
    const fields = Object.entries(entityOf(type).record.shape).map(([field, schema]) => [
      field,
      known[field] ?? (schema.safeParse(null).success ? null : []),
    ]);
    return [type, Object.fromEntries(fields)];
  }),
) as Readonly<Record<RecordType, Data>>;

export const slugOf = (type: RecordType): string => referenceTo(type).slug;

/** Body of a write example: the writable fields that are not blank. */
export function bodyExample({ operation, type }: Endpoint): Data | undefined {
  if (type === undefined) return undefined;
  const known = RECORDS[type];
  if (operation === 'merge') return { aliases: [`${known['name']} (formerly)`] };
  const accepted = Object.keys(newBodies.get(type)?.shape ?? {}).filter((field) => !isBlank(known[field]));
  return Object.fromEntries(accepted.map((field) => [field, known[field]]));
}

/** An example of each response in the OpenAPI document, about a few records. The lint validates them against their schemas. */

export const META = {
  requestId: 'req_01a205def12c7ccb817346c0a5846f74',
  timestamp: NOW,
  version: API_VERSION,
} as const;
const enveloped = (data: unknown, message: string): Data => ({ success: true, data, message, meta: META });
const pageOf = (record: Data, limit: number): Data => ({
  results: [record],
  totalResults: 1,
  totalPages: 1,
  page: 1,
  limit,
});
const completenessOf = (type: RecordType): Data => ({
  unknown: {},
  covered: (shipped.covered as Partial<Record<RecordType, string>>)[type] ?? null,
});

const placeOf = ({ type, slug, name }: ReturnType<typeof referenceTo>) => ({ type, slug, name });
const ROUND = placeOf(referenceTo('rounds'));
const INVESTOR = placeOf(referenceTo('investors'));
const limited = (limit: number | null, resets_at: string) => ({
  limit,
  used: 12,
  remaining: limit === null ? null : limit - 12,
  resets_at,
});
const USAGE = {
  plan: 'api_access',
  key: { id: 1, name: 'research-agent', level: 'read', display: 'mk_5iLE…Q0Fy', expires_at: null },
  day: limited(PLANS.api_access.daily, '2026-11-22T00:00:00.000Z'),
  month: limited(PLANS.api_access.monthly, '2026-12-01T00:00:00.000Z'),
};

const up = { status: 'operational', operational: true };
const HEALTH = {
  status: 'operational',
  timestamp: NOW,
  responseTime: 4,
  services: { database: 'operational', api: 'operational' },
  operational: true,
  diagnostics: { apiRoutes: up },
  endpoints: CHECKED_ENDPOINTS.map((name) => ({ name, status: 'operational', responseTime: 1 })),
};

export const UNHEALTHY_EXAMPLE: Data = {
  status: 'error',
  timestamp: NOW,
  responseTime: 3000,
  services: { database: 'error', api: 'operational' },
};

const NETWORK: NetworkId = 'eip155:84532';
const PAYER = '0xcef03b80992582249baca0b9adb34aa22a2bcd80';
const TRANSACTION = '0xd396ece98022019592aa5b21431df9c6bf9ab63b82774a080a51e543d3c299c7';
const PAY_TO = '0x4c1cae138cd6F1fCdA30F2aa59AF48fA577939Fe';
const PAID_ITEM = '/api/v1/x402/search?limit=10&page=1&q=uniswap&type=companies';
const PAID = {
  payer: PAYER,
  transaction: TRANSACTION,
  network: NETWORK,
  price_paid: priceOn(NETWORK),
  price_paid_usd: PRICE_USD,
};

function paidRecord(type: RecordType): Data {
  const { paid } = entityOf(type);
  return paid === null ? {} : showThrough(paid, RECORDS[type]);
}

const provenanceOf = (type: RecordType): Data => {
  const { id, name, slug, as_of } = RECORDS[type];
  const statement = { as_of, seen_at: null, stale: false, redistributable: true };
  const sources = [{ source: type === 'rounds' ? RECORDS.rounds['announcement'] : 'edit', ...statement }];
  const field = { field: 'name', value: name, as_of, stale: false, conflict: false, sources };
  return { type, id, name, slug, as_of, stale: false, fields: [field] };
};

const REASONS: Data = {
  reasons: { tags: ['DEX'], chains: ['Unichain'], investors: [INVESTOR] },
  count: 16,
  latest_round: { ...ROUND, announced_date: '2022-10-13', month_only: [] },
};

function relatedOf({ types, computed }: RelatedList): Data {
  const names = computed === undefined ? [] : REASON_FIELDS[computed];
  const reasons = Object.fromEntries(names.map((name) => [name, REASONS[name]]));
  return { ...pageOf({ ...RECORDS[types[0] ?? 'companies'], ...reasons }, 20), known: true };
}

/** The body of a success, by operation; record bodies derive from the type's example record. */
const ANSWERS: Readonly<Record<Operation, (type: RecordType, endpoint: Endpoint) => Data>> = {
  health: () => HEALTH,
  openapi: () => ({ openapi: '3.1.0' }),
  usage: () => enveloped(USAGE, 'Usage read'),
  vocabulary: () => enveloped(shipped.vocabulary, 'Vocabulary read'),
  search: (type) =>
    enveloped({ ...pageOf(RECORDS[type], 10), totals: { [type]: 1 }, ...completenessOf(type) }, 'Search completed'),
  aggregate: () => enveloped(shipped.aggregate, 'Aggregate completed'),
  connections: () => enveloped(shipped.connections, 'Connections completed'),
  paidSearch: (type) => ({
    data: { companies: [paidRecord(type)], people: [], investors: [] },
    meta: { query: 'uniswap', type, page: 1, limit: 10, total: 1, ...PAID },
  }),
  paidAggregate: () => ({ data: shipped.aggregate, meta: { query: 'group_by=year&measure=sum&of=rounds', ...PAID } }),
  paidConnections: () => ({
    data: shipped.connections,
    meta: { query: 'from=companies/uniswap&to=investors/polychain-capital', ...PAID },
  }),
  purchases: () => ({
    data: [
      {
        id: 1,
        item: PAID_ITEM,
        state: 'settled',
        amount: PAID.price_paid,
        amount_usd: PRICE_USD,
        network: NETWORK,
        pay_to: PAY_TO,
        transaction: TRANSACTION,
        created_at: NOW,
        settled_at: NOW,
        delivered_at: NOW,
      },
    ],
    meta: { payer: PAYER, next: null },
  }),
  list: (type) =>
    enveloped({ ...pageOf(RECORDS[type], 20), ...completenessOf(type), nextCursor: null }, 'List completed'),
  detail: (type) => enveloped(RECORDS[type], 'Record found'),
  related: (_, { related }) => enveloped(related === undefined ? {} : relatedOf(related), 'List completed'),
  sources: (type) => enveloped(provenanceOf(type), 'Sources read'),
  create: (type) => enveloped(RECORDS[type], 'Record created'),
  replace: (type) => enveloped(RECORDS[type], 'Record replaced'),
  merge: (type) => enveloped(RECORDS[type], 'Record changed'),
  delete: (type) =>
    enveloped({ ...RECORDS[type], deleted_at: NOW, purge_at: '2026-12-21T12:00:00.000Z' }, 'Record deleted'),
  restore: (type) => enveloped(RECORDS[type], 'Record restored'),
};

export const responseExample = (endpoint: Endpoint): Data =>
  ANSWERS[endpoint.operation](endpoint.type ?? 'companies', endpoint);

export const errorExample = (code: ErrorCode): Data =>
  JSON.parse(errorJson(exampleError(code) ?? new ServiceError(code, ERRORS[code].about), META)) as Data;

export const PAYMENT_EXAMPLE: Data = {
  x402Version: X402_VERSION,
  error: 'Payment required',
  resource: { url: `https://api.example${PAID_ITEM}`, description: 'One search', mimeType: 'application/json' },
  accepts: [
    {
      scheme: 'exact',
      network: NETWORK,
      amount: PAID.price_paid,
      maxAmountRequired: PAID.price_paid,
      payTo: PAY_TO,
      asset: NETWORKS[NETWORK].token.address,
      maxTimeoutSeconds: PAYMENT_SECONDS_MAX,
      description: 'One search',
      extra: { ...NETWORKS[NETWORK].token.domain },
    },
  ],
};
