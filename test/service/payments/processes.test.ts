import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { engine } from '../../support/databases.ts';
import { isLong, isSecondEngine } from '../../support/length.ts';
import type { Death } from '../../support/paid-main.ts';
import { buildPaidProcess, type PaidProcess, startPaidProcess } from '../../support/paid-process.ts';
import { openFilledStore, startPaidService, tillOptionsOf } from '../../support/paid-service.ts';
import { MCP, REST } from '../../support/payment-doors.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { encoded, signed } from '../../support/signing.ts';

const PRICE = 10_000n;
const folder = temporaryFolder();
let sandbox: Sandbox;
let program: string;
beforeAll(async () => {
  program = buildPaidProcess();
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

/** A database with a record of each type. */
async function newDatabase(): Promise<string> {
  const { url } = await engine.newDatabase();
  await (await openFilledStore(url)).close();
  return url;
}

const start = (database: string, death?: Death): Promise<PaidProcess> =>
  startPaidProcess(program, { database, paymentGate: tillOptionsOf(sandbox), death });

describe(`four processes on one database of ${engine.name}`, () => {
  let processes: readonly PaidProcess[];
  beforeAll(async () => {
    const database = await newDatabase();
    processes = await Promise.all([1, 2, 3, 4].map(() => start(database)));
  });
  afterAll(() => Promise.all(processes.map(({ kill }) => kill())));
  const searches = (): number => processes.reduce((sum, each) => sum + each.searches(), 0);

  test.each([
    ['REST', [REST]],
    ['the extension of MCP', [MCP.extension]],
    ['results of tools', [MCP.toolResult]],
    ['all of these', [REST, MCP.extension, MCP.toolResult]],
  ])('8 at once with one header, over %s: one search, one settlement, one 200', async (_name, doors) => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const header = encoded(await signed(sandbox, wallet));
    const [settlements, before] = [sandbox.facilitator.calls('settle'), searches()];
    const urls = processes.flatMap(({ url }) => [url, url]);
    const asked = urls.map((url, index) => doors[index % doors.length]?.ask(url, header));
    const statuses = (await Promise.all(asked)).map((response) => response?.status);
    // A question is the same item over each, so a payment for it is known wherever it comes in.
    expect(statuses.sort()).toEqual([200, 402, 402, 402, 402, 402, 402, 402]);
    expect([searches() - before, sandbox.facilitator.calls('settle') - settlements]).toEqual([1, 1]);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });
});

const STEPS = ['acquire', 'verify', 'search', 'settling', 'settle', 'settled', 'delivered'] as const;
/** Where the journal knows of a settlement but not its outcome: whether the payment is not on the chain, or is. */
const OF_SECOND: readonly (typeof STEPS)[number][] = ['settling', 'settle'];
/**
 * Before each step, when every state of the journal is left behind; a second engine keeps these states by the same statements. The
 * journal knows no door, so of the other one it is those steps in which its answer is on the way, unless the run is a long one.
 */
const killed = [
  { ...REST, side: isSecondEngine ? 'after' : 'before', steps: isSecondEngine ? OF_SECOND : STEPS },
  ...(isSecondEngine ? [] : [{ ...MCP.toolResult, side: 'after', steps: isLong ? STEPS : STEPS.slice(-2) } as const]),
] as const;

describe.each(killed)('a process that is killed in the middle of a sale over $name', ({ ask, side, steps }) => {
  /** The other side is tested over the other binding, unless the run is a long one. */
  const sides = isLong ? (['before', 'after'] as const) : [side];
  const deaths = steps.flatMap((step) => sides.map((each) => `${each} ${step}` as const));
  /** By then the client has the whole answer. */
  const isAnswered = (death: Death): boolean => death.endsWith('delivered');

  test('at each step: after a restart the same header is served once, and charged once', async () => {
    const database = await newDatabase();
    const sales = await Promise.all(
      deaths.map(async (death) => {
        const wallet = await sandbox.chain.newWallet(3n * PRICE);
        return { death, wallet, header: encoded(await signed(sandbox, wallet)) };
      }),
    );
    for (const { death, header } of sales) {
      const dying = await start(database, death);
      const status = await ask(dying.url, header).then(
        (response) => response.status,
        () => 'cut off',
      );
      expect([death, status, await dying.ended]).toEqual([death, isAnswered(death) ? 200 : 'cut off', 'SIGKILL']);
    }
    const restarted = await start(database);
    const again = await Promise.all(
      sales.map(async ({ death, wallet, header }) => {
        const { status } = await ask(restarted.url, header);
        const third = await ask(restarted.url, header);
        return [death, status, third.status, await sandbox.chain.balanceOf(wallet.address)];
      }),
    );
    await restarted.kill();
    // Whether an answer arrived is known only when it was noted; one that was not is handed out once more.
    const second = (death: Death): number => (death === 'after delivered' ? 402 : 200);
    expect(again).toEqual(deaths.map((death) => [death, second(death), 402, 2n * PRICE]));
    const store = await openStore(database);
    const states = (await store.payments.list({ limit: 100 })).map(({ state, delivered_at }) => [
      state,
      delivered_at !== null,
    ]);
    expect(states).toEqual(deaths.map(() => ['settled', true]));
    await store.close();
  });
});

describe('many payers at once', () => {
  const PAYERS = isLong ? 200 : 25;
  /** The facilitator settles one after the other, so on a busy machine the last one waits long. */
  const TIMEOUT_MS = 240_000;

  test('an answer and a transfer for each, and nothing left in the journal', async () => {
    const store = await openStore(await newDatabase());
    const timeouts = { verifyTimeoutMs: TIMEOUT_MS, settleTimeoutMs: TIMEOUT_MS };
    const service = await startPaidService(sandbox, { store, ...timeouts });
    const before = await sandbox.chain.balanceOf(sandbox.payTo);
    const headers = await Promise.all(
      Array.from({ length: PAYERS }, async () => encoded(await signed(sandbox, await sandbox.chain.newWallet(PRICE)))),
    );
    const responses = await Promise.all(headers.map((header) => REST.ask(service.url, header)));
    const bodies = await Promise.all(responses.map((response) => response.json()));
    expect(responses.filter(({ status }) => status === 200).length).toBe(PAYERS);
    const transactions = new Set(bodies.map((body) => (body as { meta: { transaction: string } }).meta.transaction));
    expect(transactions.size).toBe(PAYERS);
    expect(await sandbox.chain.balanceOf(sandbox.payTo)).toBe(before + BigInt(PAYERS) * PRICE);
    await service.close();
    // A day of its own each, when midnight comes between.
    const days = await store.payments.totals({});
    const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
    const totals = [
      sum(({ payments }) => payments),
      sum(({ amount }) => Number(amount)),
      sum((day) => day.undelivered),
    ];
    expect(totals).toEqual([PAYERS, PAYERS * Number(PRICE), 0]);
    expect((await store.payments.list({ limit: 1_000 })).filter(({ state }) => state !== 'settled')).toEqual([]);
    await store.close();
  });
});
