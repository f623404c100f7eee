import type { Trace } from './middleware/trace.ts';

/** What is told of a span. Values are names, numbers and paths of ours: never a key, a query, a wallet address or a body. */
export type Attributes = Readonly<Record<string, string | number>>;

/** What a caller's `traceparent` says. */
export interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hexadecimal digits; the lowest bit is whether the caller keeps the trace. */
  readonly flags: string;
}

export interface Span {
  readonly trace: Trace;
  /** Ends it, the first time that it is called. With an error, which is a name, it has failed. */
  end(told?: { readonly name?: string; readonly attributes?: Attributes; readonly error?: string | undefined }): void;
}

/** Makes the spans of requests, and of what they wait for. Nothing of it throws, and no request waits for it. */
export interface Tracing {
  /** Begins the span of a request, in the trace of its caller where it has one, and calls what handles the request. */
  serve(parent: Parent | undefined, handle: (span: Span) => void): void;
  /**
   * Begins a span below that of the request which the running code works for. Undefined where there is no such request,
   * where it has ended, and where its trace is not kept.
   */
  begin(name: string, told?: { readonly isCall?: boolean; readonly attributes?: Attributes }): Span | undefined;
  /** Sends what waits, for a bounded time. */
  close(): Promise<void>;
}
