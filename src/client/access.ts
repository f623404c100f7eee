/** Access is a fetch that carries its own permission: a key, or a payment. */
export type Fetch = typeof globalThis.fetch;

/** A fetch that shows an API key. The key goes into the header and nowhere else. */
export function keyAccess(key: string, fetch: Fetch = globalThis.fetch): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
}
