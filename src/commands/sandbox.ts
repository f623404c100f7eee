import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Store } from '../store/store.ts';
import { printOwnerLink, type Ready, showAddresses } from './banner.ts';
import type { Command } from './command.ts';
import type { Settings } from './config.ts';
import { prepareConfiguredPaymentGate } from './configured-payment-gate.ts';
import { openServedStore } from './configured-store.ts';
import { isTerminal, printEvent, printToStderr } from './output.ts';
import { serve } from './serve.ts';
import { stopSignal } from './stop-signal.ts';

const ACCOUNT = 'sandbox';

export const command: Command = {
  usage: 'sandbox',
  about:
    'Serve the REST service with all that a payment needs on this machine: a copy of Base Sepolia or Base, a facilitator, ' +
    'a key and a funded wallet. Without --database, the records are in a temporary database, which is gone when it ends.',
  example: 'web3-bi sandbox --port 4020',
  isPlain: true,
  settings: ['network', 'host', 'port', 'public-url', 'database', 'data'],
  createsDatabase: true,
  run: async ({ settings, flags }) => {
    // Loaded on demand, because the chain's libraries are slow to load.
    const { signExamplePayment, startSandbox } = await import('../sandbox/sandbox.ts');
    const sandbox = await startSandbox({ network: settings.network, searchPath: process.env['PATH'] ?? '' });
    const folder = mkdtempSync(join(tmpdir(), 'web3-bi-sandbox-'));
    try {
      // Ignore the environment variable, which may name the real database.
      const isNamed = flags['database'] !== undefined;
      const database_url = isNamed ? settings.database_url : `sqlite:${join(folder, 'web3-bi.db')}`;
      const store = await openServedStore({ ...settings, database_url });
      try {
        const apiKey = await createKey(store);
        const { network, payTo: pay_to, facilitatorUrl: facilitator_url, rpcUrl: rpc_url } = sandbox;
        const paid = { ...settings, database_url, network, pay_to, facilitator_url, rpc_url };
        const server = await serve(store, paid, await prepareConfiguredPaymentGate(paid, { isOnLocalChain: true }));
        // Before the ready event, because its reader may stop this process at once.
        const stopped = stopSignal();
        const search = `${server.url}/api/v1/x402/search?q=uniswap`;
        printToStderr(walkThrough(search, await signExamplePayment(sandbox, search), sandbox));
        announce({ ...server, apiKey }, sandbox, paid);
        await stopped;
        await server.close(settings.stop_delay_ms);
      } finally {
        await store.close();
      }
    } finally {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Keys of earlier starts that stay active. */
const KEYS_KEPT = 3;

/** Creates a new key at each start, because only hashes of earlier ones are stored, and revokes the oldest. */
async function createKey(store: Store): Promise<string> {
  if ((await store.accounts.find(ACCOUNT)) === undefined) await store.accounts.create(ACCOUNT, 'enterprise');
  const keys = await store.keys.list(ACCOUNT);
  const earlier = keys.filter(({ name, revoked_at }) => name === ACCOUNT && revoked_at === null);
  for (const { id } of earlier.slice(0, -KEYS_KEPT)) await store.keys.revoke(id, ACCOUNT);
  const { secret } = await store.keys.create({ account: ACCOUNT, name: 'sandbox', level: 'delete', expires_at: null });
  return secret;
}

function announce(ready: Ready & { readonly apiKey: string }, sandbox: Sandbox, settings: Settings) {
  const { url, ownerLink, apiKey } = ready;
  const { facilitatorUrl, rpcUrl, payTo, network, asset, wallet } = sandbox;
  printToStderr(`mcp.json for access with the key:\n${mcpJson({ WEB3_BI_BASE_URL: url, WEB3_BI_API_KEY: apiKey })}`);
  const walletSettings = { WEB3_BI_WALLET_KEY: wallet.privateKey, WEB3_BI_NETWORK: network, WEB3_BI_RPC_URL: rpcUrl };
  printToStderr(`mcp.json for access with the wallet:\n${mcpJson({ WEB3_BI_BASE_URL: url, ...walletSettings })}`);
  if (!isTerminal()) {
    printOwnerLink(ownerLink);
    printEvent({ event: 'listening', url, facilitatorUrl, rpcUrl, payTo, network, asset, apiKey, wallet });
    return;
  }
  showAddresses({ url, ownerLink }, settings, [
    ['Chain', rpcUrl],
    ['Facilitator', facilitatorUrl],
    ['API key', apiKey],
    ['Wallet', wallet.address],
    ['Wallet key', wallet.privateKey],
  ]);
}

/** The steps of a payment with curl. The wallet's key may be shown, because its money is worthless. */
function walkThrough(search: string, payment: string, { asset, payTo, rpcUrl, wallet }: Sandbox): string {
  const balanceOf = `0x70a08231${payTo.slice(2).toLowerCase().padStart(64, '0')}`;
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: asset, data: balanceOf }, 'latest'] };
  return `
To pay by hand:
1. Request a paid resource. The response is 402 and states the payment requirements:
   curl -i '${search}'
2. Repeat the request with a payment. The wallet ${wallet.address} signed this one, for 0.01 USDC, valid for a day:
   curl -i '${search}' -H 'PAYMENT-SIGNATURE: ${payment}'
3. Repeat it once more. The payment is used, so the response is 402 again, and nothing is charged.
4. Read the balance of ${payTo}, in millionths of a dollar, as a hexadecimal number:
   curl -s ${rpcUrl} -H 'Content-Type: application/json' -d '${JSON.stringify(call)}'
Any x402 client signs such payments: @x402/fetch or @x402/axios with the wallet's key below, on its network.
`;
}

function mcpJson(env: Readonly<Record<string, string>>): string {
  const server = { command: process.execPath, args: [process.argv[1], 'mcp'], env };
  return JSON.stringify({ mcpServers: { 'web3-bi': server } }, null, 2);
}
