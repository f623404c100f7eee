import * as z from 'zod';
import { aggregateData } from '../contract/aggregate.ts';
import { attempt } from '../contract/attempt.ts';
import { connectionsData } from '../contract/connections.ts';
import { entityOf, type RecordOf, type RecordType } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import { parseJson } from '../contract/json.ts';
import { isNamed } from '../contract/named-records.ts';
import type { SearchData } from '../contract/record-responses.ts';
import type { Receipt } from '../contract/spending.ts';
import { SOLD_TYPES } from '../contract/x402.ts';
import type { Access, Fetch } from './access.ts';
import {
  accepted,
  type CallOptions,
  type Client,
  connectionsDataOf,
  createClient,
  endpointUrl,
  type SearchQuery,
  UNSTATED,
} from './client.ts';
import { chargedAtMost, notSold, PaymentError } from './wallet/errors.ts';
import type { PaidResponse } from './wallet/purchase.ts';
import { receiptOf, type SpendingScope } from './wallet/spending-scope.ts';
import type { Wallet, WalletQuote } from './wallet/wallet.ts';

/** Results requested when looking up a record, so that a look-up and a search for its name share one purchase. */
const LOOKUP_LIMIT = 20;

const soldRecord = z.looseObject({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  aliases: z.array(z.string()).nullish(),
});

/** The data of other paid responses. Money is a number at an MCP endpoint. */
const PAID_DATA = {
  aggregate: aggregateData.extend({ rows: z.array(z.array(z.unknown())) }),
  connections: connectionsData.partial({ reason: true, advice: true, complete: true }),
} as const;

/** The parts used here of a paid response. */
const paidBody = z.object({
  data: z.object(Object.fromEntries(SOLD_TYPES.map((type) => [type, z.array(soldRecord).default([])]))),
  meta: z.looseObject({ total: z.int().min(0).optional() }),
});

type SoldRecord = z.output<typeof soldRecord> & { readonly type: RecordType };

interface PurchasedRecord {
  readonly record: SoldRecord;
  readonly receipt: Receipt;
}

/** Pays for responses: a wallet, or a host that supplies payments. */
export type Payer = Pick<Wallet, 'fetch' | 'cachedResponses'>;

/** The part of the client that x402 sells. Each function returns it bound to the spending scope of a call. */
export interface PayingClient {
  withBudget(scope: SpendingScope): Client;
  /** Like `withBudget`, but reuses purchased results that contain the name instead of buying again. */
  withPurchasedFirst(scope: SpendingScope): Client;
  /** Free operations: the health check, and records already purchased. */
  readonly free: Client;
  /** Records purchased within the last hour, newest first. */
  purchasedRecords(): Promise<readonly PurchasedRecord[]>;
}

export interface PaidClient extends PayingClient {
  /** Current price of a search, without paying. */
  quote(query: SearchQuery, options?: CallOptions): Promise<WalletQuote>;
  readonly wallet: Wallet;
}

export function createPaidClient(baseUrl: string, wallet: Wallet, fetch: Fetch = globalThis.fetch): PaidClient {
  return {
    ...createPayingClient(baseUrl, wallet, fetch),
    wallet,
    quote: (query, options) => {
      checkSold(query);
      return wallet.quote(searchUrl(baseUrl, query), options?.signal);
    },
  };
}

/** A client of what the service at `baseUrl` sells. `access` is used for free operations. */
export function createPayingClient(baseUrl: string, payer: Payer, access: Access): PayingClient {
  const open = createClient(baseUrl, access);
  const purchasedRecords = async (): Promise<readonly PurchasedRecord[]> => {
    const responses = await payer.cachedResponses();
    return responses.flatMap(({ payment, body }) => {
      const receipt = receiptOf(payment, 'cached');
      return recordsOf(readJson(body)).map((record) => ({ record, receipt }));
    });
  };
  const pay = (query: SearchQuery, scope: SpendingScope, options?: CallOptions): Promise<PaidResponse> =>
    payer.fetch(searchUrl(baseUrl, query), { scope, ...(options?.signal && { signal: options.signal }) });
  /** A paid response with the data of a keyed one. */
  const payFor = async (name: keyof typeof PAID_DATA, query: object, scope: SpendingScope, options?: CallOptions) => {
    const url = endpointUrl(baseUrl, `/api/v1/x402/${name}`, query);
    const response = await payer.fetch(url, { scope, ...(options?.signal && { signal: options.signal }) });
    return paidDataOf(response, PAID_DATA[name]);
  };
  const paidAnalytics = (scope: SpendingScope): Pick<Client, 'aggregate' | 'connections'> => ({
    aggregate: (query, options) => payFor('aggregate', query, scope, options),
    connections: async (query, options) => connectionsDataOf(await payFor('connections', query, scope, options)),
  });
  const search =
    (scope: SpendingScope): Client['search'] =>
    async (query, options) => {
      checkSold(query);
      return options?.isFree === true ? onePage([]) : pageOf(query, await pay(query, scope, options));
    };
  return {
    purchasedRecords,
    withPurchasedFirst: (scope) => {
      const searchPurchasedFirst = createSearchPurchasedFirst(search(scope), purchasedRecords, scope);
      return {
        ...keyOnlyClient(open),
        search: searchPurchasedFirst,
        get: createGet(searchPurchasedFirst, purchasedRecords, scope),
      };
    },
    withBudget: (scope) => ({
      ...keyOnlyClient(open),
      ...paidAnalytics(scope),
      search: search(scope),
      get: createGet(search(scope), purchasedRecords, scope),
    }),
    free: { ...keyOnlyClient(open), get: createGet(undefined, purchasedRecords) },
  };
}

const searchUrl = (baseUrl: string, { query, type, limit = 10, page = 1 }: SearchQuery): URL =>
  endpointUrl(baseUrl, '/api/v1/x402/search', { q: (query ?? '').trim(), type, limit, page });

/** Whether x402 sells records of a type. */
const isSold = (type: string): boolean => (SOLD_TYPES as readonly string[]).includes(type);

const KEY_ADVICE = 'Retrying will not help: ask the person for an API key (WEB3_BI_API_KEY), which has it.';

const forKeys = (what: string): PaymentError => notSold(what, KEY_ADVICE);

/** Throws `not_sold` for a search that requires a key, before anything is paid. */
function checkSold({ query: _query, type, limit: _limit, page: _page, fields: _fields, ...more }: SearchQuery): void {
  if (type !== 'all' && !isSold(type)) throw forKeys(type);
  const unsupported = Object.entries(more).find(([, value]) => value !== undefined)?.[0];
  if (unsupported !== undefined) throw forKeys(`searches with ${unsupported}`);
}

/** Operations that require a key. They reject with `not_sold` without a request. */
function keyOnlyClient(open: Client): Client {
  const refuse = (what: string) => async (): Promise<never> => {
    throw forKeys(what);
  };
  return {
    search: refuse('searches by this tool'),
    aggregate: refuse('aggregates by this tool'),
    connections: refuse('connections by this tool'),
    searchCsv: refuse('CSV'),
    get: refuse('single records'),
    list: refuse('lists'),
    related: refuse('related lists'),
    sources: refuse('sources of records'),
    create: refuse('changes'),
    replace: refuse('changes'),
    merge: refuse('changes'),
    delete: refuse('changes'),
    restore: refuse('changes'),
    vocabulary: refuse('the vocabulary'),
    usage: refuse('quotas'),
    health: open.health,
    openapi: open.openapi,
  };
}

/** Finds a record among the purchased ones, or by a paid search for its slug. */
function createGet(
  search: Client['search'] | undefined,
  bought: () => Promise<readonly PurchasedRecord[]>,
  scope?: SpendingScope,
): Client['get'] {
  return async <Type extends RecordType>(type: Type, idOrSlug: string, options?: CallOptions) => {
    // Records of the paid view lack fields of the type; consumers accept missing fields.
    const found = (record: SoldRecord): RecordOf<Type> => record as unknown as RecordOf<Type>;
    const isRequested = (record: SoldRecord): boolean =>
      record.type === type && (record.slug === idOrSlug || String(record.id) === idOrSlug);
    const known = (await bought()).find(({ record }) => isRequested(record));
    if (known !== undefined) {
      scope?.receipts.push(known.receipt);
      return found(known.record);
    }
    if (/^\d+$/.test(idOrSlug)) throw forKeys('records by number; search for the name instead');
    if (search === undefined) throw forKeys('single records');
    const { results } = await search({ type: type as RecordType, query: idOrSlug, limit: LOOKUP_LIMIT }, options);
    const record = (results as unknown as SoldRecord[]).find(isRequested);
    if (record === undefined) throw new ServiceError('not_found', `No ${entityOf(type).noun} has this slug`);
    return found(record);
  };
}

/** A search for a name that returns a purchased record of that name if there is one. */
function createSearchPurchasedFirst(
  search: Client['search'],
  bought: () => Promise<readonly PurchasedRecord[]>,
  scope: SpendingScope,
): Client['search'] {
  return async (query, options) => {
    const { query: text = '', type } = query;
    // Of all types, only a search can tell that no other record has the name.
    const isOfType = (record: SoldRecord): boolean =>
      record.type === type || (type === 'all' && options?.isFree === true);
    const known = (await bought()).filter(
      ({ record }) => isOfType(record) && isNamed(record, text, ['slug', 'name', 'domain']),
    );
    const [first] = known;
    if (first === undefined) return search(query, options);
    scope.receipts.push(first.receipt);
    return onePage([...new Map(known.map(({ record }) => [`${record.type}/${record.id}`, record])).values()]);
  };
}

function onePage(records: readonly SoldRecord[]): SearchData {
  const { length } = records;
  // Records of the paid view lack fields of the result type; consumers accept missing fields.
  const results = records as unknown as SearchData['results'];
  return { ...UNSTATED, results, totalResults: length, totalPages: Math.min(length, 1), page: 1, limit: LOOKUP_LIMIT };
}

/** The data of a paid response. Rejects with `paid_not_served` if it cannot be parsed. */
async function paidDataOf(response: PaidResponse, form: z.ZodType): Promise<never> {
  const body = response.receipt === undefined ? await accepted(response) : readJson(await response.text());
  const { data } = (body ?? {}) as { readonly data?: unknown };
  // An error of whoever shows it would say that nothing was charged.
  if (!form.safeParse(data).success) throw unreadable(response.receipt);
  return data as never;
}

const readJson = (body: string): unknown => attempt(() => parseJson(body));

/** The records of a response with type and keyed field names; types are interleaved, as each list has its own order. */
function recordsOf(body: unknown): SoldRecord[] {
  const { success, data: paid } = paidBody.safeParse(body);
  if (!success) return [];
  const lists = SOLD_TYPES.map((type) => (paid.data[type] ?? []).map((record) => toKeyedRecord(type, record)));
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

function toKeyedRecord(type: RecordType, record: z.output<typeof soldRecord>): SoldRecord {
  const { renamed = {} } = entityOf(type).paid ?? {};
  const fields = Object.entries(record).map(([field, value]) => [renamed[field] ?? field, value] as const);
  return { type, ...Object.fromEntries(fields) } as SoldRecord;
}

async function pageOf(query: SearchQuery, response: PaidResponse): Promise<SearchData> {
  const { limit = 10, page = 1 } = query;
  const body = response.receipt === undefined ? await accepted(response) : readJson(await response.text());
  const { success, data: paid } = paidBody.safeParse(body);
  if (!success) throw unreadable(response.receipt);
  const results = recordsOf(body);
  const totalResults = paid.meta.total ?? results.length;
  const totalPages = Math.ceil(totalResults / limit);
  // Records of the paid view lack fields of the result type; consumers accept missing fields.
  const found = results as unknown as SearchData['results'];
  return { ...UNSTATED, results: found, totalResults, totalPages, page, limit };
}

function unreadable(receipt: Receipt | undefined): ServiceError {
  const message = 'The response does not match the paid request.';
  if (receipt === undefined) return new ServiceError('unreachable', message);
  const { amountUsd, transaction } = receipt;
  return new PaymentError('paid_not_served', message, {
    money:
      transaction === null
        ? chargedAtMost(amountUsd)
        : `${amountUsd} USD were charged once with transaction ${transaction}.`,
    advice: 'An identical call within an hour is free and returns the same. Tell the person.',
    receipt,
  });
}
