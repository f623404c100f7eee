import type { ErrorRequestHandler, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../contract/errors.ts';
import { LOCAL_KEY_ID } from '../contract/keys.ts';
import { periodOf } from '../contract/periods.ts';
import { PAYMENT_HEADERS } from '../contract/x402.ts';
import { cached } from '../store/cached.ts';
import type { KeyRecord, Usage, UsageReading } from '../store/port/access.ts';
import type { ServiceDeps } from './deps.ts';
import type { EndpointChain } from './endpoint-chains.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { joinRequestGroup, passing, type RequestGroup } from './middleware/request-group.ts';
import type { Trace } from './middleware/trace.ts';

interface LocalCaller {
  readonly requestGroup: RequestGroup;
  readonly requestId: string;
  readonly address?: string | undefined;
  readonly trace?: Trace | undefined;
  /** The HTTP response that will carry the result; paid results count as delivered when it was fully sent. */
  readonly carrier?: Response | undefined;
}

/** The subset of fetch's `Response` that clients read. */
interface FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: null;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

interface LocalInit {
  readonly signal?: AbortSignal | undefined;
  /** Payment of the request, as in PAYMENT-SIGNATURE. */
  readonly payment?: string | undefined;
  /** Whether the carrier contains the result, evaluated when it was sent; true by default. */
  readonly isDelivered?: (() => boolean) | undefined;
}

/** A `fetch` of the service's API that ignores the host of the URL. */
export type LocalFetch = (url: URL, init?: LocalInit) => Promise<FetchResponse>;

/** In-process access to the service: the middleware and handlers of each endpoint without HTTP. */
export type LocalAccess = (caller: LocalCaller) => LocalFetch;

/** Creates in-process access. A caller that holds it can join a request group and thereby supply an authenticated key. */
export function createLocalAccess(chains: readonly EndpointChain[], deps: ServiceDeps): LocalAccess {
  const routes = chains
    .filter(({ endpoint }) => endpoint.method === 'GET')
    .map((chain) => ({ ...chain, pattern: patternOf(chain.endpoint.path) }));
  const onError = errorHandler(deps);
  const parse = createParser();
  return (caller) =>
    async (url, init = {}) => {
      const { signal } = init;
      signal?.throwIfAborted();
      const local = createResponse(caller, init, parse);
      const request = requestOf(url, caller, init);
      joinRequestGroup(request, caller.requestGroup);
      const routed = run(routes, { request, local, onError });
      await (signal === undefined ? routed : orAborted(routed, { signal, local }));
      const status = local.response.statusCode;
      const code = local.response.locals['errorCode'] as string | undefined;
      if (status === 429 || status >= 500) caller.requestGroup.refused = { status, code };
      return local;
    };
}

type Route = EndpointChain & { readonly pattern: RegExp };

async function run(
  routes: readonly Route[],
  { request, local, onError }: { request: Request; local: LocalResponse; onError: ErrorRequestHandler },
): Promise<void> {
  const { response } = local;
  try {
    const { params, guards, route } = find(routes, request.path);
    request.params = params;
    for (const guard of guards) await passing(guard, request, response);
    await route(request, response, failing);
  } catch (thrown) {
    await onError(thrown, request, response, failing);
  }
}

/** Every route responds, so this is unreachable. */
function failing(error?: unknown): never {
  throw error ?? new Error('an endpoint did not answer');
}

function find(routes: readonly Route[], path: string) {
  for (const chain of routes) {
    const match = chain.pattern.exec(path);
    if (match === null) continue;
    const named = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
    return { ...chain, params: Object.fromEntries(named) as Record<string, string> };
  }
  throw new ServiceError('not_found', 'There is nothing at this path.');
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** The subset of a request that the chains read. */
function requestOf({ pathname, search }: URL, { address }: LocalCaller, { payment }: LocalInit): Request {
  const headers: Record<string, string | undefined> = { [PAYMENT_HEADERS.signature]: payment };
  const read = { method: 'GET', url: pathname + search, path: pathname, ip: address, headers, socket: {} };
  return Object.assign(read, { get: (name: string) => headers[name] }) as unknown as Request;
}

type LocalResponse = FetchResponse & { readonly response: Response; abort(): void };

/** The subset of a response that the chains write, and the result it becomes. */
function createResponse(
  { requestId, trace, carrier }: LocalCaller,
  { isDelivered = () => true }: LocalInit,
  parse: (text: string) => unknown,
): LocalResponse {
  const headers = new Map<string, string>([['x-request-id', requestId]]);
  let text = '';
  let isAborted = false;
  const set = (given: string | Record<string, string> = {}, value?: unknown) => {
    if (typeof given === 'string') headers.set(given.toLowerCase(), String(value));
    else for (const [name, each] of Object.entries(given)) set(name, each);
    return response;
  };
  const written = {
    locals: { requestId, trace } as Record<string, unknown>,
    statusCode: 200,
    headersSent: false,
    get closed() {
      return isAborted || carrier?.closed === true;
    },
    get writableFinished() {
      return carrier?.writableFinished === true && isDelivered();
    },
    once: (event: string, listener: () => void) => carrier?.once(event, listener),
    set,
    setHeader: set,
    append: set,
    vary: () => response,
    type: () => response,
    status: (code: number) => Object.assign(response, { statusCode: code }),
    end: (body = '') => {
      text = body;
      return Object.assign(response, { headersSent: true });
    },
  };
  const response = written as unknown as Response;
  return {
    response,
    abort: () => {
      isAborted = true;
    },
    get status() {
      return written.statusCode;
    },
    get ok() {
      return written.statusCode < 300;
    },
    headers: { get: (name) => headers.get(name) ?? null },
    body: null,
    json: async () => parse(text),
    text: async () => text,
  };
}

const PARSED_MAX = 64;
const PARSED_CHARACTERS_MAX = 64_000;
const ENVELOPE_START = '{"success":true,"data":';

/** Parses bodies without `meta`. Equal recent bodies give the same frozen value, so what was made of it is reusable. */
function createParser(): (text: string) => unknown {
  const parsed = new LRUCache<string, object>({ max: PARSED_MAX });
  return (text) => {
    // In an envelope (`bodyOf`), this is the last property; quotes inside strings are escaped.
    const end = text.startsWith(ENVELOPE_START) ? text.lastIndexOf(',"meta":') : -1;
    if (end === -1 || end > PARSED_CHARACTERS_MAX) return JSON.parse(text);
    return cached(parsed, text.slice(0, end), (body) => frozen(JSON.parse(`${body}}`) as object));
  };
}

function frozen<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

interface Abortable {
  readonly signal: AbortSignal;
  readonly local: LocalResponse;
}

/** Rejects on abort, which handlers observe as a closed connection. */
function orAborted(routed: Promise<void>, { signal, local }: Abortable): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      local.abort();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    routed.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Credential of the local operator: reads without limits. Without row and secret, it never works over a network. */
export const LOCAL_KEY: KeyRecord = {
  id: LOCAL_KEY_ID,
  account: 'embedded',
  plan: 'enterprise',
  limits: { daily: null, monthly: null },
  name: 'embedded',
  level: 'read',
  display: '',
  created_at: new Date(0).toISOString(),
  created_by: null,
  expires_at: null,
  revoked_at: null,
  allowed_cidrs: [],
  last_used_at: null,
  last_used_ip: null,
  rotated_from: null,
  replaced_at: null,
  overlap_ends_at: null,
  client_id: null,
};

/** Counts the requests of this process for information only; nothing is stored. */
export function createLocalUsage(clock: () => Date): Usage {
  const counts = new Map<string, number>();
  const read = (): UsageReading => {
    const at = clock();
    const [today = 0, thisMonth = 0] = Object.values(periodOf(at)).map((period) => counts.get(period));
    return { at, today, thisMonth };
  };
  const add = (at: Date, amount: number): UsageReading => {
    for (const period of Object.values(periodOf(at))) counts.set(period, (counts.get(period) ?? 0) + amount);
    return read();
  };
  return {
    take: async () => ({ ...add(clock(), 1), isAdmitted: true }),
    giveBack: async (_key, countedAt) => add(countedAt, -1),
    read: async () => read(),
    readAll: async (keys) => keys.map(() => ({ ...read(), last_used_at: null, last_used_ip: null })),
  };
}
