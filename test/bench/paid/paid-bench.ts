import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { FundedWallet } from '../../../src/sandbox/chain.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { signPayment } from '../../sandbox/stock-seller.ts';
import { bundleProgram } from '../../support/bundle.ts';
import { tillOptionsOf } from '../../support/paid-service.ts';
import { bareEnvironment, temporaryFolder } from '../../support/program.ts';
import { encoded } from '../../support/signing.ts';
import type { Kind, Measured, ServerOptions } from './server.ts';

/** Of each server; until then the engine has not compiled what a sale runs. */
const WARM_UP = 500;
const DATA = join(import.meta.dirname, '..', '..', '..', 'data');
const PRICE = 10_000n;
const KINDS: readonly Kind[] = ['own', 'stock'];
const QUERIES = ['uniswap', 'defi', 'ethereum', 'wallet', 'capital'];

/**
 * `npm run bench -- paid [--payments 200]`: what a paid request takes besides the answers of the facilitator, and of the
 * chain's node, which only our service asks: of our service and of the stock middleware before the same search, in turns.
 * Each server has a process and a database file of its own.
 */
export async function paidBench(words: readonly string[]): Promise<object> {
  const { values } = parseArgs({ args: [...words], options: { payments: { type: 'string', default: '200' } } });
  const payments = Number(values.payments) + WARM_UP;
  const folder = temporaryFolder();
  const program = bundleProgram(join(import.meta.dirname, 'server.ts'));
  const sandbox = await startSandbox();
  const servers = new Map<Kind, Server>();
  try {
    for (const kind of KINDS) {
      const database = `sqlite:${join(folder.path, `${kind}.db`)}`;
      servers.set(
        kind,
        await startServer(program, { kind, database, data: DATA, paymentGate: tillOptionsOf(sandbox) }),
      );
    }
    const wallet = await sandbox.chain.newWallet(BigInt(payments * KINDS.length) * PRICE);
    const rounds: Record<Kind, number>[] = [];
    const totals: Record<Kind, number[]> = { own: [], stock: [] };
    const cpus: Record<Kind, number[]> = { own: [], stock: [] };
    for (let round = 0; round < payments; round += 1) {
      const shares = { own: 0, stock: 0 };
      for (const [kind, server] of servers) {
        const { totalMs, elsewhereMs, cpuMs } = await buy({ server, sandbox, wallet }, round);
        shares[kind] = totalMs - elsewhereMs;
        if (round < WARM_UP) continue;
        totals[kind].push(totalMs);
        cpus[kind].push(cpuMs);
      }
      if (round >= WARM_UP) rounds.push(shares);
    }
    const result = {
      payments: rounds.length,
      ownShareMs: quantile(
        rounds.map(({ own }) => own),
        0.5,
      ),
      stockShareMs: quantile(
        rounds.map(({ stock }) => stock),
        0.5,
      ),
      // On a machine that others use as well, the lower end is nearer to what the work itself takes.
      ownShareP10Ms: quantile(
        rounds.map(({ own }) => own),
        0.1,
      ),
      stockShareP10Ms: quantile(
        rounds.map(({ stock }) => stock),
        0.1,
      ),
      ratio: quantile(
        rounds.map(({ own, stock }) => own / stock),
        0.5,
      ),
      ownCpuMs: quantile(cpus.own, 0.5),
      stockCpuMs: quantile(cpus.stock, 0.5),
      ownTotalMs: quantile(totals.own, 0.5),
      stockTotalMs: quantile(totals.stock, 0.5),
    };
    console.table(Object.fromEntries(Object.entries(result).map(([name, value]) => [name, Number(value.toFixed(2))])));
    return result;
  } finally {
    for (const server of servers.values()) await server.close();
    await sandbox.close();
    folder.remove();
  }
}

interface Server {
  readonly url: string;
  /** What the server says of its next paid request. */
  measured(): Promise<Measured>;
  close(): Promise<unknown>;
}

async function startServer(program: string, options: ServerOptions): Promise<Server> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  const { url } = (await next()) as { url: string };
  return {
    url,
    measured: async () => (await next()) as Measured,
    close: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function buy(by: { server: Server; sandbox: Sandbox; wallet: FundedWallet }, round: number): Promise<Measured> {
  const { server, sandbox, wallet } = by;
  const payment = encoded(await signPayment(sandbox, wallet));
  const url = `${server.url}/api/v1/x402/search?q=${QUERIES[round % QUERIES.length]}`;
  const measured = server.measured();
  const response = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': payment } });
  await response.text();
  if (response.status !== 200) throw new Error(`The server answered ${response.status}`);
  return measured;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? 0;
