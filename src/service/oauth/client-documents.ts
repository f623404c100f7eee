import { type LookupAddress, lookup } from 'node:dns';
import { get } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { attempt } from '../../contract/attempt.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isPublicAddress } from '../../contract/ip-ranges.ts';
import { parseJson } from '../../contract/json.ts';
import { clientMetadata, type OAuthClient } from '../../contract/oauth.ts';
import { OAuthError } from './oauth-error.ts';

const BYTES_MAX = 10 * 1024;
const HEADER_BYTES_MAX = 8 * 1024;
const TIMEOUT_MS = 5_000;
const LIFE_SECONDS = 300;
const LIFE_SECONDS_MAX = 24 * 3_600;
const CACHED_MAX = 500;
const FETCHES_MAX = 32;
const URL_LENGTH_MAX = 512;

/** Resolves a client id that is a URL through its metadata document. Throws an OAuthError if there is none. */
export type ClientDocuments = (clientId: string) => Promise<OAuthClient>;

interface Options {
  /** Whether to connect to an address; by default, only to public ones. */
  readonly isAllowed?: (address: string) => boolean;
  /** Trusted CA certificates; Node's by default. */
  readonly ca?: string;
}

interface Fetched {
  readonly text: string;
  readonly lifeSeconds: number;
}

/**
 * Fetches client id metadata documents (draft-ietf-oauth-client-id-metadata-document-00). The URL is untrusted: https
 * only, public addresses only, no redirects, bounded size, time (6.5, 6.6) and concurrency. Documents are cached by
 * Cache-Control for at most a day; errors are not cached (4.2).
 */
export function createClientDocuments(options: Options = {}): ClientDocuments {
  const documents = new LRUCache<string, { readonly client: OAuthClient; readonly until: number }>({ max: CACHED_MAX });
  let fetching = 0;
  return async (clientId) => {
    const known = documents.get(clientId);
    if (known !== undefined && known.until > Date.now()) return known.client;
    const url = documentUrl(clientId);
    if (fetching >= FETCHES_MAX) throw new ServiceError('unavailable', 'Too many unknown clients at once; try again.');
    fetching += 1;
    const { text, lifeSeconds } = await fetchDocument(url, options)
      .catch(() => {
        throw new OAuthError('invalid_client', 'The metadata document of the client could not be fetched.');
      })
      .finally(() => {
        fetching -= 1;
      });
    const client = readDocument(clientId, text);
    documents.set(clientId, { client, until: Date.now() + lifeSeconds * 1_000 });
    return client;
  };
}

/** Validates the form of a client id URL (section 3 of the draft): https, a path, no fragment, user or dot segments, and a host name. */
function documentUrl(clientId: string): URL {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  const isPlain = url?.protocol === 'https:' && url.href === clientId && clientId.length <= URL_LENGTH_MAX;
  if (url === undefined || !isPlain || url.pathname === '/' || /[#@]/.test(clientId) || isIP(bare(url.hostname)) !== 0)
    throw new OAuthError('invalid_client', 'client_id: not the address of a metadata document');
  return url;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

function fetchDocument(url: URL, { isAllowed = isPublicAddress, ca }: Options): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const request = get(url, {
      headers: { Accept: 'application/json' },
      // No connection reuse, so that every connection is made to a checked address.
      agent: false,
      lookup: checkedLookup(isAllowed),
      maxHeaderSize: HEADER_BYTES_MAX,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(ca !== undefined && { ca }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      if (response.statusCode !== 200) request.destroy(new Error(`status ${response.statusCode}`));
      response.once('error', reject);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > BYTES_MAX) request.destroy(new Error('too large'));
        else chunks.push(chunk);
      });
      response.once('end', () =>
        resolve({
          text: Buffer.concat(chunks).toString('utf8'),
          lifeSeconds: lifeOf(response.headers['cache-control']),
        }),
      );
    });
  });
}

/** A DNS lookup used for the connection itself, which prevents DNS rebinding. */
const checkedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
      const [first] = found;
      const refused =
        error ?? (first !== undefined && found.every(({ address }) => isAllowed(address)) ? null : PRIVATE);
      if (refused !== null || first === undefined) callback(refused, [], undefined);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });

const PRIVATE = new Error('not a public address');

function lifeOf(caching = ''): number {
  if (/no-(store|cache)/i.test(caching)) return 0;
  const [, seconds = LIFE_SECONDS] = /max-age=(\d{1,9})/i.exec(caching) ?? [];
  return Math.min(Number(seconds), LIFE_SECONDS_MAX);
}

/** The document must contain its own URL and no shared secret (section 4.1 of the draft). */
function readDocument(clientId: string, text: string): OAuthClient {
  const document = attempt(() => parseJson(text));
  const stated = (document ?? {}) as Readonly<Record<string, unknown>>;
  const { client_id, client_name, client_secret, token_endpoint_auth_method: method = 'none' } = stated;
  const client = clientMetadata.safeParse(document);
  const hasSecret = client_secret !== undefined || String(method).startsWith('client_secret');
  if (client_id !== clientId || typeof client_name !== 'string' || hasSecret || !client.success)
    throw new OAuthError('invalid_client', 'The metadata document of the client is not valid.');
  return client.data;
}
