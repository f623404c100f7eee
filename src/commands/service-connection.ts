import { existsSync } from 'node:fs';
import { type Access, keyAccess, openAccess } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import type { PaidClient } from '../client/paid-client.ts';
import { createSpendingScope } from '../client/wallet/spending-scope.ts';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import { createLazy } from '../contract/lazy.ts';
import type { Receipt } from '../contract/spending.ts';
import type { RecordChanges } from '../mcp/record-bus.ts';
import { ConfigError, type Settings } from './config.ts';
import { printToStderr } from './output.ts';
import { defaultKeyFile } from './wallet-key.ts';

/** The remedy when the service of WEB3_BI_BASE_URL requires a credential. */
export function accessRemedy(settings: Settings): string {
  if (settings.api_key !== undefined) return 'make a new key on the service and set WEB3_BI_API_KEY to it';
  return `set WEB3_BI_API_KEY to a key (mk_...), or ${walletRemedy(settings)}, or unset WEB3_BI_BASE_URL`;
}

/** Does not suggest a new wallet if one exists. */
function walletRemedy(settings: Settings): string {
  const file = defaultKeyFile(settings);
  return existsSync(file) ? `set WEB3_BI_WALLET_KEY_FILE=${file} to pay` : 'make a wallet (web3-bi wallet new)';
}

interface ServiceConnection {
  readonly client: Client;
  readonly access: 'key' | 'wallet' | 'embedded' | 'none';
  readonly paid?: PaidClient;
  /** Source of record changes, with the embedded service. */
  readonly changes?: RecordChanges;
  close(): Promise<void>;
}

/** Placeholder URL; the embedded service does not listen. */
const EMBEDDED_URL = 'http://embedded.invalid';

/** How long a connection is used: for the calls of a command, or for those of a host that go on. */
export type Use = 'command' | 'host';

/** A client by the settings: of a remote service with a key or wallet, or of the embedded service. */
export async function connectService(settings: Settings, use: Use = 'command'): Promise<ServiceConnection> {
  const { base_url, api_key } = settings;
  if (hasWalletAccess(settings)) return connectWallet(settings);
  if (base_url === undefined) return connectEmbedded(settings, use);
  const access = api_key === undefined ? openAccess : keyAccess(api_key);
  return {
    client: createClient(base_url, access),
    access: api_key === undefined ? 'none' : 'key',
    close: async () => {},
  };
}

/** Whether the settings select the wallet: explicitly, or because it is configured and no key is. */
export function hasWalletAccess({ access, api_key, wallet_key, wallet_key_file }: Settings): boolean {
  if (access !== 'auto') return access === 'wallet';
  return api_key === undefined && (wallet_key ?? wallet_key_file) !== undefined;
}

/** Loads the wallet's code here, so that key access does not load it. */
async function connectWallet(settings: Settings): Promise<ServiceConnection> {
  const { base_url } = settings;
  if (base_url === undefined)
    throw new ConfigError('A wallet is set, but not the service that it pays; set WEB3_BI_BASE_URL.');
  const [{ openWallet }, { createPaidClient }, { isMcpEndpoint, mcpFetch }] = await Promise.all([
    import('./open-wallet.ts'),
    import('../client/paid-client.ts'),
    import('../client/wallet/mcp-fetch.ts'),
  ]);
  const wallet = openWallet(settings);
  const paid = createPaidClient(base_url, wallet, isMcpEndpoint(base_url) ? mcpFetch(base_url) : globalThis.fetch);
  return { client: paid.free, access: 'wallet', paid, close: () => wallet.close() };
}

export const FILL_COMMANDS = 'web3-bi data add adds the shipped ones, web3-bi import FILE your own';

/** What to do about a database without records; undefined if there is any. */
export async function emptyDatabaseText(client: Client): Promise<string | undefined> {
  const { coverage } = await client.vocabulary();
  if (Object.values(coverage).some(({ records }) => records > 0)) return undefined;
  return `The database has no records: ${FILL_COMMANDS}.`;
}

function failToStart(cause: unknown): never {
  if (cause instanceof ServiceError && cause.remedy !== undefined) throw cause;
  const remedy = cause instanceof ConfigError ? cause.remedy : undefined;
  throw new ServiceError('unavailable', 'The embedded service could not start.', { cause, remedy });
}

/**
 * The embedded service. A host starts it with the first call, so that the host itself starts fast; a command before its call, whose
 * time-out must not end the filling or an update of the database.
 */
async function connectEmbedded(settings: Settings, use: Use): Promise<ServiceConnection> {
  // Retried after a failure, because a full disk or a lock may be temporary.
  const service = createLazy(() =>
    import('./embedded.ts').then(({ startEmbedded }) => startEmbedded(settings, use)).catch(failToStart),
  );
  if (use === 'command') await service.get();
  const access: Access = async (url, request) => (await service.get()).access(url, request);
  return {
    client: createClient(EMBEDDED_URL, access),
    access: 'embedded',
    changes: async (last) => (await service.get()).changes(last),
    close: async () => (await service.peek())?.close(),
  };
}

/** Calls the service with a key or a wallet, prints the response and reports payments on stderr. */
export async function callService<Result>(
  settings: Settings,
  call: (client: Client) => Promise<Result>,
  show: (result: Result) => void = () => {},
): Promise<Result> {
  const connection = await connectService(settings);
  const scope = createSpendingScope();
  try {
    const result = await call(connection.paid?.withBudget(scope) ?? connection.client).catch((error) => {
      throw withRemedy(error, connection, settings);
    });
    show(result);
    for (const receipt of scope.receipts) printToStderr(paidLine(receipt));
    return result;
  } finally {
    await connection.close();
  }
}

/** Adds the remedy to an error about missing access, from the settings of this program. */
export function withRemedy(error: unknown, { access }: ServiceConnection, settings: Settings): unknown {
  if (error instanceof ServiceError && error.code === 'unreachable' && (access === 'key' || access === 'none'))
    return new ServiceError(error.code, `${settings.base_url}: ${error.message.replace(/\.$/, '')}`, {
      cause: error.cause,
      remedy: 'web3-bi doctor says why',
    });
  if (!(error instanceof ServiceError) || ERRORS[error.code].status !== 401 || access === 'wallet') return error;
  const message = access === 'none' ? `${settings.base_url} needs a credential, and none is configured` : error.message;
  return new ServiceError(error.code, message, { cause: error.cause, remedy: accessRemedy(settings) });
}

function paidLine({ cached, amountUsd, transaction }: Receipt): string {
  const proof = transaction === null ? 'the service gave no receipt' : `transaction ${transaction}`;
  return cached ? `Free: paid before, ${amountUsd} USD, ${proof}` : `Paid ${amountUsd} USD, ${proof}`;
}
