import { AsyncLocalStorage } from 'node:async_hooks';
import { attempt } from '../contract/attempt.ts';
import type { Log } from './logging.ts';
import type { Metrics } from './metrics.ts';
import { newSpanId, newTraceId, type Trace, traceOf } from './middleware/trace.ts';

/** Span attributes: names, numbers and route paths. Never keys, queries, wallet addresses or bodies. */
type Attributes = Readonly<Record<string, string | number>>;

export interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hexadecimal digits; the lowest bit is the sampled flag. */
  readonly flags: string;
}

export interface Span {
  readonly trace: Trace;
  /** Ends the span once. `error` is an error type and marks it as failed. */
  end(details?: {
    readonly name?: string;
    readonly attributes?: Attributes;
    readonly error?: string | undefined;
  }): void;
}

/** Creates spans of requests and their dependencies. Never throws or delays a request. */
export interface Tracing {
  /** Starts the span of a request, continuing the caller's trace, and runs its handler. */
  serve(parent: Parent | undefined, handle: (span: Span) => void): void;
  /** Starts a child span of the current request. Undefined outside a request, after its end, or if the trace is not sampled. */
  begin(name: string, details?: { readonly isCall?: boolean; readonly attributes?: Attributes }): Span | undefined;
  /** Exports pending spans, within a bounded time. */
  close(): Promise<void>;
}

const BATCH_MAX = 512;
/** Bound of the export queue; further spans are dropped and counted. */
const WAITING_MAX = 4_096;
const EXPORT_EVERY_MS = 5_000;
const RETRY_AFTER_MS_MAX = 60_000;
const LOG_EVERY_MS = 60_000;
/** Time to export the rest at shutdown. */
const CLOSE_MS = 2_000;
/** Retryable statuses of OTLP/HTTP; connection errors are retryable too. */
const RETRYABLE = [429, 502, 503, 504];

interface ExporterOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Attributes;
  readonly version: string;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, 'spans'> | undefined;
}

/** Exports spans in batches (OTLP/HTTP, JSON). Never throws or blocks. */
function createExporter(options: ExporterOptions) {
  const { log, metrics } = options;
  const waiting: EndedSpan[] = [];
  const closing = new AbortController();
  let delayMs = EXPORT_EVERY_MS;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  /** Counts spans dropped because their request has too many. */
  function drop(count: number): void {
    dropped += count;
    metrics?.spans('dropped', count);
  }

  function warnOfFailure(reason: string): void {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ reason, waiting: waiting.length, dropped }, 'traces could not be exported');
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      const sent = await send(batch, options, closing.signal);
      if (sent.failure !== undefined) warnOfFailure(sent.failure);
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
    add: (span: EndedSpan): void => {
      if (waiting.length >= WAITING_MAX) {
        drop(1);
        warnOfFailure('queue_full');
        return;
      }
      waiting.push(span);
      // During backoff, a full batch does not trigger an export.
      if (waiting.length === BATCH_MAX && delayMs === EXPORT_EVERY_MS) void flush();
      else schedule();
    },
    close: async (): Promise<void> => {
      isClosed = true;
      const bound = setTimeout(() => closing.abort(), CLOSE_MS);
      await sending;
      await flush();
      clearTimeout(bound);
      if (waiting.length > 0) drop(waiting.length);
    },
  };
}

/** Result of an export. With `retryAfterMs`, it should be retried after at least that delay. */
interface ExportResult {
  readonly rejected: number;
  /** An error name or status; never text of the receiver. */
  readonly failure?: string;
  readonly retryAfterMs?: number;
}

async function send(
  batch: readonly EndedSpan[],
  { url, headers, timeoutMs, resource, version }: ExporterOptions,
  closing: AbortSignal,
): Promise<ExportResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: exportRequest(resource, version, batch),
      // A redirect would send the credentials elsewhere.
      redirect: 'error',
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    });
    const body = await response.text();
    if (response.ok) {
      const rejected = Math.min(rejectedSpans(body), batch.length);
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

const KIND = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** Span flags: sampled, and whether the parent is known to be remote. */
const SAMPLED = 0x1;
const HAS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Whether the parent span belongs to the caller. */
  readonly isParentRemote: boolean;
  readonly name: string;
  readonly kind: (typeof KIND)[keyof typeof KIND];
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly hasFailed: boolean;
}

/**
 * The body of an export in OTLP's JSON encoding, with hexadecimal ids. Implemented here because OpenTelemetry's
 * packages add 368 KB to the bundle, and their instrumentations patch modules that a bundle lacks.
 */
function exportRequest(resource: Attributes, version: string, spans: readonly EndedSpan[]): string {
  const scope = { name: 'web3-bi-mcp', version };
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] },
    ],
  });
}

function encodeSpan({ traceId, spanId, parentSpanId, isParentRemote, name, kind, ...span }: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: SAMPLED | HAS_REMOTE | (isParentRemote ? IS_REMOTE : 0),
    name,
    kind,
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: keyValues(span.attributes),
    status: span.hasFailed ? { code: STATUS_ERROR } : {},
  };
}

/** Exact to the microsecond, the precision of a double. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

function rejectedSpans(body: string): number {
  const answer = attempt(() => JSON.parse(body)) as { partialSuccess?: { rejectedSpans?: unknown } } | null | undefined;
  return Number(answer?.partialSuccess?.rejectedSpans ?? 0) || 0;
}

/** Sampling: the caller's decision if followed, otherwise by ratio. */
interface Sampler {
  readonly followsParent: boolean;
  readonly ratio: number;
}

export interface TracingOptions extends ExporterOptions {
  readonly sampler: Sampler;
}

/** Bounds the child spans of a request. */
const CHILDREN_MAX = 128;

interface RequestInProgress {
  readonly trace: Trace;
  readonly isKept: boolean;
  /** Offset from the monotonic clock to wall-clock time in milliseconds, the same for all spans of a request. */
  readonly offsetMs: number;
  children: number;
  isEnded: boolean;
}

/** Tracing with an OTLP exporter. The current request is found through AsyncLocalStorage. */
export function createTracing({ sampler, ...options }: TracingOptions): Tracing {
  const current = new AsyncLocalStorage<RequestInProgress>();
  const exporter = createExporter(options);

  type Began = Pick<EndedSpan, 'kind' | 'name' | 'parentSpanId' | 'isParentRemote'> &
    Partial<Pick<EndedSpan, 'attributes'>>;

  function spanOf(serving: RequestInProgress, trace: Trace, began: Began): Span {
    const startMs = serving.offsetMs + performance.now();
    let isEnded = false;
    return {
      trace,
      end: ({ name = began.name, attributes, error } = {}) => {
        if (isEnded) return;
        isEnded = true;
        exporter.add({
          ...began,
          name,
          traceId: trace.traceId,
          spanId: trace.spanId,
          startMs,
          endMs: serving.offsetMs + performance.now(),
          attributes: { ...began.attributes, ...attributes, ...(error !== undefined && { 'error.type': error }) },
          hasFailed: error !== undefined,
        });
      },
    };
  }

  return {
    serve: (parent, handle) => {
      const traceId = parent?.traceId ?? newTraceId();
      const isKept = decide(sampler, traceId, parent);
      const trace = traceOf(traceId, flagged(parent, isKept));
      const offsetMs = Date.now() - performance.now();
      const serving: RequestInProgress = { trace, isKept, offsetMs, children: 0, isEnded: false };
      const isParentRemote = parent !== undefined;
      const span = spanOf(serving, trace, {
        kind: KIND.server,
        name: 'HTTP',
        parentSpanId: parent?.spanId,
        isParentRemote,
      });
      const end: Span['end'] = (details) => {
        serving.isEnded = true;
        if (isKept) span.end(details);
      };
      current.run(serving, () => handle({ trace, end }));
    },
    begin: (name, { isCall = false, attributes = {} } = {}) => {
      const serving = current.getStore();
      if (serving === undefined || !serving.isKept || serving.isEnded) return undefined;
      serving.children += 1;
      if (serving.children > CHILDREN_MAX) {
        exporter.drop(1);
        return undefined;
      }
      const { traceId, spanId: parentSpanId, flags } = serving.trace;
      const kind = isCall ? KIND.client : KIND.internal;
      return spanOf(serving, traceOf(traceId, flags, newSpanId()), {
        kind,
        name,
        parentSpanId,
        isParentRemote: false,
        attributes,
      });
    },
    close: exporter.close,
  };
}

/** Random digits of the trace id used for sampling: as many as a double represents exactly. */
const DECIDING_DIGITS = 13;
const DECIDING_MAX = 16 ** DECIDING_DIGITS;

function decide({ followsParent, ratio }: Sampler, traceId: string, parent: Parent | undefined): boolean {
  if (followsParent && parent !== undefined) return (Number.parseInt(parent.flags, 16) & SAMPLED) === SAMPLED;
  return Number.parseInt(traceId.slice(-DECIDING_DIGITS), 16) >= (1 - ratio) * DECIDING_MAX;
}

/** The caller's flags with our sampling decision. */
function flagged(parent: Parent | undefined, isKept: boolean): string {
  const others = Number.parseInt(parent?.flags ?? '0', 16) & ~SAMPLED;
  return (others | Number(isKept)).toString(16).padStart(2, '0');
}
