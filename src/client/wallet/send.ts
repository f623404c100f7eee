import { setTimeout as wait } from 'node:timers/promises';
import type { Fetch } from '../access.ts';
import { asObject, decodeJson, readSettlement, type Settlement } from './dialect.ts';

/** How long things may take. A host waits a minute for a tool, so all tries together end before that. */
export interface RetryPolicy {
  /** One request with its answer. */
  readonly tryMs: number;
  /** All requests that send one signature in one call. */
  readonly totalMs: number;
  /** The first pause between two of them; each further one is twice as long. */
  readonly pauseMs: number;
}

export const RETRY_POLICY: RetryPolicy = { tryMs: 30_000, totalMs: 45_000, pauseMs: 500 };

/** An authorization this close to its end may be refused on the chain, so it is not sent any more. */
const ENDING_MS = 6_000;
/** A try that has less than this part of its time would only make a clear answer into a lost one. */
const TRY_PART_MIN = 4;
const OFFER_BYTES_MAX = 64 * 1024;
export const ANSWER_BYTES_MAX = 10 * 1024 * 1024;
/** Answers after which the same request may be made again: nothing was decided yet. */
const UNDECIDED = new Set([409, 425, 429, 502, 503, 504]);

/** What came back for a signature, after all tries. */
export type Sent =
  | { readonly kind: 'served'; readonly response: Response; readonly body: string; readonly settlement?: Settlement }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string; readonly settlement?: Settlement }
  | { readonly kind: 'unavailable'; readonly status: number; readonly retryAfterSeconds: number }
  | { readonly kind: 'lost' };

export interface SignedRequest {
  readonly url: string;
  readonly header: string;
  readonly validBefore: Date;
  readonly signal: AbortSignal | undefined;
}

export interface Sender {
  readonly fetch: Fetch;
  readonly clock: () => Date;
  readonly retryPolicy: RetryPolicy;
}

/** The answer to a request without payment. A redirect is handed back as it is: it is for the caller to refuse. */
export async function requestUnpaid({ fetch, retryPolicy }: Sender, url: string, signal: AbortSignal | undefined) {
  const response = await fetch(url, request(signal, retryPolicy.tryMs));
  return { response, body: await readBounded(response, response.ok ? ANSWER_BYTES_MAX : OFFER_BYTES_MAX) };
}

/** Sends one signature until something is decided, its time ends, or the policy does. It never makes another. */
export async function sendPaid(sender: Sender, sending: SignedRequest): Promise<Sent> {
  const { clock, retryPolicy } = sender;
  const startedAt = performance.now();
  for (let pauseMs = retryPolicy.pauseMs; ; pauseMs *= 2) {
    const sent = await sendOnce(sender, sending, retryPolicy.totalMs - (performance.now() - startedAt));
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
    // The person or the host gave up; the signature is kept, and the next call goes on with it.
    if (signal?.aborted === true) throw error;
    return { kind: 'lost' };
  }
}

function verdict(response: Response, body: string): Sent {
  const settlement = readSettlement(response.headers);
  const known = settlement === undefined ? {} : { settlement };
  if (response.ok) return { kind: 'served', response, body, ...known };
  if (UNDECIDED.has(response.status)) {
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    return { kind: 'unavailable', status: response.status, retryAfterSeconds: seconds >= 0 ? seconds : 0 };
  }
  return { kind: 'refused', status: response.status, reason: reasonOf(response, body, settlement), ...known };
}

/** What a server gives as the reason of a refusal. It is only compared with known ones, never shown. */
function reasonOf(response: Response, body: string, settlement: Settlement | undefined): string {
  const stated = [decodeJson(response.headers.get('payment-required')), decodeJson(body)].map(asObject);
  const texts = [settlement?.errorReason, ...stated.map(({ error }) => error)];
  return texts.filter((text) => typeof text === 'string').join(' ');
}

function request(signal: AbortSignal | undefined, ms: number, more: Record<string, string> = {}): RequestInit {
  const late = AbortSignal.timeout(ms);
  return {
    // A redirect would carry the signature to an address that nobody chose.
    redirect: 'manual',
    headers: { Accept: 'application/json', ...more },
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  };
}

/** Reads a body up to a bound: a stranger could send one without end. */
export async function readBounded(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Error('The answer is longer than is accepted');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
