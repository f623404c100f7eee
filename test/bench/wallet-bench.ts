import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bareEnvironment, PROGRAM, startProgram, temporaryFolder } from '../support/program.ts';

const WARM_UP = 5;
const ROUNDS = 60;
const RATIO_MAX = 1.3;

/**
 * A paid tool call, from the host over stdio to the MCP server, the service, the facilitator and the chain and back,
 * against the same search bought from the same service by a stock x402 client in this process; in pairs.
 */
export async function walletBench(): Promise<object> {
  const serverState = temporaryFolder();
  const state = temporaryFolder();
  const sandbox = await startProgram(['sandbox', '--port', '0'], { WEB3_BI_STATE_DIR: serverState.path });
  const { wallet, network } = sandbox.ready as { wallet: { privateKey: Hex }; network: `${string}:${string}` };
  const account = privateKeyToAccount(wallet.privateKey);
  const stock = wrapFetchWithPayment(fetch, new x402Client().register(network, new ExactEvmScheme(account)));
  const mcp = new Client({ name: 'bench', version: '0' }, { versionNegotiation: { mode: 'auto' } });
  const env = bareEnvironment({
    WEB3_BI_BASE_URL: sandbox.url,
    WEB3_BI_WALLET_KEY: wallet.privateKey,
    WEB3_BI_STATE_DIR: state.path,
    WEB3_BI_MAX_USD_PER_SESSION: '5',
    WEB3_BI_MAX_USD_PER_DAY: '5',
  });
  await mcp.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }));
  const pairs = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const ours = () => toolCall(mcp, `ours ${round}`);
    const theirs = () =>
      stockCall(stock, `${sandbox.url}/api/v1/x402/search?type=companies&limit=10&q=theirs+${round}`);
    // Each goes first in half of the pairs.
    const isOursFirst = round % 2 === 0;
    const first = await timed(isOursFirst ? ours : theirs);
    const second = await timed(isOursFirst ? theirs : ours);
    const [oursMs, stockMs] = isOursFirst ? [first, second] : [second, first];
    if (round >= WARM_UP) pairs.push({ oursMs, stockMs, ratio: oursMs / stockMs });
  }
  await mcp.close();
  await sandbox.stop();
  state.remove();
  serverState.remove();
  const oursMs = median(pairs.map((pair) => pair.oursMs));
  const stockMs = median(pairs.map((pair) => pair.stockMs));
  const result = { oursMs, stockMs, ratio: oursMs / stockMs, pairRatio: median(pairs.map((pair) => pair.ratio)) };
  console.table(Object.fromEntries(Object.entries(result).map(([name, value]) => [name, Number(value.toFixed(2))])));
  if (result.pairRatio > RATIO_MAX) process.exitCode = 1;
  return { ...result, rounds: ROUNDS };
}

async function toolCall(mcp: Client, query: string): Promise<void> {
  const result = await mcp.callTool({ name: 'search', arguments: { query, type: 'companies' } });
  const { receipt } = (result.structuredContent ?? {}) as { receipt?: { cached: boolean } };
  if (receipt?.cached !== false) throw new Error(`not paid: ${JSON.stringify(result)}`);
}

async function stockCall(pay: typeof fetch, url: string): Promise<void> {
  const response = await pay(url, {});
  await response.json();
  if (!response.headers.has('PAYMENT-RESPONSE')) throw new Error(`not paid: ${response.status}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
