import type { Attributes } from '../tracing.ts';

/** Numbers of the protocol. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** `flags` of a span: sampled, and whether what it belongs to is known to be of another process. */
const SAMPLED = 0x1;
const HAS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** A span that has ended. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Whether its parent is a span of the caller. */
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
 * The body of an export request, in the JSON encoding of OTLP: ids are hexadecimal, enums and times as the protocol has them. Written
 * here because OpenTelemetry's packages are 368 KB in the bundle, and their instrumentations patch modules that a bundle does not have.
 */
export function exportRequest(resource: Attributes, version: string, spans: readonly EndedSpan[]): string {
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

/** Exact to the microsecond, which is what a number can hold. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** How many spans a receiver has refused of an export that it answered well. */
export function rejectedSpans(answer: string): number {
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedSpans?: unknown } };
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
