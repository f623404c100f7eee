import type * as z from 'zod';
import type { listData, listQuery, relatedQuery, searchData, searchQuery } from '../contract/endpoints.ts';
import type { RecordOf, SearchedType } from '../contract/entities/index.ts';
import { ERRORS, type ErrorCode, type Fault, ServiceError } from '../contract/errors.ts';
import type { Health } from '../contract/health.ts';
import type { UsageData } from '../contract/usage.ts';
import type { Fetch } from './access.ts';

type SearchQuery = z.input<typeof searchQuery>;
export type SearchData = z.output<typeof searchData>;
type ListQuery = z.input<typeof listQuery>;
type RelatedQuery = z.input<typeof relatedQuery>;
type ListData = z.output<typeof listData>;

/** How long an answer may take; a detailed health check is the slowest (specification 4.4, 8.4). */
const TIMEOUT_MS = 30_000;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The REST service as functions. Every method rejects with a ServiceError: the service's own, or `unreachable` when
 * there was no answer.
 */
export interface Client {
  search(query: SearchQuery, options?: CallOptions): Promise<SearchData>;
  list(type: SearchedType, query?: ListQuery, options?: CallOptions): Promise<ListData>;
  get<Type extends SearchedType>(type: Type, idOrSlug: string, options?: CallOptions): Promise<RecordOf<Type>>;
  related(
    type: SearchedType,
    idOrSlug: string,
    list: string,
    query?: RelatedQuery,
    options?: CallOptions,
  ): Promise<ListData>;
  /** What is left of the quota of the key; asking is not counted. */
  usage(options?: CallOptions): Promise<UsageData>;
  /** The health of the service, also when it says that it is not well. */
  health(detailed: boolean, options?: CallOptions): Promise<Health>;
}

/** A client of the service at `baseUrl`, which may have a path; `access` carries the permission. */
export function createClient(baseUrl: string, access: Fetch): Client {
  const request = (path: string, query: object, options?: CallOptions) =>
    ask(access, addressOf(baseUrl, path, query), options);
  const data = async (path: string, query: object, options?: CallOptions) =>
    ((await accepted(await request(path, query, options))) as { data: never }).data;
  const recordPath = (type: SearchedType, idOrSlug: string): string =>
    `/api/v1/${type}/${encodeURIComponent(idOrSlug)}`;
  return {
    search: (query, options) => data('/api/v1/search', query, options),
    list: (type, query = {}, options) => data(`/api/v1/${type}`, query, options),
    get: (type, idOrSlug, options) => data(recordPath(type, idOrSlug), {}, options),
    related: (type, idOrSlug, list, query = {}, options) =>
      data(`${recordPath(type, idOrSlug)}/${list}`, query, options),
    usage: (options) => data('/api/v1/usage', {}, options),
    health: async (detailed, options) => {
      const response = await request('/api/health', detailed ? { detailed } : {}, options);
      if (response.status !== 200 && response.status !== 503) return (await accepted(response)) as never;
      return (await jsonOf(response)) as Health;
    },
  };
}

function addressOf(baseUrl: string, path: string, query: object): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

async function ask(access: Fetch, url: URL, options: CallOptions = {}): Promise<Response> {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
  try {
    // A redirect would carry the permission to an address that nobody chose.
    return await access(url, { signal, redirect: 'error', headers: { Accept: 'application/json' } });
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const message = late.aborted ? 'The service did not answer in time.' : 'The service cannot be reached.';
    throw new ServiceError('unreachable', message, { cause });
  }
}

async function accepted(response: Response): Promise<unknown> {
  const body = await jsonOf(response);
  if (response.ok) return body;
  throw errorOf(response, body as ErrorAnswer);
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new ServiceError(
      'unreachable',
      'What answered at the service address is not the service: it did not speak JSON.',
      { cause },
    );
  }
}

interface ErrorAnswer {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly Fault[];
}

function errorOf(response: Response, body: ErrorAnswer | null): ServiceError {
  const message = typeof body?.error === 'string' ? body.error : `The service answered with status ${response.status}.`;
  const code = isErrorCode(body?.code) ? body.code : codeOf(response.status);
  const retryAfter = response.headers.get('retry-after');
  return new ServiceError(code, message, {
    errors: body?.errors ?? [],
    headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERRORS, code);

/** The code of an answer that names none: the search endpoint's bare errors, or a proxy's. */
function codeOf(status: number): ErrorCode {
  if (status === 401) return 'invalid_key';
  if (status === 500) return 'search_failed';
  const found = (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].status === status);
  return found ?? (status < 500 ? 'malformed_request' : 'unavailable');
}
