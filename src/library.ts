import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CallOptions, type Client, checkBaseUrl, type SearchQuery } from './client/client.ts';
import { createPaidClient } from './client/paid-client.ts';
import { PaymentError } from './client/wallet/errors.ts';
import { isMcpEndpoint, mcpFetch } from './client/wallet/mcp-fetch.ts';
import { createSpendingScope, type Quote } from './client/wallet/spending-scope.ts';
import {
  checkCallLimits,
  checkWalletOptions,
  createWallet,
  type WalletQuote,
  type WalletStatus,
} from './client/wallet/wallet.ts';
import type { NetworkId } from './contract/networks.ts';
import type { Receipt } from './contract/spending.ts';
import { toBaseUnits } from './contract/usd.ts';

/** The library `web3-bi-mcp/client`: the client of the service, with a key or a wallet. */

export { type Access, keyAccess } from './client/access.ts';
export { type Client, createClient } from './client/client.ts';
export { ServiceError } from './contract/errors.ts';

export interface WalletClientOptions {
  /** Private key of the wallet: 0x and 64 hex digits. It is used for signatures only, never stored or sent. */
  readonly privateKey: string;
  /** CAIP-2 id of the only network that is paid on: `eip155:8453` is Base, `eip155:84532` its test network. */
  readonly network: NetworkId;
  /** Addresses that may be paid; any address within the budgets if absent. */
  readonly payees?: readonly string[];
  /** The most to spend, in US dollars with up to six decimals, such as `0.05`. */
  readonly budgets: { readonly perCallUsd: string; readonly perSessionUsd: string; readonly perDayUsd: string };
  /** An SQLite file, made if missing, in which all processes with this wallet record payments and share budgets. */
  readonly ledgerFile: string;
  /** JSON-RPC endpoint of the network; with it the chain decides the outcome of a payment that got no response. */
  readonly rpcUrl?: string;
}

/** Limits of one call or of several that belong together. They can lower the budgets of the wallet, never raise them. */
export interface CallBudget {
  /** The most that one payment may cost, in US dollars. */
  readonly maxPriceUsd?: string;
  /** Called before each payment. It rejects, or resolves to false, to refuse the payment. */
  readonly confirm?: (quote: Quote) => Promise<unknown>;
}

/** A client whose calls are paid. Methods that are not sold reject with `not_sold` and cost nothing. */
export interface BudgetedClient extends Client {
  /** One entry per response so far, also for those that a payment of the last hour covered. */
  readonly receipts: readonly Receipt[];
}

export interface WalletClient {
  /** A client for calls that share one budget. */
  withBudget(budget?: CallBudget): BudgetedClient;
  /** The current price of a search, by default one of all types. Nothing is signed or paid. */
  quote(query?: SearchQuery, options?: CallOptions): Promise<WalletQuote>;
  /** Balance, remaining budgets and the newest receipts, at most `receiptsMax` of them (10 by default). */
  status(receiptsMax?: number): Promise<WalletStatus>;
  close(): Promise<void>;
}

const RECEIPTS_DEFAULT = 10;

/**
 * A client of the service at `baseUrl` (or of an MCP endpoint, whose path ends with `/mcp`) that pays for each response by
 * x402. Methods reject with a ServiceError; one about a payment says whether money moved. Processes may share a ledger.
 * Throws `invalid_parameter` if `baseUrl` or an option is invalid.
 */
export function createWalletClient(baseUrl: string, options: WalletClientOptions): WalletClient {
  checkBaseUrl(baseUrl);
  checkWalletOptions(options);
  const { privateKey, network, payees, budgets, ledgerFile, rpcUrl } = options;
  const fetch = isMcpEndpoint(baseUrl) ? mcpFetch(baseUrl) : globalThis.fetch;
  const wallet = createWallet({
    privateKey,
    network,
    origins: [new URL(baseUrl).origin],
    payees,
    budgets: {
      perCall: toBaseUnits(budgets.perCallUsd, network),
      perSession: toBaseUnits(budgets.perSessionUsd, network),
      perDay: toBaseUnits(budgets.perDayUsd, network),
    },
    rpcUrl,
    fetch,
    openLedger: async () => {
      const { openLedger } = await import('./store/wallet-ledger/ledger.ts');
      mkdirSync(dirname(ledgerFile), { recursive: true, mode: 0o700 });
      return openLedger(ledgerFile, () => new Date());
    },
  });
  const paid = createPaidClient(baseUrl, wallet, fetch);
  return {
    withBudget: (budget = {}) => {
      checkCallLimits(budget);
      const { confirm, ...limits } = budget;
      const scope = createSpendingScope({ ...limits, ...(confirm && { confirm: asked(confirm), confirmAbove: 0n }) });
      return { ...paid.withBudget(scope), receipts: scope.receipts };
    },
    quote: (query = { type: 'all' }, callOptions) => paid.quote(query, callOptions),
    status: (receiptsMax = RECEIPTS_DEFAULT) => wallet.status(receiptsMax),
    close: wallet.close,
  };
}

const asked =
  (confirm: NonNullable<CallBudget['confirm']>) =>
  async (quote: Quote): Promise<void> => {
    if ((await confirm(quote)) !== false) return;
    throw new PaymentError('not_confirmed', 'The payment was not confirmed.', {
      advice: 'Retry only if it may be paid.',
    });
  };
