import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { ServiceDeps } from '../deps.ts';
import type { Parent } from '../tracing.ts';

/** Trace context of a request (W3C Trace Context): the trace id, possibly from the caller, and a span id of ours. */
export interface Trace extends Parent {
  readonly traceparent: string;
}

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Random ids from UUIDs, which Node generates in batches; separate random bytes per id would cost more than the spans. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');
/** Random digits from both ends; the middle holds the UUID's version and variant. */
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

/** Continues the trace of a request, or starts one if tracing is on. Without, a malformed trace context is ignored. */
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
