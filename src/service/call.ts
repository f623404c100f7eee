import type { Endpoint } from '../contract/endpoints.ts';
import { API_VERSION, type Meta } from '../contract/envelope.ts';
import type { KeyRecord } from '../store/store.ts';

/** One admitted request, as handlers see it. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Validated by the endpoint's query schema. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly key: KeyRecord | undefined;
}

/** An answer. Data is JSON text, put together by the handler; with a message it goes out in the envelope. */
export interface Answer {
  readonly status: number;
  readonly data: string;
  readonly message: string | null;
}

export type Handler = (call: Call) => Promise<Answer>;

export const enveloped = (data: string, message: string): Answer => ({ status: 200, data, message });
export const bare = (data: string, status = 200): Answer => ({ status, data, message: null });

export function metaOf(requestId: string, now: Date): Meta {
  return { requestId, timestamp: now.toISOString(), version: API_VERSION };
}

/** The body of an answer (specification 2.1), without parsing what is JSON text already. */
export function bodyOf(answer: Answer, meta: Meta): string {
  if (answer.message === null) return answer.data;
  return `{"success":true,"data":${answer.data},"message":${JSON.stringify(answer.message)},"meta":${JSON.stringify(meta)}}`;
}
