import { endOfMonth, utcDay } from '../../contract/periods.ts';
import { type Connector, type Fetched, type Get, SyncError } from './connector.ts';

/** Validators of a page for conditional requests (RFC 9110, 13). */
export interface Validator {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly bytes: number;
}

export interface GetDeps {
  readonly connector: Connector;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Called when the source has to be asked again, with the reason and the wait before that. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
  /** Base URL of a mirror of all sources: their host is the first path segment. */
  readonly mirror?: string | undefined;
  readonly key?: string | undefined;
  readonly userAgent: string;
  readonly isForced: boolean;
  readonly validators: Readonly<Record<string, Validator>>;
  readonly fresh: Map<string, Validator>;
  readonly counts: { requests: number; not_modified: number; bytes: number };
  /** Requests of this month by earlier runs. */
  readonly usedThisMonth: number;
}

const TRIES_MAX = 6;
/** A machine without a network is not connected again by waiting a minute. */
const TRIES_OFFLINE_MAX = 2;
const OFFLINE = ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN'];
const REDIRECTS_MAX = 5;
const BODY_BYTES_MAX = 256 * 1024 * 1024;
const ANSWER_MS_MAX = 120_000;
const SECOND_MS = 1_000;
const BACK_OFF_FIRST_MS = 2 * SECOND_MS;
const BACK_OFF_MAX_MS = 300 * SECOND_MS;
/** Longest wait that a source can demand; quotas of sources are of a month at most. */
const RETRY_AFTER_MAX_MS = 31 * 24 * 3_600 * SECOND_MS;
/** A body below this share of the last one's size is considered broken. */
const SHRUNK = 0.5;

/** Errors that a retry does not fix, with messages. */
const PLAIN: Readonly<Record<number, string>> = {
  401: 'requires a key: see WEB3_BI_SYNC_KEYS',
  402: 'requires a paid subscription',
  403: 'refuses access; its terms or its key may have changed',
  404: 'is no longer at this address',
  410: 'is no longer at this address',
};

/** Requests of one connector: allowed hosts only, rate limited, conditional, with retries. */
export function createGet(deps: GetDeps): Get {
  let nextAt = 0;
  const { connector, now, pause } = deps;
  const awaitTurn = async (): Promise<void> => {
    const wait = nextAt - now().getTime();
    // A clock set back must not cause hours of waiting.
    const least = SECOND_MS / connector.rate.perSecond;
    if (wait > 0) await pause(Math.min(wait, least));
    nextAt = now().getTime() + least;
  };
  return async (url, how = 'conditional') => {
    for (let tried = 1; ; tried += 1) {
      if (how === 'if known' && deps.validators[url] === undefined) return null;
      await awaitTurn();
      checkQuota(deps);
      const outcome = await requestOnce(deps, url, how).catch((cause: unknown) => {
        if (cause instanceof SyncError) throw cause;
        return cause as Error;
      });
      if (!(outcome instanceof Error) && !(outcome instanceof Wait)) return outcome;
      const backOff = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** (tried - 1));
      const wait = outcome instanceof Wait ? (outcome.milliseconds ?? backOff) : backOff;
      const triesMax = isOffline(outcome) ? TRIES_OFFLINE_MAX : TRIES_MAX;
      if (tried >= triesMax || wait > BACK_OFF_MAX_MS) throw gaveUp(outcome, new Date(now().getTime() + wait));
      deps.onWait?.(outcome instanceof Wait ? `answers ${outcome.status}` : failureOf(outcome), wait);
      await pause(wait);
    }
  };
}

const isOffline = (outcome: Error | Wait): boolean =>
  outcome instanceof Error && OFFLINE.includes((outcome.cause as { code?: string } | undefined)?.code ?? '');

/** Why a response is missing or incomplete; the error of fetch only states that it failed. */
function failureOf(error: Error): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  if (isOffline(error)) return `cannot be reached: no network, or no such host (${cause?.code})`;
  return `cannot be reached or disconnects (${cause?.code ?? cause?.message ?? error.message})`;
}

/** Thrown to wait as the server demands. */
class Wait {
  constructor(
    readonly status: number,
    readonly milliseconds: number | undefined,
  ) {}
}

function gaveUp(outcome: Error | Wait, retryAt: Date): SyncError {
  if (outcome instanceof Wait)
    return new SyncError(`responds with ${outcome.status}: retry after ${retryAt.toISOString()}`, { retryAt });
  return new SyncError(failureOf(outcome), { cause: outcome });
}

function checkQuota({ connector: { rate }, usedThisMonth, counts, now }: GetDeps): void {
  if (rate.perMonth === undefined || usedThisMonth + counts.requests < rate.perMonth) return;
  throw new SyncError(`allows ${rate.perMonth} requests a month, which are used up`, { retryAt: endOfMonth(now()) });
}

async function requestOnce(asking: GetDeps, url: string, how: Parameters<Get>[1]): Promise<Fetched | Wait | null> {
  const known = how === 'always' ? undefined : asking.validators[url];
  const response = await follow(asking, url, {
    'User-Agent': asking.userAgent,
    ...(known?.etag != null && { 'If-None-Match': known.etag }),
    ...(known?.lastModified != null && { 'If-Modified-Since': known.lastModified }),
    ...(asking.key !== undefined && asking.connector.keyHeader && { [asking.connector.keyHeader]: asking.key }),
  });
  const { status, headers } = response;
  if (status === 304) {
    asking.counts.not_modified += 1;
    if (known !== undefined) asking.fresh.set(url, known);
    return null;
  }
  if (status === 429 || status >= 500) {
    await response.body?.cancel();
    return new Wait(status, waitOf(headers.get('retry-after'), asking.now()));
  }
  if (status !== 200) throw new SyncError(`${PLAIN[status] ?? 'cannot be read'} (${status} from ${url})`);
  const body = await bodyOf(response);
  asking.counts.bytes += body.length;
  if (known !== undefined && body.length < known.bytes * SHRUNK && !asking.isForced)
    throw new SyncError(`sent ${body.length} bytes, after ${known.bytes} bytes the last time`, { isGuard: true });
  const lastModified = headers.get('last-modified');
  asking.fresh.set(url, { etag: headers.get('etag'), lastModified, bytes: body.length });
  return { url, body, day: dayOf(lastModified, asking.now()), json: () => jsonOf(body, url) };
}

async function follow(asking: GetDeps, url: string, headers: Record<string, string>): Promise<Response> {
  let at = url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    checkHost(asking.connector, at);
    asking.counts.requests += 1;
    const options = { headers, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS_MAX) } as const;
    const response = await asking.fetch(mirrored(at, asking.mirror), options);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    at = new URL(location, at).href;
  }
  throw new SyncError(`redirects without end (${url})`);
}

/** Connectors request their own hosts over HTTPS only; redirects elsewhere are refused. */
function checkHost({ hosts }: Connector, url: string): void {
  const { protocol, host } = new URL(url);
  if (protocol !== 'https:' || !hosts.includes(host)) throw new SyncError(`leads to ${host}, which is not allowed`);
}

function mirrored(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const { host, pathname, search } = new URL(url);
  return `${mirror}/${host}${pathname}${search}`;
}

function waitOf(retryAfter: string | null, now: Date): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? Date.parse(retryAfter) - now.getTime() : seconds * SECOND_MS;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), RETRY_AFTER_MAX_MS);
}

async function bodyOf(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new SyncError(`sends more than ${BODY_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function jsonOf(body: Buffer, url: string): unknown {
  const text = body.toString('utf8');
  if (/^\s*</.test(text)) throw new SyncError(`responds with HTML instead of data (${url})`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyncError(`responds with invalid JSON (${url})`, { cause });
  }
}

function dayOf(lastModified: string | null, now: Date): string {
  const stated = Date.parse(lastModified ?? '');
  return utcDay(new Date(Number.isNaN(stated) ? now : Math.min(stated, now.getTime())));
}
