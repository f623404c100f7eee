import type { Endpoint } from '../contract/endpoints.ts';
import { API_VERSION, type Meta } from '../contract/envelope.ts';
import type { KeyRecord } from '../store/port/access.ts';
import type { StaticDocument } from './static-documents.ts';

/** An authenticated, validated request as handlers receive it. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Parsed by the endpoint's query schema. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly key: KeyRecord | undefined;
  readonly method: string;
  /** Path of the URL, without the query. */
  readonly path: string;
  readonly requestId: string;
  /** W3C trace context for outgoing requests, if the request belongs to a trace. */
  readonly traceparent: string | undefined;
  readonly address: string | null;
  /** Change-log position to include: the key's last write, or the request's X-At-Least. Undefined for the newest. */
  readonly atLeast: number | undefined;
  /** Parsed JSON body, not yet validated; the store validates it. */
  readonly body: unknown;
  readonly isCsv: boolean;
  header(name: string): string | undefined;
  isDisconnected(): boolean;
}

/** A response. `data` is JSON text; with a message it is wrapped in the envelope. */
export interface ApiResponse {
  readonly status: number;
  readonly data: string;
  readonly message: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of data that is not JSON. */
  readonly contentType?: string;
  /** Called when the response was fully sent, or can no longer be. */
  readonly onSent?: (isWhole: boolean) => void;
}

/** Static documents are sent with their own headers. */
export type Reply = ApiResponse | StaticDocument;

export type Handler = (call: Call) => Promise<Reply>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export const withRequestMeta = (data: string, message: string): ApiResponse => ({ status: 200, data, message });
export const bareResponse = (data: string, status = 200): ApiResponse => ({ status, data, message: null });

export const metaOf = (requestId: string, now: Date): Meta => ({
  requestId,
  timestamp: now.toISOString(),
  version: API_VERSION,
});

/** The body of a response. Inserts JSON text without parsing it. */
export function bodyOf(response: ApiResponse, meta: Meta): string {
  if (response.message === null) return response.data;
  return `{"success":true,"data":${response.data},"message":${JSON.stringify(response.message)},"meta":${JSON.stringify(meta)}}`;
}
