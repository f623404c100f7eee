import { HTTPFacilitatorClient } from '@x402/core/http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FundedWallet } from '../../src/sandbox/chain.ts';
import type { Store } from '../../src/store/store.ts';
import { requirementsOf, signPayment } from '../sandbox/stock-seller.ts';
import type { InjectedFault } from './faulty-server.ts';
import { isLong } from './length.ts';
import { closedPort, openFilledStore, type PaidService, startPaidService } from './paid-service.ts';
import { type Door, REST } from './payment-doors.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { codeOf, encoded, nowSeconds, type SignedPayment, signed } from './signing.ts';

const PRICE = 10_000n;
const EVM = 'invalid_exact_evm_';
const NONCE_USED = `${EVM}nonce_already_used`;
/** Time-out of a facilitator that never responds. */
const IMPATIENT_MS = 1_500;

/** Status, reason if not 200, and amount moved from wallet to payee. */
type Seen = [status: number, reason: string | undefined, payments: bigint];

/**
 * Every outcome of a payment for a search over one transport: the response and the amount paid. Of a facilitator that fails, other
 * doors than REST have one outcome of each kind, unless the run is a long one: one gate behind them handles all.
 */
export function paymentMatrix({ name, ask }: Door): void {
  const full = isLong || name === REST.name ? test : test.skip;
  let sandbox: Sandbox;
  let store: Store;
  let service: PaidService;
  /** The same with another time-out. */
  let impatient: PaidService;
  beforeAll(async () => {
    sandbox = await startSandbox();
    store = await openFilledStore();
    service = await startPaidService(sandbox, { store });
    const timeouts = { verifyTimeoutMs: IMPATIENT_MS, settleTimeoutMs: IMPATIENT_MS };
    impatient = await startPaidService(sandbox, { store, ...timeouts });
  });
  afterAll(async () => {
    await service.close();
    await impatient.close();
    await store.close();
    await sandbox.close();
  });
  afterEach(() => {
    sandbox.facilitator.clearFaults();
    sandbox.rpc.clearFaults();
    sandbox.facilitatorChainLink.reconnect();
  });

  async function outcome(wallet: FundedWallet, before: bigint, responses: readonly Response[]): Promise<Seen[]> {
    const paid = (before - (await sandbox.chain.balanceOf(wallet.address))) / PRICE;
    const transfers = (await sandbox.chain.transfersTo(sandbox.payTo)).filter(({ from }) => from === wallet.address);
    // Only whole prices, and only to the payee.
    expect(transfers.map(({ value }) => value)).toEqual(Array.from({ length: Number(paid) }, () => PRICE));
    return Promise.all(responses.map(async (response) => [response.status, await reasonOf(response), paid] as Seen));
  }

  async function reasonOf(response: Response): Promise<string | undefined> {
    const body = (await response.clone().json()) as { error?: string; code?: string };
    return response.status === 402 ? codeOf(body.error) : body.code;
  }

  /** Sends a payment of a new wallet and returns its outcome. */
  async function seen(make: (wallet: FundedWallet) => Promise<unknown> | unknown, balance = 3n * PRICE): Promise<Seen> {
    const wallet = await sandbox.chain.newWallet(balance);
    const payment = await make(wallet);
    const response = await ask(service.url, typeof payment === 'string' ? payment : encoded(payment));
    const [only] = await outcome(wallet, balance, [response]);
    return only as Seen;
  }

  const NESTED = JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`);
  const changed = async (wallet: FundedWallet, change: (payment: SignedPayment) => unknown): Promise<unknown> =>
    change(await signed(sandbox, wallet));

  describe('a payment that is right', () => {
    test('200, and the payer pays once', async () => {
      expect(await seen((wallet) => signed(sandbox, wallet))).toEqual([200, undefined, 1n]);
    });

    test('402 for the same header again, and nothing more is paid', async () => {
      const wallet = await sandbox.chain.newWallet(3n * PRICE);
      const header = encoded(await signed(sandbox, wallet));
      const responses = [await ask(service.url, header), await ask(service.url, header)];
      expect(await outcome(wallet, 3n * PRICE, responses)).toEqual([
        [200, undefined, 1n],
        [402, NONCE_USED, 1n],
      ]);
    });

    test.each([2, 8])('%i at once with one header: one search, one settlement, one 200', async (times) => {
      const wallet = await sandbox.chain.newWallet(3n * PRICE);
      const header = encoded(await signed(sandbox, wallet));
      const [searches, settlements] = [service.searches(), sandbox.facilitator.calls('settle')];
      const responses = await Promise.all(Array.from({ length: times }, () => ask(service.url, header)));
      const outcomes = await outcome(wallet, 3n * PRICE, responses);
      expect(outcomes.sort(([left], [right]) => left - right)).toEqual([
        [200, undefined, 1n],
        ...Array.from({ length: times - 1 }, () => [402, NONCE_USED, 1n]),
      ]);
      // A search of all types asks the store for each of the three.
      expect([service.searches() - searches, sandbox.facilitator.calls('settle') - settlements]).toEqual([1, 1]);
    });

    test.each<[string, (payment: SignedPayment) => unknown]>([
      [
        'with the keys of x402 alone',
        ({ accepted: { maxAmountRequired: _own, description: _ours, ...accepted } = {}, ...rest }) => ({
          ...rest,
          accepted,
        }),
      ],
      [
        "with the specification's keys alone",
        ({ accepted: { amount: _a, extra: _e, ...accepted } = {}, ...rest }) => ({ ...rest, accepted }),
      ],
      ['without what was accepted', ({ accepted: _none, ...rest }) => rest],
      [
        'with addresses in lower case',
        ({ accepted = {}, ...rest }) => ({
          ...rest,
          accepted: {
            ...accepted,
            payTo: String(accepted['payTo']).toLowerCase(),
            asset: String(accepted['asset']).toLowerCase(),
          },
        }),
      ],
      ['with the version as text', (payment) => ({ ...payment, x402Version: '2' })],
    ])('200 %s', async (_how, change) => {
      expect(await seen((wallet) => changed(wallet, change))).toEqual([200, undefined, 1n]);
    });
  });

  describe('a payment that is wrong', () => {
    const later = (seconds: number): number => nowSeconds() + seconds;
    const flipped = ({ payload, ...rest }: SignedPayment) => ({
      ...rest,
      payload: {
        ...payload,
        signature: payload.signature.replace(/.(?=.{40}$)/, (digit) => (digit === '0' ? '1' : '0')),
      },
    });
    const ending =
      (validBefore: string) =>
      ({ payload, ...rest }: SignedPayment) => ({
        ...rest,
        payload: { ...payload, authorization: { ...payload.authorization, validBefore } },
      });
    const accepting = (accepted: Record<string, unknown>) => (payment: SignedPayment) => ({
      ...payment,
      accepted: { ...payment.accepted, ...accepted },
    });

    /** MCP rejects such a message before parsing the payment. */
    const nested: [string, string, (wallet: FundedWallet) => unknown][] = [
      ['nested too deep', 'invalid_payload', (wallet) => changed(wallet, (payment) => ({ ...payment, extra: NESTED }))],
    ];

    test.each<[string, string, (wallet: FundedWallet) => unknown]>([
      [
        'that has expired',
        `${EVM}payload_authorization_valid_before`,
        (wallet) => signed(sandbox, wallet, { validBefore: later(-60) }),
      ],
      [
        'that expires in 3 s',
        `${EVM}payload_authorization_valid_before`,
        (wallet) => signed(sandbox, wallet, { validBefore: later(3) }),
      ],
      [
        'that begins later',
        `${EVM}payload_authorization_valid_after`,
        (wallet) => signed(sandbox, wallet, { validAfter: later(120) }),
      ],
      [
        'of less than the price',
        `${EVM}payload_authorization_value_mismatch`,
        (wallet) => signed(sandbox, wallet, { value: '9999' }),
      ],
      [
        'of less, as was accepted',
        'invalid_payment_requirements',
        async (wallet) => accepting({ amount: '9999' })(await signed(sandbox, wallet, { value: '9999' })),
      ],
      [
        'of more than the price',
        `${EVM}payload_authorization_value_mismatch`,
        (wallet) => signed(sandbox, wallet, { value: '10001' }),
      ],
      ['to somebody else', `${EVM}recipient_mismatch`, (wallet) => signed(sandbox, wallet, { to: wallet.address })],
      [
        'accepted on another network',
        'invalid_network',
        (wallet) => changed(wallet, accepting({ network: 'eip155:8453' })),
      ],
      [
        'signed for another chain',
        `${EVM}signature`,
        (wallet) => signed(sandbox, wallet, { domain: { chainId: 8453 } }),
      ],
      [
        'signed for a token of another name',
        `${EVM}signature`,
        (wallet) => signed(sandbox, wallet, { domain: { name: 'USD Coin' } }),
      ],
      ['with a signature that was changed', `${EVM}signature`, (wallet) => changed(wallet, flipped)],
      [
        "in another's name",
        `${EVM}signature`,
        (wallet) =>
          changed(wallet, ({ payload, ...rest }) => ({
            ...rest,
            payload: { ...payload, authorization: { ...payload.authorization, from: sandbox.wallet.address } },
          })),
      ],
      ['that is not base64', 'invalid_payload', () => '{not base64}'],
      ['that is base64 of junk', 'invalid_payload', () => Buffer.from('junk').toString('base64')],
      ...(name === REST.name ? nested : []),
      ['without a payload', 'invalid_payload', (wallet) => changed(wallet, ({ payload: _none, ...rest }) => rest)],
      ['that ends beyond all numbers', 'invalid_payload', (wallet) => changed(wallet, ending('9'.repeat(78)))],
      ['that ends at no number', 'invalid_payload', (wallet) => changed(wallet, ending('x'.repeat(78)))],
      ['of version 1', 'invalid_payload', (wallet) => changed(wallet, (payment) => ({ ...payment, x402Version: 1 }))],
    ])('402 %s, and nothing is searched or paid', async (_which, reason, make) => {
      const searches = service.searches();
      expect(await seen(make)).toEqual([402, reason, 0n]);
      expect(service.searches()).toBe(searches);
    });

    test('402 of a wallet with too little, which only the facilitator finds, and nothing is paid', async () => {
      const reason = `${EVM}insufficient_balance`;
      expect(await seen((wallet) => signed(sandbox, wallet), PRICE - 1n)).toEqual([402, reason, 0n]);
    });

    test('leaves nothing in the journal', async () => {
      const before = await store.payments.list({ limit: 1_000 });
      await seen((wallet) => signed(sandbox, wallet), PRICE - 1n);
      await seen((wallet) => changed(wallet, flipped));
      expect(await store.payments.list({ limit: 1_000 })).toEqual(before);
    });
  });

  /** Sends a payment during a fault, and the same header again after it. */
  async function twice(
    first: PaidService,
    fail: () => unknown,
    heal: () => unknown = () => undefined,
  ): Promise<Seen[]> {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const header = encoded(await signed(sandbox, wallet));
    await fail();
    const broken = await ask(first.url, header);
    const [seenFirst] = await outcome(wallet, 3n * PRICE, [broken]);
    sandbox.facilitator.clearFaults();
    await heal();
    const again = await ask(service.url, header);
    const [seenAgain] = await outcome(wallet, 3n * PRICE, [again]);
    return [seenFirst as Seen, seenAgain as Seen];
  }

  const boom = { status: 500, body: { error: 'boom' } };
  const fails = (call: 'verify' | 'settle', fault: InjectedFault) => () => sandbox.facilitator.failAlways(call, fault);

  describe('a facilitator that fails at verify', () => {
    full.each<[string, InjectedFault['answer']]>([
      ['breaks the connection', 'reset'],
      ['answers 500', boom],
      ['answers HTML', 'garbage'],
      ['stops in the middle', 'truncated'],
      ['never answers', 'hang'],
    ])('and %s: 503, nothing is used, and the same header is served later', async (_how, answer) => {
      const slow = answer === 'hang' ? impatient : service;
      expect(await twice(slow, fails('verify', { at: 'before', answer }))).toEqual([
        [503, 'facilitator_unreachable', 0n],
        [200, undefined, 1n],
      ]);
    });

    full('and refuses connections: 503, and later 200', async () => {
      const { facilitator } = sandbox;
      expect(
        await twice(
          service,
          () => facilitator.stop(),
          () => facilitator.start(),
        ),
      ).toEqual([
        [503, 'facilitator_unreachable', 0n],
        [200, undefined, 1n],
      ]);
    });

    full('and has lost its chain, so that it calls a good signature wrong: 503, and later 200', async () => {
      const { facilitatorChainLink } = sandbox;
      expect(
        await twice(
          service,
          () => facilitatorChainLink.disconnect(),
          () => facilitatorChainLink.reconnect(),
        ),
      ).toEqual([
        [503, 'facilitator_unreachable', 0n],
        [200, undefined, 1n],
      ]);
    });

    test('and is down since the start: 402 without a payment, 503 with one', async () => {
      const alone = await startPaidService(sandbox, { store, facilitatorUrl: await closedPort() });
      const unpaid = await ask(alone.url);
      expect([unpaid.status, await unpaid.json()]).toMatchObject([402, { error: 'Payment required' }]);
      expect(await twice(alone, () => undefined)).toEqual([
        [503, 'facilitator_unreachable', 0n],
        [200, undefined, 1n],
      ]);
      await alone.close();
    });
  });

  describe('a facilitator that fails at settle', () => {
    const NOT_CONFIRMED: Seen = [503, 'payment_pending', 0n];
    const transaction = `0x${'ab'.repeat(32)}`;
    const INVENTED = { status: 200, body: { success: true, transaction, network: 'eip155:84532' } };
    const lastRecord = async () => (await store.payments.list({ limit: 1 }))[0];

    full.each<[string, InjectedFault['answer']]>([
      ['breaks the connection', 'reset'],
      ['answers 500', boom],
      ['answers HTML', 'garbage'],
      ['stops in the middle', 'truncated'],
      ['never answers', 'hang'],
      [
        'says that it failed',
        {
          status: 200,
          body: { success: false, errorReason: `${EVM}transaction_failed`, transaction: '', network: 'eip155:84532' },
        },
      ],
      [
        'says that it worked, without a transaction',
        { status: 200, body: { success: true, transaction: '', network: 'eip155:84532' } },
      ],
      ['says that it worked, with a transaction that does not exist', INVENTED],
    ])('before the chain, and %s: 503, and the same header is served later', async (_how, answer) => {
      const slow = answer === 'hang' || answer === INVENTED ? impatient : service;
      expect(await twice(slow, fails('settle', { at: 'before', answer }))).toEqual([
        NOT_CONFIRMED,
        [200, undefined, 1n],
      ]);
    });

    full.each<[string, InjectedFault['answer']]>([
      ['breaks the connection', 'reset'],
      ['answers 500', boom],
      ['answers HTML', 'garbage'],
      ['stops in the middle', 'truncated'],
      ['never answers', 'hang'],
      [
        'calls it pending',
        {
          status: 200,
          body: { success: false, errorReason: 'settlement_pending', transaction: '0x12', network: 'eip155:84532' },
        },
      ],
      [
        'refuses it',
        {
          status: 200,
          body: { success: false, errorReason: `${EVM}insufficient_balance`, transaction: '', network: 'eip155:84532' },
        },
      ],
    ])('after the chain, and %s: 200, because the chain says that it is paid', async (_how, answer) => {
      const slow = answer === 'hang' ? impatient : service;
      expect(await twice(slow, fails('settle', { at: 'after', answer }))).toEqual([
        [200, undefined, 1n],
        [402, NONCE_USED, 1n],
      ]);
    });

    full(
      'before the chain, and names the transaction of another payment: 503, and the same header is served later',
      async () => {
        const wallet = await sandbox.chain.newWallet(3n * PRICE);
        await ask(service.url, encoded(await signed(sandbox, wallet)));
        const { transaction: earlier } = (await lastRecord()) ?? {};
        const body = { ...INVENTED.body, transaction: earlier };
        sandbox.facilitator.failNext('settle', { at: 'before', answer: { ...INVENTED, body } });
        const header = encoded(await signed(sandbox, wallet));
        const responses = [await ask(impatient.url, header), await ask(service.url, header)];
        expect(await outcome(wallet, 3n * PRICE, responses)).toEqual([
          [503, 'payment_pending', 2n],
          [200, undefined, 2n],
        ]);
      },
    );

    full('after the chain, and names a transaction that does not exist: 200 with the one of the chain', async () => {
      const wallet = await sandbox.chain.newWallet(3n * PRICE);
      sandbox.facilitator.failNext('settle', { at: 'after', answer: INVENTED });
      const response = await ask(service.url, encoded(await signed(sandbox, wallet)));
      expect(await outcome(wallet, 3n * PRICE, [response])).toEqual([[200, undefined, 1n]]);
      const [paid] = (await sandbox.chain.transfersTo(sandbox.payTo)).filter(({ from }) => from === wallet.address);
      expect(await lastRecord()).toMatchObject({ transaction: paid?.transaction, reason: null });
    });

    full.each([
      ['without a node to ask', { rpcUrl: undefined }],
      ['with a node that does not answer', {}],
    ])('%s, its word is believed, and the journal says so', async (_how, options) => {
      const believing = await startPaidService(sandbox, { store, ...options });
      const wallet = await sandbox.chain.newWallet(3n * PRICE);
      sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
      sandbox.facilitator.failNext('settle', { at: 'before', answer: INVENTED });
      const response = await ask(believing.url, encoded(await signed(sandbox, wallet)));
      expect(response.status).toBe(200);
      expect(await lastRecord()).toMatchObject({ state: 'settled', transaction, reason: 'stated_by_facilitator' });
      await believing.close();
    });

    full('and refuses connections only then: 503, and later 200', async () => {
      const { facilitator } = sandbox;
      const stopping = await startPaidService(sandbox, { store });
      stopping.betweenAnswers(() => facilitator.stop());
      expect(
        await twice(
          stopping,
          () => undefined,
          () => facilitator.start(),
        ),
      ).toEqual([
        [503, 'facilitator_unreachable', 0n],
        [200, undefined, 1n],
      ]);
      await stopping.close();
    });

    full('and has lost its chain only then: 503, and later 200', async () => {
      const { facilitatorChainLink } = sandbox;
      const cutting = await startPaidService(sandbox, { store });
      cutting.betweenAnswers(async () => facilitatorChainLink.disconnect());
      expect(
        await twice(
          cutting,
          () => undefined,
          () => facilitatorChainLink.reconnect(),
        ),
      ).toEqual([NOT_CONFIRMED, [200, undefined, 1n]]);
      await cutting.close();
    });

    test('while the chain cannot be asked: 503 after it was paid, and later 200 without paying again', async () => {
      const fail = () => {
        sandbox.facilitator.failAlways('settle', { at: 'after', answer: 'reset' });
        sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
      };
      expect(await twice(service, fail, () => sandbox.rpc.clearFaults())).toEqual([
        [503, 'payment_pending', 1n],
        [200, undefined, 1n],
      ]);
    });

    test('402 when the payer has spent the money meanwhile, because that is found before the chain', async () => {
      const wallet = await sandbox.chain.newWallet(PRICE);
      const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
      const spending = await startPaidService(sandbox, { store });
      spending.betweenAnswers(async () =>
        facilitator.settle(await signPayment(sandbox, wallet), requirementsOf(sandbox)),
      );
      const response = await ask(spending.url, encoded(await signed(sandbox, wallet)));
      // The only payment made is the other one.
      expect(await outcome(wallet, PRICE, [response])).toEqual([[402, `${EVM}insufficient_balance`, 1n]]);
      await spending.close();
    });

    full(
      '200 when it was submitted by others, such as a proxy that retries, because the chain says that it is paid',
      async () => {
        const wallet = await sandbox.chain.newWallet(3n * PRICE);
        const payment = await signed(sandbox, wallet);
        const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
        const overtaken = await startPaidService(sandbox, { store });
        overtaken.betweenAnswers(() => facilitator.settle(payment as never, requirementsOf(sandbox)));
        const response = await ask(overtaken.url, encoded(payment));
        expect(await outcome(wallet, 3n * PRICE, [response])).toEqual([[200, undefined, 1n]]);
        await overtaken.close();
      },
    );

    full('503 when the token refuses meanwhile, in a way that says nothing of the payment', async () => {
      const wallet = await sandbox.chain.newWallet(3n * PRICE);
      const blocking = await startPaidService(sandbox, { store });
      blocking.betweenAnswers(() => sandbox.chain.blacklist(wallet.address));
      const response = await ask(blocking.url, encoded(await signed(sandbox, wallet)));
      expect(await outcome(wallet, 3n * PRICE, [response])).toEqual([[503, 'payment_pending', 0n]]);
      await blocking.close();
    });
  });
}
