import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type ErrorCode, TEXT } from '../../contract/errors.ts';
import { type Fetch, readBounded } from '../access.ts';
import { asObject, decodeJson, readSettlement, type Settlement } from './payment-headers.ts';

/** Timeouts in milliseconds. MCP hosts wait 60 s for a tool, so all attempts together must end sooner. */
export const RETRY_POLICY = {
  /** One attempt. */
  tryMs: 30_000,
  /** All attempts to send one signature in one call. */
  totalMs: 45_000,
  /** First delay between attempts; doubles each time. */
  pauseMs: 500,
};
export type RetryPolicy = Readonly<typeof RETRY_POLICY>;

/** An authorization this close to its expiry may fail on the chain, so it is not sent. */
const ENDING_MS = 6_000;
/** An attempt with less than this fraction of its timeout left would turn a clear response into a lost one. */
const TRY_PART_MIN = 4;
const OFFER_BYTES_MAX = 64 * 1024;
export const ANSWER_BYTES_MAX = 10 * 1024 * 1024;
/** Statuses after which the same request may be repeated: nothing was decided. */
const UNKNOWN_OUTCOME_STATUSES = new Set([409, 425, 429, 502, 503, 504]);

/** Result for a signature after all attempts. */
export type Sent =
  | { readonly kind: 'served'; readonly body: string; readonly settlement?: Settlement }
  | (NotSold & { readonly kind: 'refused'; readonly reason: string })
  | (NotSold & { readonly kind: 'unavailable'; readonly retryAfterSeconds: number })
  | { readonly kind: 'lost' };

interface NotSold {
  readonly status: number;
  /** Whether the response, or one of an earlier attempt, leaves open whether money moved. */
  readonly mayBeCharged: boolean;
}

export interface SignedRequest {
  readonly url: string;
  readonly header: string;
  readonly validBefore: Date;
  readonly signal: AbortSignal | undefined;
}

export interface UnpaidRequest extends Pick<SignedRequest, 'url' | 'signal'> {
  readonly headers?: Record<string, string>;
}

export interface Sender {
  readonly fetch: Fetch;
  readonly clock: () => Date;
  readonly retryPolicy: RetryPolicy;
}

/** The response to a request without payment. Redirects are returned, for the caller to refuse. */
export async function requestUnpaid({ fetch, retryPolicy }: Sender, { url, signal, headers }: UnpaidRequest) {
  const response = await fetch(url, request(signal, retryPolicy.tryMs, headers));
  return { response, body: await readBounded(response, response.ok ? ANSWER_BYTES_MAX : OFFER_BYTES_MAX) };
}

/** Sends one signature until it is decided, expires, or the retry policy ends. Never signs again. */
export async function sendPaid(sender: Sender, sending: SignedRequest): Promise<Sent> {
  const { clock, retryPolicy } = sender;
  const startedAt = performance.now();
  let mayBeCharged = false;
  for (let pauseMs = retryPolicy.pauseMs; ; pauseMs *= 2) {
    const once = await sendOnce(sender, sending, retryPolicy.totalMs - (performance.now() - startedAt));
    const sent: Sent = 'mayBeCharged' in once && mayBeCharged ? { ...once, mayBeCharged } : once;
    mayBeCharged = sent.kind === 'lost' || (sent.kind === 'unavailable' && sent.mayBeCharged);
    if (sent.kind !== 'lost' && sent.kind !== 'unavailable') return sent;
    const askedMs = sent.kind === 'unavailable' ? sent.retryAfterSeconds * 1_000 : 0;
    const delay = Math.max(pauseMs, askedMs);
    const isTooLate = clock().getTime() + delay > sending.validBefore.getTime() - ENDING_MS;
    const leftMs = retryPolicy.totalMs - (performance.now() - startedAt) - delay;
    if (isTooLate || leftMs < retryPolicy.tryMs / TRY_PART_MIN) return sent;
    await wait(delay, undefined, { signal: sending.signal });
  }
}

async function sendOnce(sender: Sender, { url, header, signal }: SignedRequest, leftMs: number): Promise<Sent> {
  const tryMs = Math.max(1, Math.min(sender.retryPolicy.tryMs, leftMs));
  try {
    const response = await sender.fetch(url, request(signal, tryMs, { 'PAYMENT-SIGNATURE': header }));
    const body = await readBounded(response, ANSWER_BYTES_MAX);
    return verdict(response, body);
  } catch (error) {
    // Cancelled by the caller; the signature is stored, and the next call resumes with it.
    if (signal?.aborted === true) throw error;
    return { kind: 'lost' };
  }
}

/** A success with neither a receipt nor JSON is of something before the service, such as the page of a proxy. */
function verdict(response: Response, body: string): Sent {
  const settlement = readSettlement(response.headers);
  if (response.ok && settlement === undefined && decodeJson(body) === undefined) return { kind: 'lost' };
  if (response.ok) return { kind: 'served', body, ...(settlement && { settlement }) };
  const { status } = response;
  const reportsCharge = settlement?.success === true || settlement?.transaction != null;
  const mayBeCharged = reportsCharge || !(DENYING.includes(status) || deniesCharge(asObject(decodeJson(body))));
  if (UNKNOWN_OUTCOME_STATUSES.has(status)) {
    const [seconds = 0] = /^\d{1,9}$/.exec(response.headers.get('retry-after') ?? '') ?? [];
    return { kind: 'unavailable', status, mayBeCharged, retryAfterSeconds: Number(seconds) };
  }
  return { kind: 'refused', status, mayBeCharged, reason: reasonOf(response, body, settlement) };
}

/** Answers to a payment that was not taken. Others may follow one, as of a server that settles before it works. */
const DENYING: readonly number[] = [402, 429];

/** Whether the service names a failure other than an open outcome: those charge nothing. */
const deniesCharge = ({ code, error }: Readonly<Record<string, unknown>>): boolean =>
  error === TEXT.searchFailed ||
  (typeof code === 'string' && Object.hasOwn(ERRORS, code) && code !== ('payment_pending' satisfies ErrorCode));

/** The refusal reason that a server states. It is compared with known ones and never shown. */
function reasonOf(response: Response, body: string, settlement: Settlement | undefined): string {
  const stated = [decodeJson(response.headers.get('payment-required')), decodeJson(body)].map(asObject);
  const texts = [settlement?.errorReason, ...stated.map(({ error }) => error)];
  return texts.filter((text) => typeof text === 'string').join(' ');
}

function request(signal: AbortSignal | undefined, ms: number, more: Record<string, string> = {}): RequestInit {
  const late = AbortSignal.timeout(ms);
  return {
    // A redirect would send the signature to another address.
    redirect: 'manual',
    headers: { Accept: 'application/json', ...more },
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  };
}
