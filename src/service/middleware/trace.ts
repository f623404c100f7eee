import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { ServiceDeps } from '../deps.ts';
import type { Parent } from '../tracing.ts';

/** What a request belongs to in tracing (W3C Trace Context): a trace, which may be somebody else's, and a span of ours. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hexadecimal digits. */
  readonly flags: string;
  /** The header for what the service asks of others meanwhile. */
  readonly traceparent: string;
}

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Of random UUIDs, which Node makes many at a time: bytes of its own for each id cost a request more than its spans. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');
/** The digits at both ends are random; version and variant stand between them. */
export const newSpanId = (): string => {
  const random = randomUUID();
  return random.slice(0, 8) + random.slice(-8);
};

export const traceOf = (traceId: string, flags: string, spanId = newSpanId()): Trace => ({
  traceId,
  spanId,
  flags,
  traceparent: `00-${traceId}-${spanId}-${flags}`,
});

/**
 * Takes over the trace that a request comes with, and where spans are made, begins the one of the request. Without them, a
 * request that comes with no trace, or with one that is not well-formed, has none.
 */
export function takeTrace({ tracing }: Pick<ServiceDeps, 'tracing'>): RequestHandler {
  return (request, response, next) => {
    const parent = parentOf(request.get('traceparent'));
    if (tracing !== undefined) {
      return tracing.serve(parent, (span) => {
        Object.assign(response.locals, { span, trace: span.trace });
        next();
      });
    }
    if (parent !== undefined) response.locals['trace'] = traceOf(parent.traceId, parent.flags);
    next();
  };
}

function parentOf(traceparent = ''): Parent | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags };
}
