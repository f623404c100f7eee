import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';

/** What a request belongs to in somebody else's tracing (W3C Trace Context): their trace, and a span of ours. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** The header for what the service asks of others meanwhile. */
  readonly traceparent: string;
}

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})$/;
const SPAN_BYTES = 8;

/** Takes over the trace that a request comes with; without one, or with one that is not well-formed, there is none. */
export const takeTrace: RequestHandler = (request, response, next) => {
  const [, traceId, flags] = TRACEPARENT.exec(request.get('traceparent') ?? '') ?? [];
  if (traceId !== undefined) {
    const spanId = randomBytes(SPAN_BYTES).toString('hex');
    const trace: Trace = { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
    response.locals['trace'] = trace;
  }
  next();
};
