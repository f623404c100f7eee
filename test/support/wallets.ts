import { join } from 'node:path';
import { createPaidClient, type PaidClient } from '../../src/client/paid-client.ts';
import { isMcpEndpoint, mcpFetch } from '../../src/client/wallet/mcp-fetch.ts';
import { createSpendingScope } from '../../src/client/wallet/spending-scope.ts';
import { createWallet, type Wallet, type WalletOptions } from '../../src/client/wallet/wallet.ts';
import { toBaseUnits } from '../../src/contract/usd.ts';
import type { FundedWallet as Funded } from '../../src/sandbox/chain.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { openLedger } from '../../src/store/wallet-ledger/ledger.ts';
import { noteSecret } from './kept-run.ts';

/** Short retry delays, and time-outs for a loaded machine. */
export const PATIENT = { tryMs: 40_000, totalMs: 100_000, pauseMs: 20 };

const usdc = (usd: string): bigint => toBaseUnits(usd, 'eip155:84532');
export const BUDGETS = { perCall: usdc('0.02'), perSession: usdc('0.50'), perDay: usdc('1.00') };

export interface TestWallet {
  readonly wallet: Wallet;
  readonly paid: PaidClient;
  /** A search for companies in its own spending scope. */
  search(query: string): ReturnType<ReturnType<PaidClient['withBudget']>['search']>;
}

export interface TestWalletOptions extends Partial<Omit<WalletOptions, 'privateKey'>> {
  readonly sandbox: Sandbox;
  readonly funded: Funded;
  readonly url: string;
  /** The state folder. */
  readonly folder: string;
}

/** A wallet with a ledger in a folder, for a service. */
export function openTestWallet({ sandbox, funded, url, folder, ...more }: TestWalletOptions): TestWallet {
  noteSecret(funded.privateKey);
  const clock = more.clock ?? (() => new Date());
  const wallet = createWallet({
    privateKey: funded.privateKey,
    network: sandbox.network,
    origins: [new URL(url).origin],
    budgets: BUDGETS,
    openLedger: async () => openLedger(join(folder, 'wallet.db'), clock),
    retryPolicy: PATIENT,
    ...more,
    ...(isMcpEndpoint(url) && { fetch: mcpFetch(url, more.fetch) }),
  });
  const paid = createPaidClient(url, wallet, isMcpEndpoint(url) ? mcpFetch(url) : fetch);
  return {
    wallet,
    paid,
    search: (query) => paid.withBudget(createSpendingScope()).search({ type: 'companies', query }),
  };
}
