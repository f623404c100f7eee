import type * as z from 'zod';
import type { AggregateData, aggregateQuery } from '../contract/aggregate.ts';
import { etagOf } from '../contract/changes.ts';
import type { ConnectionsData, connectionsQuery } from '../contract/connections.ts';
import { CSV_METADATA_HEADER, type CsvMetadata, readCsvMetadata } from '../contract/csv-metadata.ts';
import { NAMED_TYPES, type RecordOf, type RecordType } from '../contract/entities/index.ts';
import { ERRORS, type ErrorCode, type FieldError, invalidAt, ServiceError } from '../contract/errors.ts';
import type { Health } from '../contract/health.ts';
import type { InputFields, RecordInput } from '../contract/input.ts';
import { KEY_LEVELS, type KeyLevel } from '../contract/keys.ts';
import type { Provenance } from '../contract/provenance.ts';
import type { listQuery, relatedQuery, searchQuery } from '../contract/queries.ts';
import type { listData, relatedData, SearchData } from '../contract/record-responses.ts';
import type { UsageData } from '../contract/usage.ts';
import type { Vocabulary } from '../contract/vocabulary-response.ts';
import type { Access, Received } from './access.ts';
import { fetchWithRetry } from './fetch-with-retry.ts';

const PREFER_MINIMAL = 'return=minimal';

export type SearchQuery = z.input<typeof searchQuery>;
type AggregateQuery = z.input<typeof aggregateQuery>;
type ConnectionsQuery = z.input<typeof connectionsQuery>;
type ListQuery = z.input<typeof listQuery>;
type RelatedQuery = z.input<typeof relatedQuery>;
type ListData = z.output<typeof listData>;
type RelatedData = z.output<typeof relatedData>;

interface CsvPage extends CsvMetadata {
  /** CSV with a header line and one line per record. */
  readonly text: string;
  readonly totalResults: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether to pay nothing: a client that pays then finds at most what it has purchased. */
  readonly isFree?: boolean;
}

interface GetOptions extends CallOptions {
  /** Whether an error need not name the nearest records, which costs a search. */
  readonly isMinimal?: boolean;
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly [part: string]: unknown;
}

interface ChangeOptions extends CallOptions {
  /** Expected version of the record (If-Match); `precondition_failed` if the record has another one. */
  readonly version?: number | undefined;
}

/** The REST service as functions. They reject with its ServiceError, or `unreachable` if no response arrived. */
export interface Client {
  search(query: SearchQuery, options?: CallOptions): Promise<SearchData>;
  /** Counts and sums by group. Money is decimal text. */
  aggregate(query: AggregateQuery, options?: CallOptions): Promise<AggregateData>;
  /** Paths between two records, each by `type/slug` or an exact name. */
  connections(query: ConnectionsQuery, options?: CallOptions): Promise<ConnectionsData>;
  /** A search as CSV, one line per record, with the total. */
  searchCsv(query: SearchQuery, options?: CallOptions): Promise<CsvPage>;
  list(type: RecordType, query?: ListQuery, options?: CallOptions): Promise<ListData>;
  get<Type extends RecordType>(type: Type, idOrSlug: string, options?: GetOptions): Promise<RecordOf<Type>>;
  /** Creates a record. Retries are idempotent. */
  create<Type extends RecordType>(type: Type, body: RecordInput, options?: CallOptions): Promise<RecordOf<Type>>;
  /** Replaces all writable fields of a record. */
  replace<Type extends RecordType>(
    type: Type,
    idOrSlug: string,
    body: RecordInput,
    options?: ChangeOptions,
  ): Promise<RecordOf<Type>>;
  /** Changes the given fields; null clears one. */
  merge<Type extends RecordType>(
    type: Type,
    idOrSlug: string,
    body: InputFields,
    options?: ChangeOptions,
  ): Promise<RecordOf<Type>>;
  /** Deletes a record, which can be restored until `purge_at`. */
  delete<Type extends RecordType>(
    type: Type,
    idOrSlug: string,
    options?: ChangeOptions,
  ): Promise<RecordOf<Type> & { readonly deleted_at: string; readonly purge_at: string }>;
  restore<Type extends RecordType>(type: Type, idOrSlug: string, options?: CallOptions): Promise<RecordOf<Type>>;
  related(
    type: RecordType,
    idOrSlug: string,
    list: string,
    query?: RelatedQuery,
    options?: CallOptions,
  ): Promise<RelatedData>;
  /** Sources of each field of a record, with dates. */
  sources(type: RecordType, idOrSlug: string, options?: CallOptions): Promise<Provenance>;
  vocabulary(options?: CallOptions): Promise<Vocabulary>;
  /** Remaining quota of the key. This request is not counted. */
  usage(options?: CallOptions): Promise<UsageData>;
  /** Health of the service; also resolves when it is unhealthy. */
  health(detailed: boolean, options?: CallOptions): Promise<Health>;
  openapi(options?: CallOptions): Promise<OpenApiDocument>;
}

/** A client of the service at `baseUrl`, also below a path. Throws `invalid_parameter` for another text, or without `access`. */
export function createClient(baseUrl: string, access: Access): Client {
  checkBaseUrl(baseUrl);
  if (typeof access !== 'function') throw invalidAt('access', "access must be a function, such as keyAccess('mk_...')");
  const data = async (path: string, query: object, { signal, isMinimal }: GetOptions = {}) => {
    const headers = isMinimal === true && { headers: { Prefer: PREFER_MINIMAL } };
    return dataOf(await fetchWithRetry(access, { url: endpointUrl(baseUrl, path, query), signal, ...headers }));
  };
  const write = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, given: Write = {}) => {
    const { body, version, signal } = given;
    const headers = {
      ...(version === undefined ? {} : { 'If-Match': etagOf(version) }),
      // One key for all attempts of a call, so the service makes the change once.
      ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
    };
    return dataOf(await fetchWithRetry(access, { url: endpointUrl(baseUrl, path, {}), method, headers, body, signal }));
  };
  const search: Client['search'] = async (query, options) => {
    const found = searchDataOf(query, await data('/api/v1/search', query, options));
    if (query.type !== 'all' || found.results.every(isTyped)) return found;
    // Nothing obliges a service to state the types in a search of all of them.
    const limit = query.limit && Math.ceil(query.limit / NAMED_TYPES.length);
    return joined(await Promise.all(NAMED_TYPES.map((type) => search({ ...query, type, limit }, options))));
  };
  const recordPath = (type: RecordType, idOrSlug: string): string => `/api/v1/${type}/${encodeURIComponent(idOrSlug)}`;
  return {
    search,
    aggregate: (query, options) => data('/api/v1/aggregate', query, options).catch(lacking('aggregates')),
    connections: async (query, options) =>
      connectionsDataOf(await data('/api/v1/connections', query, options).catch(lacking('connections'))),
    searchCsv: async (query, options) => {
      const url = endpointUrl(baseUrl, '/api/v1/search', { ...query, format: 'csv' });
      const response = await fetchWithRetry(access, { url, signal: options?.signal });
      if (!response.ok) return (await accepted(response)) as never;
      if (response.headers.get('content-type')?.startsWith('text/csv') !== true)
        throw new ServiceError('not_acceptable', 'This service does not respond in CSV.');
      const about = readCsvMetadata(response.headers.get(CSV_METADATA_HEADER.toLowerCase()));
      return { ...about, text: await response.text(), totalResults: Number(response.headers.get('x-total-count')) };
    },
    list: (type, query = {}, options) => data(`/api/v1/${type}`, query, options),
    get: async (type, idOrSlug, options) => typed(type, await data(recordPath(type, idOrSlug), {}, options)),
    create: (type, body, options) => write('POST', `/api/v1/${type}`, { ...options, body }),
    replace: (type, idOrSlug, body, options) => write('PUT', recordPath(type, idOrSlug), { ...options, body }),
    merge: (type, idOrSlug, body, options) => write('PATCH', recordPath(type, idOrSlug), { ...options, body }),
    delete: (type, idOrSlug, options) => write('DELETE', recordPath(type, idOrSlug), options),
    restore: (type, idOrSlug, options) => write('POST', `${recordPath(type, idOrSlug)}/restore`, options),
    related: (type, idOrSlug, list, query = {}, options) =>
      data(`${recordPath(type, idOrSlug)}/${list}`, query, options),
    sources: (type, idOrSlug, options) => data(`${recordPath(type, idOrSlug)}/sources`, {}, options),
    vocabulary: (options) => data('/api/v1/vocabulary', {}, options),
    usage: (options) => data('/api/v1/usage', {}, options),
    health: async (detailed, options) => {
      const url = endpointUrl(baseUrl, '/api/health', detailed ? { detailed } : {});
      const response = await fetchWithRetry(access, { url, signal: options?.signal, isFinal: true });
      if (response.status !== 200 && response.status !== 503) return (await accepted(response)) as never;
      return (await jsonOf(response)) as Health;
    },
    openapi: async (options) => {
      const url = endpointUrl(baseUrl, '/api/v1/openapi.json', {});
      return (await accepted(await fetchWithRetry(access, { url, signal: options?.signal }))) as OpenApiDocument;
    },
  };
}

/** What a search lacks whose service states only what it must: a paid one, or any of the specification (2.3). */
export const UNSTATED = { totals: {}, unknown: {}, covered: null } as const;

/** Connections with what is always there. */
export function connectionsDataOf(data: ConnectionsData): ConnectionsData {
  const usual = { reason: null, advice: null, complete: true };
  return { ...usual, ...data };
}

/**
 * A page of a search with what is always there: the same object if it lacks nothing, by which what was made of it is found again.
 * Rejects with `unreachable` for a response without results.
 */
function searchDataOf({ type, page = 1, limit }: SearchQuery, data: SearchData): SearchData {
  const stated: Partial<SearchData> | undefined = data;
  if (!Array.isArray(stated?.results))
    throw new ServiceError(
      'unreachable',
      'The service address belongs to another server: its response has no results.',
    );
  const results = type === 'all' ? stated.results : stated.results.map((record) => typed(type, record));
  const usual = { ...UNSTATED, page, limit: limit ?? results.length };
  const isWhole = Object.keys(usual).every((name) => name in data) && stated.results.every(isTyped);
  return isWhole ? data : { ...usual, ...data, results };
}

const isTyped = (record: { readonly type?: RecordType }): boolean => record.type !== undefined;

const typed = <Found extends { readonly type: RecordType }>(type: RecordType, record: Found): Found =>
  isTyped(record) ? record : { ...record, type };

/** Pages of one type each as a page of them all. */
function joined(pages: readonly SearchData[]): SearchData {
  const results = pages.flatMap((page) => page.results);
  return {
    ...UNSTATED,
    results,
    totals: Object.fromEntries(pages.map(({ totalResults }, index) => [NAMED_TYPES[index], totalResults])),
    totalResults: pages.reduce((sum, page) => sum + page.totalResults, 0),
    totalPages: Math.max(...pages.map((page) => page.totalPages)),
    page: pages[0]?.page ?? 1,
    limit: results.length,
  };
}

/** Throws `invalid_parameter` unless the text is an address of the web. */
export function checkBaseUrl(baseUrl: string): void {
  if (URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol)) return;
  throw invalidAt('baseUrl', 'baseUrl must be an http or https address, such as https://bi.example.com');
}

interface Write extends ChangeOptions {
  readonly body?: object;
}

/** Says that a service lacks an operation, as one of the specification alone, instead of that its path is not found. */
const lacking =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    throw new ServiceError('method_not_allowed', `The service at this address has no ${what}.`);
  };

/** The data of a response. Typed `never` to be assignable to the caller's type, which the path determines. */
const dataOf = async (response: Received): Promise<never> => ((await accepted(response)) as { data: never }).data;

export function endpointUrl(baseUrl: string, path: string, query: object): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join('|') : String(value));
  }
  return url;
}

/** The body of a successful response. Rejects with the service's error otherwise. */
export async function accepted(response: Received): Promise<unknown> {
  const body = await jsonOf(response);
  if (response.ok) return body;
  throw errorOf(response, body as ErrorBody);
}

async function jsonOf(response: Received): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('unreachable', 'The service address belongs to another server: its response is not JSON.', {
      cause,
    });
  }
}

interface ErrorBody {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly FieldError[];
  readonly required_level?: KeyLevel;
}

/** Bounds error text from the service, because people and models see it. */
const MESSAGE_LENGTH_MAX = 2_000;
const SECONDS = /^\d{1,9}$/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

const matching = (form: RegExp, text: string | null): string | undefined =>
  text !== null && form.test(text) ? text : undefined;

function errorOf(response: Received, body: ErrorBody | null): ServiceError {
  const message =
    typeof body?.error === 'string'
      ? body.error.slice(0, MESSAGE_LENGTH_MAX)
      : `The service responded with status ${response.status}.`;
  const code = isErrorCode(body?.code) ? body.code : codeOf(response.status);
  const retryAfter = matching(SECONDS, response.headers.get('retry-after'));
  return new ServiceError(code, message, {
    errors: Array.isArray(body?.errors) ? body.errors : [],
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
    requestId: matching(REQUEST_ID, response.headers.get('x-request-id')),
    requiredLevel: KEY_LEVELS.find((level) => level === body?.required_level),
  });
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERRORS, code);

/** The error code of a response without one: a bare error of the search endpoint, or a proxy's response. */
function codeOf(status: number): ErrorCode {
  if (status === 401) return 'invalid_key';
  if (status === 500) return 'search_failed';
  const found = (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].status === status);
  return found ?? (status < 500 ? 'malformed_request' : 'unavailable');
}
