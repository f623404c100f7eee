import type { Log } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { Attributes } from '../tracing.ts';
import { type EndedSpan, exportRequest, rejectedSpans } from './otlp.ts';

const BATCH_MAX = 512;
/** What waits for a receiver at most; the rest is let go, and counted. */
const WAITING_MAX = 4_096;
const EXPORT_EVERY_MS = 5_000;
const RETRY_AFTER_MS_MAX = 60_000;
const LOG_EVERY_MS = 60_000;
/** How long a process that ends may take to send the rest. */
const CLOSE_MS = 2_000;
/** Answers that pass by themselves, by the protocol; so do failures to reach the receiver. */
const RETRYABLE = [429, 502, 503, 504];

export interface ExporterOptions {
  /** Where an OTLP receiver takes traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one export may take. */
  readonly timeoutMs: number;
  /** What is told of this process. */
  readonly resource: Attributes;
  readonly version: string;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, 'spans'> | undefined;
}

/** Sends spans in batches to an OTLP receiver (OTLP/HTTP, JSON). Whatever becomes of them, nobody waits and nothing throws. */
export interface Exporter {
  add(span: EndedSpan): void;
  /** Counts spans that were never made, because their request has too many. */
  drop(count: number): void;
  /** Sends the rest, for two seconds at most. */
  close(): Promise<void>;
}

export function createExporter(options: ExporterOptions): Exporter {
  const { log, metrics } = options;
  const waiting: EndedSpan[] = [];
  const closing = new AbortController();
  let delayMs = EXPORT_EVERY_MS;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function drop(count: number): void {
    dropped += count;
    metrics?.spans('dropped', count);
  }

  function complain(reason: string): void {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ reason, waiting: waiting.length, dropped }, 'traces could not be exported');
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      const sent = await send(batch, options, closing.signal);
      if (sent.failure !== undefined) complain(sent.failure);
      if (sent.retryAfterMs !== undefined) {
        delayMs = Math.min(Math.max(sent.retryAfterMs, EXPORT_EVERY_MS), RETRY_AFTER_MS_MAX);
        return;
      }
      delayMs = EXPORT_EVERY_MS;
      waiting.splice(0, batch.length);
      metrics?.spans('exported', batch.length - sent.rejected);
      if (sent.rejected > 0) drop(sent.rejected);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (waiting.length > 0) schedule();
    });
    return sending;
  }

  function schedule(): void {
    if (isClosed || timer !== undefined || sending !== undefined) return;
    timer = setTimeout(() => void flush(), delayMs);
    timer.unref();
  }

  return {
    drop,
    add: (span) => {
      if (waiting.length >= WAITING_MAX) {
        drop(1);
        return complain('queue_full');
      }
      waiting.push(span);
      // A receiver that was away is asked when its time has come, however many wait.
      if (waiting.length === BATCH_MAX && delayMs === EXPORT_EVERY_MS) void flush();
      else schedule();
    },
    close: async () => {
      isClosed = true;
      const bound = setTimeout(() => closing.abort(), CLOSE_MS);
      await sending;
      await flush();
      clearTimeout(bound);
      if (waiting.length > 0) drop(waiting.length);
    },
  };
}

/** What became of a batch. With `retryAfterMs` it should be sent again, that much later at least. */
interface Sent {
  readonly rejected: number;
  /** A name or a status; never what the receiver said. */
  readonly failure?: string;
  readonly retryAfterMs?: number;
}

async function send(
  batch: readonly EndedSpan[],
  { url, headers, timeoutMs, resource, version }: ExporterOptions,
  closing: AbortSignal,
): Promise<Sent> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: exportRequest(resource, version, batch),
      // The headers are for this receiver alone.
      redirect: 'error',
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    });
    const answer = await response.text();
    if (response.ok) {
      const rejected = Math.min(rejectedSpans(answer), batch.length);
      return rejected > 0 ? { rejected, failure: 'rejected' } : { rejected };
    }
    const failure = `http_${response.status}`;
    if (!RETRYABLE.includes(response.status)) return { rejected: batch.length, failure };
    return { rejected: 0, failure, retryAfterMs: (Number(response.headers.get('retry-after')) || 0) * 1_000 };
  } catch (error) {
    return { rejected: 0, failure: faultOf(error), retryAfterMs: 0 };
  }
}

function faultOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : (name ?? 'failed');
}
