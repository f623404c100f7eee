/** A fetch, for what needs all of it. */
export type Fetch = typeof globalThis.fetch;

/** What a client reads of an answer. A Response is one. */
export interface Received {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: { cancel(): Promise<void> } | null;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/** What a client says of a request besides its address. */
interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly redirect: 'error';
  readonly body?: string;
}

/** Access carries a request and its permission: a key, a payment, or a way into the service in this process. */
export type Access = (url: URL, request: Sent) => Promise<Received>;

/** Access with an API key. The key goes into the header and nowhere else. */
export function keyAccess(key: string): Access {
  return (url, request) => {
    const headers = { ...request.headers, Authorization: `Bearer ${key}` };
    return globalThis.fetch(url, { ...request, headers });
  };
}
