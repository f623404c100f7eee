import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../contract/errors.ts';
import type { Access, Received } from './access.ts';

/** Request timeout. Detailed health checks are the slowest. */
const TIMEOUT_MS = 30_000;
const TRIES_MAX = 3;
/** A longer Retry-After is returned to the caller. */
const WAIT_MS_MAX = 2_000;
const WAIT_MS_DEFAULT = 250;

interface ClientRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether any status is a result: a health check may respond 503. */
  readonly isFinal?: boolean;
}

/** Retries where that is safe: after 429 and 503, by which nothing was done, and if idempotent after a lost connection. Rejects with `unreachable`. */
export async function fetchWithRetry(access: Access, sending: ClientRequest): Promise<Received> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === TRIES_MAX;
    try {
      const response = await send(access, sending);
      const delay = sending.isFinal === true ? undefined : delayOf(response);
      if (isLast || delay === undefined) return response;
      await wait(delay, undefined, { signal: sending.signal });
    } catch (error) {
      if (isLast || !isConnectionLost(error) || !isRepeatable(sending)) throw error;
      await wait(WAIT_MS_DEFAULT * tries, undefined, { signal: sending.signal });
    }
  }
}

/** Milliseconds to wait before the retry; undefined if the response is final. */
function delayOf(response: Received): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (Number.isNaN(seconds)) return WAIT_MS_DEFAULT;
  return seconds * 1_000 <= WAIT_MS_MAX ? seconds * 1_000 : undefined;
}

/** Errors of the connection. Redirects and time-outs are not retried, because they would recur. */
const CONNECTION_LOST_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET']);

function isConnectionLost(error: unknown): boolean {
  const { cause } = (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : {};
  return CONNECTION_LOST_CODES.has(String((cause as { code?: unknown } | undefined)?.code));
}

/** Whether a request is idempotent. POST is with its key; a repeated DELETE would report not_found. */
function isRepeatable({ method = 'GET', headers = {}, signal }: ClientRequest): boolean {
  if (signal?.aborted === true) return false;
  return method === 'GET' || method === 'PUT' || headers['Idempotency-Key'] !== undefined;
}

/** Sends a request and reads its whole response, within the time-out. */
async function send(access: Access, { url, method = 'GET', headers, body, signal }: ClientRequest): Promise<Received> {
  const deadline = createDeadline(signal);
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    const response = await access(url, {
      method,
      signal: deadline.signal,
      // A redirect would send the credential to another address.
      redirect: 'error',
      headers: { Accept: 'application/json', ...typed, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.body === null ? response : await withBody(response);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const message = deadline.isOver() ? 'The service did not respond in time.' : 'The service cannot be reached.';
    throw new ServiceError('unreachable', message, { cause });
  } finally {
    deadline.release();
  }
}

async function withBody(response: Received): Promise<Received> {
  const { status, ok, headers } = response;
  const text = await response.text();
  return { status, ok, headers, body: null, text: async () => text, json: async () => JSON.parse(text) as unknown };
}

/** A signal that aborts with `signal` or after the time-out. AbortSignal.any costs several times as much, in finalizers. */
function createDeadline(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let isOver = false;
  const abort = (): void => controller.abort(signal?.reason);
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  const timer = setTimeout(() => {
    isOver = true;
    release();
    controller.abort(new DOMException('The request timed out.', 'TimeoutError'));
  }, TIMEOUT_MS).unref();
  if (signal?.aborted === true) abort();
  else if (signal !== undefined) {
    // Any number of requests may share a signal.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
  }
  return { signal: controller.signal, isOver: () => isOver, release };
}
