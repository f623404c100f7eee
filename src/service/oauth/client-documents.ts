import { type LookupAddress, lookup } from 'node:dns';
import { get } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../contract/addresses.ts';
import { ServiceError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { clientMetadata, type OAuthClient } from '../../contract/oauth.ts';
import { OAuthError } from './oauth-error.ts';

const BYTES_MAX = 10 * 1024;
const HEADER_BYTES_MAX = 8 * 1024;
const TIMEOUT_MS = 5_000;
const LIFE_SECONDS = 300;
const LIFE_SECONDS_MAX = 24 * 3_600;
const KEPT_MAX = 500;
/** Documents that are fetched at once. */
const FETCHES_MAX = 32;
const URL_LENGTH_MAX = 512;

/** Finds the client of an id that is an address, from the document there; throws an OAuthError when there is none. */
export type ClientDocuments = (clientId: string) => Promise<OAuthClient>;

interface Options {
  /** Whether a document may come from an address; by default from those of the public internet. */
  readonly isAllowed?: (address: string) => boolean;
  /** Certificates of authorities that are trusted; by default those of Node. */
  readonly ca?: string;
}

interface Fetched {
  readonly text: string;
  readonly lifeSeconds: number;
}

/**
 * Fetches client id metadata documents (draft-ietf-oauth-client-id-metadata-document-00) on the word of strangers, so: by
 * https, from public addresses alone, without redirects, of a bounded size and within a bounded time (6.5, 6.6). Documents
 * are kept as their Cache-Control says, for a day at most; what failed is not (4.2). A few are fetched at once, no more.
 */
export function createClientDocuments(options: Options = {}, now: () => Date = () => new Date()): ClientDocuments {
  const kept = new Map<string, { readonly client: OAuthClient; readonly until: number }>();
  let fetching = 0;
  return async (clientId) => {
    const known = kept.get(clientId);
    if (known !== undefined && known.until > now().getTime()) return known.client;
    const url = documentUrl(clientId);
    if (fetching >= FETCHES_MAX) throw new ServiceError('unavailable', 'Too many clients are new; try again.');
    fetching += 1;
    const { text, lifeSeconds } = await fetchDocument(url, options)
      .catch(() => {
        throw new OAuthError('invalid_client', 'The metadata document of the client could not be fetched.');
      })
      .finally(() => {
        fetching -= 1;
      });
    const client = readDocument(clientId, text);
    kept.delete(clientId);
    const [oldest] = kept.size < KEPT_MAX ? [] : kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(clientId, { client, until: now().getTime() + lifeSeconds * 1_000 });
    return client;
  };
}

/** The forms that a client id may have (section 3): https, a path, no fragment, user or dots, and a name as its host. */
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
      // No connection is shared, so that each was made to an address that was checked.
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

/** Resolves a name for the connection itself, so that no second answer of the DNS can lead it elsewhere. */
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

/** The document names its own address, and no shared secret (section 4.1). */
function readDocument(clientId: string, text: string): OAuthClient {
  const document = parsed(text);
  const { client_id, client_name, client_secret, token_endpoint_auth_method: method = 'none' } = document ?? {};
  const client = clientMetadata.safeParse(document);
  const hasSecret = client_secret !== undefined || String(method).startsWith('client_secret');
  if (client_id !== clientId || typeof client_name !== 'string' || hasSecret || !client.success)
    throw new OAuthError('invalid_client', 'The metadata document of the client is not valid.');
  return client.data;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null | undefined {
  try {
    return parseJson(text) as Readonly<Record<string, unknown>> | null;
  } catch {
    return undefined;
  }
}
