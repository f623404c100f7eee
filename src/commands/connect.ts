import { type Access, keyAccess } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import type { PaidClient } from '../client/paid-client.ts';
import { ServiceError } from '../contract/errors.ts';
import type { RecordChanges } from '../mcp/record-bus.ts';
import { ConfigError, type Settings } from './config.ts';
import type { Embedded } from './embedded.ts';

export interface ServiceConnection {
  readonly client: Client;
  readonly access: 'key' | 'wallet' | 'embedded' | 'none';
  /** What the wallet buys with, with wallet access. */
  readonly paid?: PaidClient;
  /** Where the changes of records are seen, with the embedded service. */
  readonly changes?: RecordChanges;
  close(): Promise<void>;
}

/** An address for the embedded service, which has none: nothing listens. */
const EMBEDDED_URL = 'http://embedded.invalid';

/** A client as the settings say: of a named service with its key or a wallet, or of the embedded service. */
export async function connectService(settings: Settings): Promise<ServiceConnection> {
  const { base_url, api_key } = settings;
  if (hasWalletAccess(settings)) return connectWallet(settings);
  if (base_url === undefined) return connectEmbedded(settings);
  const access = api_key === undefined ? globalThis.fetch : keyAccess(api_key);
  return {
    client: createClient(base_url, access),
    access: api_key === undefined ? 'none' : 'key',
    close: async () => {},
  };
}

/** Whether the settings choose the wallet: by name, or because it is there and no key is. */
export function hasWalletAccess({ access, api_key, wallet_key, wallet_key_file }: Settings): boolean {
  if (access !== 'auto') return access === 'wallet';
  return api_key === undefined && (wallet_key ?? wallet_key_file) !== undefined;
}

/** The wallet's code is loaded here, so that access with a key does not load it. */
async function connectWallet(settings: Settings): Promise<ServiceConnection> {
  const { base_url } = settings;
  if (base_url === undefined) {
    throw new ConfigError('A wallet is set, but not the service that it pays; set WEB3_BI_BASE_URL.');
  }
  const [{ openWallet }, { createPaidClient }, { isMcpEndpoint, mcpFetch }] = await Promise.all([
    import('./open-wallet.ts'),
    import('../client/paid-client.ts'),
    import('../client/wallet/mcp-fetch.ts'),
  ]);
  const wallet = openWallet(settings);
  const paid = createPaidClient(base_url, wallet, isMcpEndpoint(base_url) ? mcpFetch(base_url) : globalThis.fetch);
  return { client: paid.free, access: 'wallet', paid, close: () => wallet.close() };
}

/** What a person must mend is said as it is. */
function failToStart(cause: unknown): never {
  if (cause instanceof ServiceError && cause.remedy !== undefined) throw cause;
  throw new ServiceError('unavailable', 'The embedded service could not start.', { cause });
}

/** The embedded service starts with the first call, so that a host's start waits for nothing. */
function connectEmbedded(settings: Settings): ServiceConnection {
  let starting: Promise<Embedded> | undefined;
  const start = (): Promise<Embedded> => {
    starting ??= import('./embedded.ts').then(({ startEmbedded }) => startEmbedded(settings)).catch(failToStart);
    starting.catch(() => {
      // The next call tries again: a full disk or a lock may be gone by then.
      starting = undefined;
    });
    return starting;
  };
  const access: Access = async (url, request) => (await start()).access(url, request);
  return {
    client: createClient(EMBEDDED_URL, access),
    access: 'embedded',
    changes: async (last) => (await start()).changes(last),
    close: async () => (await starting?.catch(() => undefined))?.close(),
  };
}
