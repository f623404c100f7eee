import { getAddress, type Hex, serializeErc6492Signature } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FundedWallet } from '../../../src/sandbox/chain.ts';
import { newContractWallet, newCounterfactualWallet } from '../../support/contract-wallet.ts';
import { type PaidService, startPaidService } from '../../support/paid-service.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { ask, codeOf, encoded, type SignedPayment, signed } from '../../support/signing.ts';

const PRICE = 10_000n;
const EVM = 'invalid_exact_evm_';

let sandbox: Sandbox;
let service: PaidService;
/** The same without a node of its own. */
let blind: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startPaidService(sandbox);
  blind = await startPaidService(sandbox, { store: service.store, rpcUrl: undefined });
});
afterAll(async () => {
  await blind.close();
  await service.close();
  await sandbox.close();
});

/** A payment whose signature is written otherwise. */
async function rewritten(wallet: FundedWallet, write: (signature: Hex) => Hex): Promise<SignedPayment> {
  const { payload, ...rest } = await signed(sandbox, wallet);
  return { ...rest, payload: { ...payload, signature: write(payload.signature) } };
}

const reasonOf = async (response: Response) => codeOf(((await response.json()) as { error: string }).error);

describe('a wallet that is a contract', () => {
  test.each<[string, (signature: Hex) => Hex]>([
    ['in the form of a key', (signature) => signature],
    ['in a form of its own', (signature) => `0x01${signature.slice(2)}`],
  ])('200 for a signature %s, and pays once', async (_form, write) => {
    const wallet = await newContractWallet(sandbox, 3n * PRICE);
    const header = encoded(await rewritten(wallet, write));
    const responses = [await ask(service.url, header), await ask(service.url, header)];
    expect(responses.map(({ status }) => status)).toEqual([200, 402]);
    expect(await responses[0]?.json()).toMatchObject({ meta: { payer: getAddress(wallet.address) } });
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });

  test('200 of a service without a node, because the facilitator judges', async () => {
    const wallet = await newContractWallet(sandbox, PRICE);
    expect((await ask(blind.url, encoded(await signed(sandbox, wallet)))).status).toBe(200);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(0n);
  });

  test('200 before it is on the chain, and pays once; 402 for a factory that the facilitator does not know', async () => {
    const wallet = await newCounterfactualWallet(sandbox, 3n * PRICE);
    const elsewhere = serializeErc6492Signature({ address: sandbox.payTo, data: '0x01', signature: '0x02' });
    const refused = await ask(service.url, encoded(await rewritten(wallet, () => elsewhere)));
    expect([refused.status, await reasonOf(refused)]).toEqual([402, 'eip6492_factory_not_allowed']);
    const header = encoded(await rewritten(wallet, wallet.wrap));
    const responses = [await ask(service.url, header), await ask(service.url, header)];
    expect(responses.map(({ status }) => status)).toEqual([200, 402]);
    // It is on the chain now; a wallet may go on to wrap what it signs.
    expect((await ask(blind.url, encoded(await rewritten(wallet, wallet.wrap)))).status).toBe(200);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(PRICE);
  });

  test('200 of its owner while a signature of a stranger for the same authorization is judged', async () => {
    const wallet = await newContractWallet(sandbox, PRICE);
    const payment = await signed(sandbox, wallet);
    const { payload } = await signed(sandbox, {
      ...wallet,
      privateKey: (await sandbox.chain.newWallet(0n)).privateKey,
    });
    const strange = { ...payment, payload: { ...payment.payload, signature: payload.signature } };
    let answer: Promise<Response> | undefined;
    const isNoted = async () => (await service.store.payments.list({ state: 'settling', limit: 9 })).length > 0;
    const until = async (): Promise<void> => {
      // Long enough that it would be noted, were it.
      expect(await vi.waitUntil(isNoted, 500).catch(() => false)).toBe(false);
      answer = ask(service.url, encoded(payment));
    };
    sandbox.facilitator.failNext('verify', { at: 'after', answer: { until } });
    expect((await ask(service.url, encoded(strange))).status).toBe(402);
    expect((await answer)?.status).toBe(200);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(0n);
  });

  test('200 with the chain as witness, when the facilitator loses its answer', async () => {
    const wallet = await newContractWallet(sandbox, 3n * PRICE);
    sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
    expect((await ask(service.url, encoded(await signed(sandbox, wallet)))).status).toBe(200);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });

  test.each<[string, (wallet: FundedWallet, stranger: FundedWallet) => Promise<SignedPayment>]>([
    ['of a stranger', (wallet, stranger) => signed(sandbox, { ...wallet, privateKey: stranger.privateKey })],
    ['of another form', (wallet) => rewritten(wallet, (signature) => `${signature}0102`)],
    ['of its owner, for the owner', async (wallet, { address }) => signed(sandbox, { ...wallet, address })],
  ])('402 for a signature %s, and nothing is paid', async (_whose, make) => {
    const wallet = await newContractWallet(sandbox, 3n * PRICE);
    const stranger = await sandbox.chain.newWallet(PRICE);
    for (const { url } of [service, blind]) {
      const response = await ask(url, encoded(await make(wallet, stranger)));
      expect([response.status, await reasonOf(response)]).toEqual([402, `${EVM}signature`]);
    }
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(3n * PRICE);
    expect(await sandbox.chain.balanceOf(stranger.address)).toBe(PRICE);
  });
});
