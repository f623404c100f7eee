import type { Attributes } from '../tracing.ts';

/** Enumerations of the protocol. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** Span flags: sampled, and whether the parent is known to be remote. */
const SAMPLED = 0x1;
const HAS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** A finished span. */
export interface EndedSpan {
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

/** Exact to the microsecond, the precision of a double. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** Rejected spans of a partially successful export. */
export function rejectedSpans(answer: string): number {
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedSpans?: unknown } };
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
