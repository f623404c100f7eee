import { HTTPFacilitatorClient } from '@x402/core/http';
import { createPublicClient, http } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chainOf, type FundedWallet } from '../../src/sandbox/chain.ts';
import type { InjectedFault } from '../support/faulty-server.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { PRICE, requirementsOf, signPayment } from './stock-seller.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(() => {
  sandbox.facilitator.clearFaults();
  sandbox.rpc.clearFaults();
  sandbox.facilitatorChainLink.reconnect();
});

const facilitator = () => new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
/** A stock client of the facilitator, which gives up soon on what never answers. */
const clientFor = (answer: InjectedFault['answer']) =>
  answer === 'hang' ? new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl, timeoutMs: 300 }) : facilitator();

const boom: InjectedFault['answer'] = { status: 500, body: { error: 'boom' } };
const answers: readonly [string, InjectedFault['answer'], string][] = [
  ['a broken connection', 'reset', 'fetch failed'],
  ['nothing', 'hang', 'timed out'],
  ['garbage', 'garbage', 'invalid JSON'],
  ['half an answer', 'truncated', 'terminated'],
  ['HTTP 500', boom, '500'],
];

describe('a fault of settle', () => {
  const settle = async (wallet: FundedWallet, client: HTTPFacilitatorClient) =>
    client.settle(await signPayment(sandbox, wallet), requirementsOf(sandbox));

  test.each(answers)('before the chain: %s, and nothing is paid', async (_name, answer, reason) => {
    const wallet = await sandbox.chain.newWallet(PRICE);
    sandbox.facilitator.failNext('settle', { at: 'before', answer });
    await expect(settle(wallet, clientFor(answer))).rejects.toThrow(reason);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(PRICE);
    expect(await settle(wallet, facilitator())).toMatchObject({ success: true });
  });

  test.each(answers)('after the chain: %s, and it is paid', async (_name, answer, reason) => {
    const wallet = await sandbox.chain.newWallet(PRICE);
    sandbox.facilitator.failNext('settle', { at: 'after', answer });
    // The caller may give up before the work is done; what it did is seen when the work is.
    await expect(settle(wallet, clientFor(answer))).rejects.toThrow(reason);
    await expect.poll(() => sandbox.chain.balanceOf(wallet.address)).toBe(0n);
  });

  test('is any refusal that is asked for, and nothing is paid', async () => {
    const wallet = await sandbox.chain.newWallet(PRICE);
    const body = { success: false, errorReason: 'settlement_pending', transaction: '0x12', network: sandbox.network };
    sandbox.facilitator.failNext('settle', { at: 'before', answer: { status: 200, body } });
    expect(await settle(wallet, facilitator())).toMatchObject(body);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(PRICE);
  });

  test('holds the answer back after the chain until it is let go', async () => {
    const wallet = await sandbox.chain.newWallet(PRICE);
    let reach = (): void => {};
    let release = (): void => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const until = (): Promise<void> => {
      reach();
      return released;
    };
    sandbox.facilitator.failNext('settle', { at: 'after', answer: { until } });
    const settled = settle(wallet, facilitator());
    await reached;
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(0n);
    release();
    expect(await settled).toMatchObject({ success: true, payer: wallet.address });
  });
});

describe('a fault of verify', () => {
  const verify = async (client: HTTPFacilitatorClient) =>
    client.verify(await signPayment(sandbox, sandbox.wallet), requirementsOf(sandbox));

  test.each(answers)('%s, and the next call is right again', async (_name, answer, reason) => {
    sandbox.facilitator.failNext('verify', { at: 'before', answer });
    await expect(verify(clientFor(answer))).rejects.toThrow(reason);
    expect(await verify(facilitator())).toMatchObject({ isValid: true });
  });

  test('waits before the work', async () => {
    const order: string[] = [];
    const until = async (): Promise<void> => void order.push('waited');
    sandbox.facilitator.failNext('verify', { at: 'before', answer: { until } });
    expect(await verify(facilitator())).toMatchObject({ isValid: true });
    expect(order).toEqual(['waited']);
  });
});

describe('a server of the sandbox', () => {
  test('counts its calls, fails the next ones in order and then all, until it is healed', async () => {
    const { facilitator: server } = sandbox;
    const supported = async (): Promise<number> => (await fetch(`${server.url}/supported`)).status;
    const before = server.calls('supported');
    server.failAlways('supported', { at: 'before', answer: { status: 503, body: {} } });
    server.failNext(
      'supported',
      { at: 'before', answer: { status: 500, body: {} } },
      { at: 'before', answer: { status: 502, body: {} } },
    );
    const statuses = [await supported(), await supported(), await supported(), await supported()];
    server.clearFaults();
    expect([...statuses, await supported()]).toEqual([500, 502, 503, 503, 200]);
    expect(server.calls('supported')).toBe(before + 5);
  });

  test('refuses connections while it is stopped, and comes back on the same port', async () => {
    const url = `${sandbox.facilitatorUrl}/supported`;
    await sandbox.facilitator.stop();
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await sandbox.facilitator.start();
    expect((await fetch(url)).status).toBe(200);
  });

  test('answers 500 for a body that is no payment', async () => {
    const response = await fetch(`${sandbox.facilitatorUrl}/verify`, { method: 'POST', body: 'not JSON' });
    expect([response.status, await response.json()]).toEqual([500, { error: expect.any(String) }]);
  });
});

describe('a fault of the RPC', () => {
  const reader = () => {
    const transport = http(sandbox.rpcUrl, { retryCount: 0 });
    return createPublicClient({ chain: chainOf(sandbox.network, sandbox.rpcUrl), transport });
  };

  test('keeps a service from the chain, and nobody else', async () => {
    sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
    await expect(reader().getBlockNumber()).rejects.toThrow('HTTP request failed');
    const payment = await signPayment(sandbox, sandbox.wallet);
    expect(await facilitator().settle(payment, requirementsOf(sandbox))).toMatchObject({ success: true });
    sandbox.rpc.clearFaults();
    expect(await reader().getBlockNumber()).toBeGreaterThan(0n);
  });

  test('between facilitator and chain makes it call a good signature bad', async () => {
    const payment = await signPayment(sandbox, sandbox.wallet);
    sandbox.facilitatorChainLink.disconnect();
    const refused = { isValid: false, invalidReason: 'invalid_exact_evm_signature' };
    expect(await facilitator().verify(payment, requirementsOf(sandbox))).toMatchObject(refused);
    sandbox.facilitatorChainLink.reconnect();
    expect(await facilitator().verify(payment, requirementsOf(sandbox))).toMatchObject({ isValid: true });
  });
});
