import type { Endpoint } from '../contract/endpoints.ts';
import { API_VERSION, type Meta } from '../contract/envelope.ts';
import type { KeyRecord } from '../store/port/access.ts';
import type { StaticDocument } from './documents.ts';

/** One admitted request, as handlers see it. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Validated by the endpoint's query schema. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly key: KeyRecord | undefined;
  readonly method: string;
  /** Path of the address, without its query. */
  readonly path: string;
  readonly requestId: string;
  /** For what is asked of others to answer it, where the request belongs to a trace. */
  readonly traceparent: string | undefined;
  /** Where the request came from. */
  readonly address: string | null;
  /**
   * The position in the change log that what is searched must include: the last change of the key, or what the request asks;
   * undefined for the newest.
   */
  readonly atLeast: number | undefined;
  /** The parsed body of an endpoint that takes one; its store checks it. */
  readonly body: unknown;
  /** Whether the answer is to be CSV, where the endpoint has that. */
  readonly isCsv: boolean;
  header(name: string): string | undefined;
  /** Whether the client has closed its connection. */
  isGone(): boolean;
}

/** An answer. Data is JSON text, put together by the handler; with a message it goes out in the envelope. */
export interface Answer {
  readonly status: number;
  readonly data: string;
  readonly message: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of data that is no JSON, and goes out as it is. */
  readonly contentType?: string;
  /** Called when the answer went out whole, or when it can not any more. */
  readonly onSent?: (isWhole: boolean) => void;
}

/** A document is sent as it is, with headers of its own. */
export type Handler = (call: Call) => Promise<Answer | StaticDocument>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export const withRequestMeta = (data: string, message: string): Answer => ({ status: 200, data, message });
/** The client has this version already (304); there is no body. */
export const notModified = (etag: string): Answer => ({
  status: 304,
  data: '',
  message: null,
  headers: { ETag: etag },
});
export const bare = (data: string, status = 200): Answer => ({ status, data, message: null });

export function metaOf(requestId: string, now: Date): Meta {
  return { requestId, timestamp: now.toISOString(), version: API_VERSION };
}

/** The body of an answer (specification 2.1), without parsing what is JSON text already. */
export function bodyOf(answer: Answer, meta: Meta): string {
  if (answer.message === null) return answer.data;
  return `{"success":true,"data":${answer.data},"message":${JSON.stringify(answer.message)},"meta":${JSON.stringify(meta)}}`;
}
