import type { Trace } from './middleware/trace.ts';

/** Span attributes: names, numbers and route paths. Never keys, queries, wallet addresses or bodies. */
export type Attributes = Readonly<Record<string, string | number>>;

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
