import { createTestClient, type Hex, http, parseAbi, publicActions, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NETWORKS } from '../../../src/contract/networks.ts';
import { chainOf, type FundedWallet, RECEIPT_OPTIONS } from '../../../src/sandbox/chain.ts';
import type { Store } from '../../../src/store/store.ts';
import { openFilledStore, type PaidService, startPaidService } from '../../support/paid-service.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { ask, codeOf, encoded, type SignedPayment, signed } from '../../support/signing.ts';

const PRICE = 10_000n;
/** The facilitator gives up on a transaction soon, and answers that it is pending. */
const CONFIRMATION_TIMEOUT_MS = 300;
const IMPATIENT_MS = 1_500;
/** Longer than a service without requests takes to stop. */
const HELD_MS = 500;

let sandbox: Sandbox;
let store: Store;
let service: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox({ confirmationTimeoutMs: CONFIRMATION_TIMEOUT_MS });
  store = await openFilledStore();
  service = await startPaidService(sandbox, { store });
});
afterAll(async () => {
  await service.close();
  await store.close();
  await sandbox.close();
});
afterEach(async () => {
  sandbox.facilitator.clearFaults();
  sandbox.rpc.clearFaults();
  await sandbox.chain.resumeMining();
});

interface Sale {
  readonly wallet: FundedWallet;
  readonly payment: SignedPayment;
  readonly header: string;
}

async function newSale(): Promise<Sale> {
  const wallet = await sandbox.chain.newWallet(3n * PRICE);
  const payment = await signed(sandbox, wallet);
  return { wallet, payment, header: encoded(payment) };
}

const paidBy = async ({ wallet }: Sale): Promise<bigint> =>
  3n * PRICE - (await sandbox.chain.balanceOf(wallet.address));
const rowOf = async ({ payment }: Sale) => (await store.payments.lookUp(payment.payload.authorization.nonce))[0];

/** The status, and the reason or code of an answer that is not 200. */
async function answerOf(response: Response): Promise<unknown[]> {
  const { error, code } = (await response.json()) as { error?: string; code?: string };
  return response.status === 200 ? [200] : [response.status, response.status === 402 ? codeOf(error) : code];
}

describe('a chain that stalls', () => {
  test('200 as soon as the block is there, when the facilitator has given up on it', async () => {
    const sale = await newSale();
    await sandbox.chain.pauseMining();
    const asked = ask(service.url, sale.header);
    await expect.poll(async () => (await rowOf(sale))?.state).toBe('settling');
    const calls = sandbox.rpc.calls('rpc');
    // The service asks the chain once the facilitator has answered.
    await expect.poll(() => sandbox.rpc.calls('rpc')).toBeGreaterThan(calls);
    await sandbox.chain.resumeMining();
    expect([(await asked).status, await paidBy(sale)]).toEqual([200, PRICE]);
  });

  test('503 when it takes too long, and later 200 for the same header, which is charged once', async () => {
    const hurried = await startPaidService(sandbox, { store, settleTimeoutMs: IMPATIENT_MS });
    const sale = await newSale();
    await sandbox.chain.pauseMining();
    const first = await answerOf(await ask(hurried.url, sale.header));
    await sandbox.chain.resumeMining();
    expect([first, await answerOf(await ask(hurried.url, sale.header)), await paidBy(sale)]).toEqual([
      [503, 'payment_pending'],
      [200],
      PRICE,
    ]);
    await hurried.close();
  });
});

test('a settlement without a node is recorded and answered after a restart of the database', async () => {
  let isAway = false;
  const settled: Store['payments']['settled'] = async (...given) => {
    if (isAway) throw new Error('the database restarts');
    return store.payments.settled(...given);
  };
  const away: Store = { ...store, payments: { ...store.payments, settled } };
  const seller = await startPaidService(sandbox, { store: away, rpcUrl: undefined });
  const sale = await newSale();
  isAway = true;
  const asked = ask(seller.url, sale.header);
  await expect.poll(() => seller.log.some((line) => line.includes('payment settled'))).toBe(true);
  setTimeout(() => {
    isAway = false;
  }, HELD_MS);
  expect([(await asked).status, await paidBy(sale)]).toEqual([200, PRICE]);
  expect(await rowOf(sale)).toMatchObject({ state: 'settled', transaction: expect.any(String) });
  await seller.close();
});

describe('a service that stops while a payment is settled', () => {
  test('records the outcome before it has closed, though its client is gone; without a node, too', async () => {
    let release = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stopping = await startPaidService(sandbox, { store, rpcUrl: undefined });
    const sale = await newSale();
    const client = new AbortController();
    const calls = sandbox.facilitator.calls('settle');
    sandbox.facilitator.failNext('settle', { at: 'after', answer: { until: () => isHeld } });
    const asked = ask(stopping.url, sale.header, undefined, { signal: client.signal }).catch(() => 'cut off');
    await expect.poll(() => sandbox.facilitator.calls('settle')).toBe(calls + 1);
    client.abort();
    expect(await asked).toBe('cut off');
    const closed = stopping.close();
    setTimeout(release, HELD_MS);
    await closed;
    expect(await rowOf(sale)).toMatchObject({ state: 'settled', transaction: expect.any(String), delivered_at: null });
    const other = await startPaidService(sandbox, { store, rpcUrl: undefined });
    expect((await ask(other.url, sale.header)).status).toBe(200);
    expect((await ask(other.url, sale.header)).status).toBe(402);
    expect(await paidBy(sale)).toBe(PRICE);
    await other.close();
  });
});

/** A payment that has been charged, and of which the service does not know. */
async function leaveOpen(open: PaidService): Promise<Sale> {
  const sale = await leaveOpenWithoutNode(open);
  sandbox.rpc.clearFaults();
  return sale;
}

/** The same, and no service can ask the node, so that none decides the payment in the background. */
async function leaveOpenWithoutNode(open: PaidService): Promise<Sale> {
  const sale = await newSale();
  sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
  sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
  expect(await answerOf(await ask(open.url, sale.header))).toEqual([503, 'payment_pending']);
  expect((await rowOf(sale))?.state).toBe('unknown');
  return sale;
}

describe('a payment that was left open', () => {
  test('is finished by the next process that starts, without its client; the answer waits for it', async () => {
    const sale = await leaveOpen(service);
    const settlements = sandbox.facilitator.calls('settle');
    const restarted = await startPaidService(sandbox, { store });
    await expect.poll(async () => (await rowOf(sale))?.state).toBe('settled');
    expect(await rowOf(sale)).toMatchObject({ transaction: expect.stringMatching(/^0x/), delivered_at: null });
    expect(await answerOf(await ask(restarted.url, sale.header))).toEqual([200]);
    expect([sandbox.facilitator.calls('settle') - settlements, await paidBy(sale)]).toEqual([0, PRICE]);
    await restarted.close();
  });

  test('is served after the service has got another payee, and a new payment of the old one is not', async () => {
    const [settled, unknown] = [await leaveOpen(service), await leaveOpen(service)];
    const restarted = await startPaidService(sandbox, { store, payTo: '0x000000000000000000000000000000000000dEaD' });
    await expect.poll(async () => (await rowOf(settled))?.state).toBe('settled');
    expect(await answerOf(await ask(restarted.url, settled.header))).toEqual([200]);
    expect(await answerOf(await ask(restarted.url, unknown.header))).toEqual([200]);
    const late = await newSale();
    expect((await answerOf(await ask(restarted.url, late.header)))[0]).toBe(402);
    expect([await paidBy(settled), await paidBy(unknown), await paidBy(late)]).toEqual([PRICE, PRICE, 0n]);
    await restarted.close();
  });

  test('503 for another search with the same payment, which buys nothing else', async () => {
    const sale = await leaveOpenWithoutNode(service);
    const other = await ask(service.url, sale.header, '/api/v1/x402/search?q=other');
    expect(await answerOf(other)).toEqual([503, 'payment_pending']);
    sandbox.rpc.clearFaults();
    expect(await answerOf(await ask(service.url, sale.header))).toEqual([200]);
    expect(await paidBy(sale)).toBe(PRICE);
  });

  test('stays open without a node to ask, is never 402, and is served when there is one', async () => {
    // A store of its own: another service of the store, with a node, would decide the payment in the background.
    const apart = await openFilledStore();
    const blind = await startPaidService(sandbox, { store: apart, rpcUrl: undefined });
    const sale = await newSale();
    sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
    const answers = [await ask(blind.url, sale.header), await ask(blind.url, sale.header)];
    expect(await Promise.all(answers.map(answerOf))).toEqual([
      [503, 'payment_pending'],
      [503, 'payment_pending'],
    ]);
    const sighted = await startPaidService(sandbox, { store: apart });
    expect(await answerOf(await ask(sighted.url, sale.header))).toEqual([200]);
    expect(await paidBy(sale)).toBe(PRICE);
    for (const each of [blind, sighted, apart]) await each.close();
  });

  test('is served without a node as well, when the first settlement never got to the chain', async () => {
    const blind = await startPaidService(sandbox, { store, rpcUrl: undefined });
    const sale = await newSale();
    sandbox.facilitator.failNext('settle', { at: 'before', answer: 'reset' });
    const answers = [await ask(blind.url, sale.header), await ask(blind.url, sale.header)];
    expect(await Promise.all(answers.map(answerOf))).toEqual([[503, 'payment_pending'], [200]]);
    expect(await paidBy(sale)).toBe(PRICE);
    await blind.close();
  });

  test('402 when its payer has canceled it, because then nothing was paid', async () => {
    const sale = await newSale();
    const canceling = await startPaidService(sandbox, { store });
    canceling.betweenAnswers(() => cancel(sale));
    sandbox.facilitator.failNext('settle', { at: 'before', answer: 'reset' });
    const answer = await ask(canceling.url, sale.header);
    expect(await answerOf(answer)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
    expect([(await rowOf(sale))?.reason, await paidBy(sale)]).toEqual(['authorization_void', 0n]);
    await canceling.close();
  });

  // It sets the chain's clock forward, so it comes last.
  test('402 when it was not used in its time', async () => {
    const sale = await newSale();
    sandbox.facilitator.failNext('settle', { at: 'before', answer: 'reset' });
    expect(await answerOf(await ask(service.url, sale.header))).toEqual([503, 'payment_pending']);
    await sandbox.chain.increaseTime(3_600);
    const reason = 'invalid_exact_evm_payload_authorization_valid_before';
    const [status, stated] = await answerOf(await ask(service.url, sale.header));
    // Where the recovery of the service saw it first, the facilitator is asked about it as about a new one.
    expect([status, [reason, 'invalid_exact_evm_transaction_simulation_failed']]).toEqual([
      402,
      expect.arrayContaining([stated]),
    ]);
    expect([await rowOf(sale), await paidBy(sale)]).toMatchObject([{ state: 'failed', reason }, 0n]);
  });
});

/** Cancels an authorization in its payer's name; anybody may bring it to the chain. */
async function cancel({ wallet, payment }: Sale): Promise<void> {
  const { chainId, token } = NETWORKS[sandbox.network];
  const chain = chainOf(sandbox.network, sandbox.rpcUrl);
  const client = createTestClient({ mode: 'anvil', chain, transport: http(sandbox.rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
  const message = { authorizer: wallet.address, nonce: payment.payload.authorization.nonce as Hex };
  const account = privateKeyToAccount(wallet.privateKey);
  const signature = await account.signTypedData({
    domain: { ...token.domain, chainId, verifyingContract: token.address },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message,
  });
  await client.setBalance({ address: wallet.address, value: 10n ** 18n });
  const hash = await client.writeContract({
    account,
    address: token.address,
    abi: parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']),
    functionName: 'cancelAuthorization',
    args: [message.authorizer, message.nonce, signature],
  });
  await client.waitForTransactionReceipt({ hash, ...RECEIPT_OPTIONS });
}
