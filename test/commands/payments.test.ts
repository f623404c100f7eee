import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closedPort, openFilledStore, startPaidService } from '../support/paid-service.ts';
import { runProgram, startProgram, temporaryFolder } from '../support/program.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { ask, encoded, signed } from '../support/signing.ts';

const PRICE = 10_000n;
const folder = temporaryFolder();
const database = `sqlite:${join(folder.path, 'paid.db')}`;
let sandbox: Sandbox;
let transaction: string;

/** One payment that is done, and one that was charged without the service knowing it. */
beforeAll(async () => {
  sandbox = await startSandbox();
  const store = await openFilledStore(database);
  const service = await startPaidService(sandbox, { store });
  const header = async () => encoded(await signed(sandbox, await sandbox.chain.newWallet(PRICE)));
  const paid = (await (await ask(service.url, await header())).json()) as { meta: { transaction: string } };
  transaction = paid.meta.transaction;
  sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
  sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
  expect((await ask(service.url, await header())).status).toBe(503);
  sandbox.rpc.clearFaults();
  await service.close();
  await store.close();
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

const run = (...words: string[]) =>
  runProgram(['payments', ...words, '--database', database], { WEB3_BI_DATA: 'none' });
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout) as any;
const today = () => new Date().toISOString().slice(0, 10);

describe('web3-bi payments', () => {
  test('list shows the newest first, and only those that are asked for', async () => {
    const all = await json('list');
    expect(all.map(({ state }: { state: string }) => state)).toEqual(['unknown', 'settled']);
    expect((await json('list', '--state', 'settled')).length).toBe(1);
    expect(await json('list', '--undelivered')).toEqual([]);
    expect(await json('list', '--to', '2020-01-01')).toEqual([]);
    const { stdout } = await run('list');
    expect(stdout).toMatch(/^ID +AT +STATE +PAYER +AMOUNT/);
    expect(stdout).toContain('0.01');
  });

  test('show finds a payment by its transaction', async () => {
    expect(await json('show', transaction)).toMatchObject([
      { transaction, state: 'settled', item: '/api/v1/x402/search?q=acme&type=all&limit=10&page=1' },
    ]);
    expect((await run('show', '1')).stdout).toContain(transaction);
    expect(await run('show', '99')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no payment 99'),
    });
  });

  test('totals a day, in the token as people write it', async () => {
    expect((await run('totals')).stdout).toMatch(new RegExp(`${today()} +Base Sepolia +1 +0.01 USDC +0`));
  });

  test('export writes every payment as a file', async () => {
    const { stdout } = await run('export');
    const [heading, ...lines] = stdout.trim().split('\n');
    expect([heading?.split(',').slice(0, 3), lines.length]).toEqual([['id', 'created_at', 'settled_at'], 2]);
    const objects = (await run('export', '--format', 'ndjson')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects.map(({ id }) => id)).toEqual([2, 1]);
  });

  test('reconcile lets the chain decide what is open', async () => {
    expect(await run('reconcile')).toMatchObject({ code: 1, stderr: expect.stringContaining('WEB3_BI_RPC_URL') });
    const rpc = ['--rpc-url', sandbox.rpcUrl];
    expect(await json('reconcile', '--settled', ...rpc)).toEqual({
      ok: true,
      findings: [
        { id: 1, state: 'settled', chain: 'paid' },
        { id: 2, state: 'settled', chain: 'paid' },
      ],
    });
    expect((await json('list', '--undelivered')).length).toBe(1);
    expect(await run('reconcile', ...rpc)).toMatchObject({ code: 0, stderr: 'No payment is open.\n' });
  });

  test.each([
    [['list', '--state', 'paid'], '--state must be one of'],
    [['list', '--from', 'yesterday'], '--from must be a day'],
    [['list', '--from', '2026-02-30'], '--from must be a day'],
    [['export', '--format', 'xml'], '--format must be one of csv, ndjson'],
    [['take'], 'payments needs one of list, show, totals, export, reconcile'],
  ])('%j is refused in one line', async (words, text) => {
    expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
  });
});

describe('web3-bi doctor, where payments are taken', () => {
  const findings = async (settings: Record<string, string>) => {
    const { code, stdout } = await runProgram(['doctor', '--json'], {
      WEB3_BI_STATE_DIR: join(folder.path, 'doctor'),
      WEB3_BI_DATABASE_URL: database,
      WEB3_BI_DATA: 'none',
      WEB3_BI_PAY_TO: sandbox.payTo,
      WEB3_BI_FACILITATOR_URL: sandbox.facilitatorUrl,
      WEB3_BI_RPC_URL: sandbox.rpcUrl,
      ...settings,
    });
    const found = (JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] }).findings;
    const of = (name: string) => found.find(({ check }) => check === name);
    return { code, payee: of('payee'), facilitator: of('facilitator'), chain: of('chain') };
  };

  test('finds nothing wrong with payee, facilitator and chain', async () => {
    expect(await findings({})).toMatchObject({
      code: 0,
      payee: { ok: true, detail: `${sandbox.payTo} on Base Sepolia (eip155:84532)` },
      facilitator: { ok: true, detail: `${sandbox.facilitatorUrl} settles payments on Base Sepolia (eip155:84532)` },
      chain: { ok: true },
    });
  });

  test('says of each what is wrong, and what to do', async () => {
    const mistyped = sandbox.asset.replace('0x036Cb', '0x036CB');
    const closed = await closedPort();
    const facilitatorOf = (detail: string) => ({ code: 1, facilitator: { ok: false, detail } });
    expect(await findings({ WEB3_BI_PAY_TO: mistyped })).toMatchObject({ code: 1, payee: { ok: false } });
    expect(await findings({ WEB3_BI_NETWORK: 'eip155:8453' })).toMatchObject({
      ...facilitatorOf(`${sandbox.facilitatorUrl} does not settle payments on Base (eip155:8453)`),
      chain: { ok: false, detail: 'WEB3_BI_RPC_URL serves chain 84532 instead of 8453' },
    });
    expect(await findings({ WEB3_BI_FACILITATOR_URL: `${closed}/a-secret` })).toMatchObject(
      facilitatorOf(`${closed} does not respond (ECONNREFUSED)`),
    );
    sandbox.facilitator.failAlways('supported', { at: 'before', answer: 'garbage' });
    expect(await findings({})).toMatchObject(
      facilitatorOf(`${sandbox.facilitatorUrl} does not respond (unreadable_answer)`),
    );
    sandbox.facilitator.failAlways('supported', { at: 'before', answer: 'hang' });
    expect(await findings({ WEB3_BI_VERIFY_TIMEOUT_MS: '300' })).toMatchObject(
      facilitatorOf(`${sandbox.facilitatorUrl} does not respond (timed_out)`),
    );
    sandbox.facilitator.clearFaults();
  });
});

describe('web3-bi serve', () => {
  test('refuses an address that cannot be paid, before it opens anything', async () => {
    const mistyped = sandbox.asset.replace('0x036Cb', '0x036CB');
    for (const payTo of [mistyped, `0x${'0'.repeat(40)}`]) {
      const started = startProgram([
        'serve',
        '--port',
        '0',
        '--database',
        `sqlite:${join(folder.path, 'none.db')}`,
        '--pay-to',
        payTo,
      ]);
      await expect(started).rejects.toThrow(/ended with 1 .*WEB3_BI_PAY_TO is wrong/s);
    }
  });

  test('sells when it is told who is paid', async () => {
    const { url, stop } = await startProgram(['serve', '--port', '0', '--database', database, '--data', 'none'], {
      WEB3_BI_PAY_TO: sandbox.payTo,
      WEB3_BI_FACILITATOR_URL: sandbox.facilitatorUrl,
      WEB3_BI_RPC_URL: sandbox.rpcUrl,
      WEB3_BI_LOG_LEVEL: 'error',
    });
    const wallet = await sandbox.chain.newWallet(PRICE);
    expect((await ask(url, encoded(await signed(sandbox, wallet)))).status).toBe(200);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(0n);
    expect(await stop()).toBe(0);
  });
});
