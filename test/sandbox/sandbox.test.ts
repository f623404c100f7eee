import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { HTTPFacilitatorClient } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import axios from 'axios';
import { createPublicClient, http, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NetworkId } from '../../src/contract/networks.ts';
import { chainOf } from '../../src/sandbox/chain.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { nowSeconds, signed } from '../support/signing.ts';
import { PRICE, requirementsOf, type StockSeller, schemeOf, signPayment, startStockSeller } from './stock-seller.ts';

const DOMAIN_SEPARATORS: Record<NetworkId, string> = {
  'eip155:84532': '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818',
  'eip155:8453': '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
};

describe.each(Object.keys(DOMAIN_SEPARATORS) as NetworkId[])('the sandbox of %s', (network) => {
  let sandbox: Sandbox;
  let shop: StockSeller;
  beforeAll(async () => {
    sandbox = await startSandbox({ network });
    shop = await startStockSeller(sandbox);
  });
  afterAll(async () => {
    await shop.close();
    await sandbox.close();
  });

  test('has a token with the domain of the real one, at its address', async () => {
    const client = createPublicClient({ chain: chainOf(network, sandbox.rpcUrl), transport: http(sandbox.rpcUrl) });
    const abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']);
    const read = { address: sandbox.asset, abi, functionName: 'DOMAIN_SEPARATOR' } as const;
    expect(await client.readContract(read)).toBe(DOMAIN_SEPARATORS[network]);
  });

  test('lets a stock @x402/fetch client pay, and the money moves once', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network, client: schemeOf(wallet) }] });
    const response = await pay(shop.url);
    const receipt = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '');
    expect([response.status, receipt]).toMatchObject([200, { success: true, network, payer: wallet.address }]);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
    expect(await sandbox.chain.transfersTo(sandbox.payTo)).toEqual([
      { from: wallet.address, to: sandbox.payTo, value: PRICE, transaction: receipt.transaction },
    ]);
  });

  test('lets a stock @x402/axios client pay, and the money moves once', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const pay = wrapAxiosWithPaymentFromConfig(axios.create(), { schemes: [{ network, client: schemeOf(wallet) }] });
    const response = await pay.get(shop.url);
    expect([response.status, response.data]).toEqual([200, { answer: 42 }]);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });

  test('refuses a payment that was made before, at verify and at settle', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const payment = await signPayment(sandbox, wallet);
    const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
    const requirements = requirementsOf(sandbox);
    expect(await facilitator.settle(payment, requirements)).toMatchObject({ success: true });
    const used = 'invalid_exact_evm_nonce_already_used';
    expect(await facilitator.verify(payment, requirements)).toMatchObject({ isValid: false, invalidReason: used });
    expect(await facilitator.settle(payment, requirements)).toMatchObject({ success: false, errorReason: used });
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });

  test('says that a wallet has too little', async () => {
    const wallet = await sandbox.chain.newWallet(PRICE - 1n);
    const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
    const refusal = { isValid: false, invalidReason: 'invalid_exact_evm_insufficient_balance' };
    expect(await facilitator.verify(await signPayment(sandbox, wallet), requirementsOf(sandbox))).toMatchObject(
      refusal,
    );
  });
});

describe('a sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  test('settles many payments at once, and a refused one among them holds up none', async () => {
    const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
    const wallets = await Promise.all(Array.from({ length: 20 }, () => sandbox.chain.newWallet(PRICE)));
    const payments = await Promise.all(wallets.map((wallet) => signPayment(sandbox, wallet)));
    const twice = payments.flatMap((payment) => [payment, payment]);
    const settled = await Promise.all(twice.map((payment) => facilitator.settle(payment, requirementsOf(sandbox))));
    expect(settled.filter(({ success }) => success).length).toBe(20);
    expect(await sandbox.chain.balanceOf(sandbox.payTo)).toBe(20n * PRICE);
  });

  test('answers settlement_pending while no block is mined, and the payment lands with the next', async () => {
    const slow = await startSandbox({ confirmationTimeoutMs: 100 });
    try {
      const facilitator = new HTTPFacilitatorClient({ url: slow.facilitatorUrl });
      const payment = await signPayment(slow, slow.wallet);
      await slow.chain.pauseMining();
      const pending = { success: false, errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x/) };
      expect(await facilitator.settle(payment, requirementsOf(slow))).toMatchObject(pending);
      expect(await slow.chain.balanceOf(slow.payTo)).toBe(0n);
      await slow.chain.resumeMining();
      expect(await slow.chain.balanceOf(slow.payTo)).toBe(PRICE);
    } finally {
      await slow.close();
    }
  });

  test('takes a settlement back when the chain is reorganised, and settles again afterwards', async () => {
    const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
    const payment = await signPayment(sandbox, sandbox.wallet);
    const { from, nonce } = (payment.payload as { authorization: { from: `0x${string}`; nonce: `0x${string}` } })
      .authorization;
    const before = await sandbox.chain.balanceOf(sandbox.payTo);
    const snapshot = await sandbox.chain.snapshot();
    await facilitator.settle(payment, requirementsOf(sandbox));
    expect(await sandbox.chain.isUsed(from, nonce)).toBe(true);
    await sandbox.chain.revert(snapshot);
    expect(await sandbox.chain.isUsed(from, nonce)).toBe(false);
    const again = await facilitator.settle(payment, requirementsOf(sandbox));
    expect(again, JSON.stringify(again)).toMatchObject({ success: true });
    expect(await sandbox.chain.balanceOf(sandbox.payTo)).toBe(before + PRICE);
  });

  test('has a clock of its own that can be set forward', async () => {
    const other = await startSandbox();
    try {
      const start = await other.chain.now();
      await other.chain.increaseTime(3600);
      expect((await other.chain.now()).getTime()).toBeGreaterThanOrEqual(start.getTime() + 3_600_000);
      const payment = await signPayment(other, other.wallet);
      const refused = await new HTTPFacilitatorClient({ url: other.facilitatorUrl }).settle(
        payment,
        requirementsOf(other),
      );
      const expired = 'invalid_exact_evm_payload_authorization_valid_before';
      expect(refused).toMatchObject({ success: false, errorReason: expired });
      const noon = new Date('2030-01-01T12:00:00Z');
      await other.chain.setTime(noon);
      expect(await other.chain.now()).toEqual(noon);
    } finally {
      await other.close();
    }
  });

  test('accepts a payment after an hour without transactions', async () => {
    const other = await startSandbox();
    try {
      await other.chain.idle(3600);
      expect(Date.now() - (await other.chain.now()).getTime()).toBeGreaterThan(3_500_000);
      const facilitator = new HTTPFacilitatorClient({ url: other.facilitatorUrl });
      // Stock clients of other versions sign from ten minutes ago.
      const validAfter = nowSeconds() - 600;
      const payment = (await signed(other, other.wallet, { validAfter })) as unknown as PaymentPayload;
      expect(await facilitator.verify(payment, requirementsOf(other))).toMatchObject({ isValid: true });
      expect(await facilitator.settle(payment, requirementsOf(other))).toMatchObject({ success: true });
    } finally {
      await other.close();
    }
  });

  test('moves nothing from or to a blacklisted address', async () => {
    const wallet = await sandbox.chain.newWallet(PRICE);
    const payment = await signPayment(sandbox, wallet);
    await sandbox.chain.blacklist(wallet.address);
    const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
    expect(await facilitator.settle(payment, requirementsOf(sandbox))).toMatchObject({ success: false });
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(PRICE);
  });
});
