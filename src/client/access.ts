/** A standard `fetch`. */
export type Fetch = typeof globalThis.fetch;

/** The part of a Response that the client reads. */
export interface Received {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: { cancel(): Promise<void> } | null;
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

/** Access with an API key, sent in the Authorization header only. */
export function keyAccess(key: string): Access {
  return (url, request) => {
    const headers = { ...request.headers, Authorization: `Bearer ${key}` };
    return globalThis.fetch(url, { ...request, headers });
  };
}
