import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { type PaidService, startPaidService } from '../../support/paid-service.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { ask, codeOf, encoded, signed } from '../../support/signing.ts';

const PRICE = 10_000n;

let sandbox: Sandbox;
let service: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startPaidService(sandbox);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
});
afterEach(() => {
  sandbox.facilitator.clearFaults();
  service.beforeSearch(async () => undefined);
});

interface Moment {
  readonly come: Promise<void>;
  arrive(): void;
}

function newMoment(): Moment {
  let arrive = (): void => undefined;
  const come = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { come, arrive };
}

const headerOf = async (balance: bigint): Promise<string> =>
  encoded(await signed(sandbox, await sandbox.chain.newWallet(balance)));

/** Holds the facilitator's verdict until the search has failed. */
function failBeforeVerdict(): void {
  const failed = newMoment();
  service.beforeSearch(async () => {
    failed.arrive();
    throw new Error('the index is gone');
  });
  sandbox.facilitator.failNext('verify', { at: 'after', answer: { until: () => failed.come } });
}

async function seen(answering: Promise<Response>): Promise<unknown[]> {
  const response = await answering;
  const { error, code } = (await response.json()) as { error?: string; code?: string };
  const said = { 402: codeOf(error), 503: code }[response.status] ?? error;
  return [response.status, said];
}

const TOO_LITTLE = [402, 'invalid_exact_evm_insufficient_balance'];

test('200: the search is made while the facilitator judges', async () => {
  const searched = newMoment();
  service.beforeSearch(async () => searched.arrive());
  // A service that waited for the verdict first would never finish.
  sandbox.facilitator.failNext('verify', { at: 'before', answer: { until: () => searched.come } });
  expect((await ask(service.url, await headerOf(PRICE))).status).toBe(200);
});

/** Holds the facilitator's verdict until what is bought is in the journal. */
async function heldUntilNoted(header: string): Promise<unknown[]> {
  sandbox.facilitator.failNext('verify', { at: 'after', answer: { until: waitUntilNoted } });
  return seen(ask(service.url, header));
}
const noted = () => service.store.payments.list({ state: 'settling', limit: 9 });
const waitUntilNoted = () => vi.waitUntil(async () => (await noted()).length > 0, { timeout: 20_000 });

test('200: what is bought is in the journal before the verdict', async () => {
  expect(await heldUntilNoted(await headerOf(PRICE))).toEqual([200, undefined]);
});

test('402 of a payment that is refused after it was noted leaves nothing of it, and nothing is settled', async () => {
  const settlements = sandbox.facilitator.calls('settle');
  // That an answer went out is noted after it has gone.
  const undelivered = () => service.store.payments.list({ isUndelivered: true, limit: 9 });
  await vi.waitUntil(async () => (await undelivered()).length === 0, { timeout: 20_000 });
  const before = await service.store.payments.list({ limit: 99 });
  expect(await heldUntilNoted(await headerOf(PRICE - 1n))).toEqual(TOO_LITTLE);
  expect(await service.store.payments.list({ limit: 99 })).toEqual(before);
  expect(sandbox.facilitator.calls('settle')).toBe(settlements);
});

test('503 of a facilitator that goes away after the payment was noted, and the same header is served later', async () => {
  const header = await headerOf(PRICE);
  const { facilitator } = sandbox;
  const until = async (): Promise<void> => {
    await waitUntilNoted();
    await facilitator.stop();
  };
  facilitator.failNext('verify', { at: 'after', answer: { until } });
  expect(await seen(ask(service.url, header))).toEqual([503, 'facilitator_unreachable']);
  expect(await noted()).toEqual([]);
  await facilitator.start();
  expect((await ask(service.url, header)).status).toBe(200);
});

test('402 of a payment that is refused when the search has failed as well, and nothing is settled', async () => {
  const settlements = sandbox.facilitator.calls('settle');
  failBeforeVerdict();
  expect(await seen(ask(service.url, await headerOf(PRICE - 1n)))).toEqual(TOO_LITTLE);
  expect(sandbox.facilitator.calls('settle')).toBe(settlements);
});

test('402 of a payment that is refused waits for no search, and nothing comes of one that fails later', async () => {
  const answered = newMoment();
  const failed = newMoment();
  service.beforeSearch(async () => {
    await answered.come;
    failed.arrive();
    throw new Error('the index is gone');
  });
  expect(await seen(ask(service.url, await headerOf(PRICE - 1n)))).toEqual(TOO_LITTLE);
  answered.arrive();
  await failed.come;
});

test('503 of a facilitator that is away when the search has failed as well, and the same header is served later', async () => {
  const header = await headerOf(PRICE);
  const failed = newMoment();
  service.beforeSearch(async () => {
    failed.arrive();
    throw new Error('the index is gone');
  });
  const away = { status: 500, body: { error: 'boom' } };
  sandbox.facilitator.failNext('verify', { at: 'before', answer: away });
  expect(await seen(ask(service.url, header))).toEqual([503, 'facilitator_unreachable']);
  await failed.come;
  service.beforeSearch(async () => undefined);
  expect((await ask(service.url, header)).status).toBe(200);
});

test('500 of a search that failed before the facilitator agreed, and nothing is settled', async () => {
  const settlements = sandbox.facilitator.calls('settle');
  failBeforeVerdict();
  const failed = await seen(ask(service.url, await headerOf(PRICE)));
  expect(failed).toEqual([500, 'External search service error']);
  expect(sandbox.facilitator.calls('settle')).toBe(settlements);
});

test('503 payment_pending when the journal cannot note what was charged, and the same header brings the answer', async () => {
  const { store } = service;
  const wallet = await sandbox.chain.newWallet(3n * PRICE);
  const header = encoded(await signed(sandbox, wallet));
  let isLocked = true;
  const settled: typeof store.payments.settled = async (...given) => {
    if (isLocked) throw new ServiceError('unavailable', 'The database cannot do this at the moment.');
    return store.payments.settled(...given);
  };
  const locked = await startPaidService(sandbox, { store: { ...store, payments: { ...store.payments, settled } } });
  expect(await seen(ask(locked.url, header))).toEqual([503, 'payment_pending']);
  expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  isLocked = false;
  expect((await ask(locked.url, header)).status).toBe(200);
  expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  await locked.close();
});
