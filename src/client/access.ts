import { invalidAt, ServiceError } from '../contract/errors.ts';

export type Fetch = typeof globalThis.fetch;

/** The part of a Response that the client reads. */
export interface Received {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  /** Null if there is nothing to read from the network. */
  readonly body: object | null;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/** The part of a RequestInit that the client sets. */
interface ClientRequestInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly redirect: 'error';
  readonly body?: string;
}

/** Sends a request with its credential: a key, a payment, or in-process access to the service. */
export type Access = (url: URL, request: ClientRequestInit) => Promise<Received>;

/** Longest response: above all lists, tables and documents of the service. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

export const openAccess: Access = async (url, request) => bounded(await globalThis.fetch(url, request));

/** What a header can carry. */
const KEY_FORM = /^[\x21-\x7e]+$/;

/** Access with an API key, sent in the Authorization header only. Throws `invalid_parameter` for a text that is none. */
export function keyAccess(key: string): Access {
  if (!KEY_FORM.test(key ?? '')) throw invalidAt('key', 'key must be an API key, such as mk_...');
  return (url, request) =>
    openAccess(url, { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } });
}

/** A response whose body is read up to a limit. */
function bounded(response: Response): Received {
  const { status, ok, headers, body } = response;
  const text = () => readBounded(response, BODY_BYTES_MAX);
  return { status, ok, headers, body, text, json: async () => JSON.parse(await text()) as unknown };
}

const MEGABYTE = 1024 * 1024;

/** Reads a body as text, because a server could stream without end. Throws `unreachable` beyond `bytesMax`. */
export async function readBounded(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new ServiceError('unreachable', `The response exceeds ${Math.ceil(bytesMax / MEGABYTE)} MiB.`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
