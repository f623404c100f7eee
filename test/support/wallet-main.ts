/**
 * A process that buys one search and kills itself at a given step, as a crash would: before the payment is signed,
 * before it is sent, or after the response has arrived and before it is stored.
 */
import { join } from 'node:path';
import { createPaidClient } from '../../src/client/paid-client.ts';
import type { Ledger } from '../../src/client/wallet/ledger.ts';
import { isMcpEndpoint, mcpFetch } from '../../src/client/wallet/mcp-fetch.ts';
import { createSpendingScope } from '../../src/client/wallet/spending-scope.ts';
import { createWallet } from '../../src/client/wallet/wallet.ts';
import { openLedger } from '../../src/store/wallet-ledger/ledger.ts';
import { BUDGETS, PATIENT } from './wallets.ts';

const [url = '', folder = '', privateKey = '', step = ''] = process.argv.slice(2);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};

const openBrokenLedger = async (): Promise<Ledger> => {
  const ledger = await openLedger(join(folder, 'wallet.db'), () => new Date());
  return {
    ...ledger,
    reserve: (...args) => {
      const reserved = ledger.reserve(...args);
      return step === 'reserved' ? die() : reserved;
    },
    sign: (...args) => {
      const signed = ledger.sign(...args);
      return step === 'signed' ? die() : signed;
    },
    recordOutcome: (...args) => (step === 'answered' ? die() : ledger.recordOutcome(...args)),
  };
};

const wallet = createWallet({
  privateKey,
  network: 'eip155:84532',
  origins: [new URL(url).origin],
  budgets: BUDGETS,
  openLedger: openBrokenLedger,
  retryPolicy: PATIENT,
  ...(isMcpEndpoint(url) && { fetch: mcpFetch(url) }),
});
await createPaidClient(url, wallet).withBudget(createSpendingScope()).search({ type: 'companies', query: 'Uniswap' });
