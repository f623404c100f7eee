import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type {
  Lease,
  LeaseRequest,
  LeaseResult,
  PaymentRecord,
  PurchasedResponse,
} from '../../src/store/port/payments.ts';
import type { Store } from '../../src/store/store.ts';
import { engine } from '../support/databases.ts';
import { aLeaseRequest } from '../support/lease-requests.ts';

const NOON = new Date('2026-11-21T12:00:00.000Z');
const LEASE_MS = 1_000;
const purchased: PurchasedResponse = { data: '{"companies":[]}', meta: '{"total":0}' };
const TRANSACTION = `0x${'ab'.repeat(32)}`;

const leaseRequest = (given: Partial<LeaseRequest> = {}): LeaseRequest =>
  aLeaseRequest({ valid_before: NOON.getTime() / 1_000 + 300, leaseMs: LEASE_MS, ...given });

const leaseOf = (result: LeaseResult): Lease => {
  if (!('lease' in result)) throw new Error(`no lease: ${result.kind}`);
  return result.lease;
};

describe(`the journal of payments in ${engine.name}`, () => {
  let url: string;
  let now: Date;
  let store: Store;
  beforeEach(async () => {
    ({ url } = await engine.newDatabase());
    now = NOON;
    store = await openStore(url, () => now);
  });
  afterEach(() => store.close());
  const later = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };
  const acquire = async (given: Partial<LeaseRequest> = {}) => store.payments.acquire(leaseRequest(given));
  const kindOf = async (given: Partial<LeaseRequest> = {}) => (await acquire(given)).kind;
  const settled = async (given: Partial<LeaseRequest> = {}): Promise<Lease> => {
    const lease = leaseOf(await acquire(given));
    await store.payments.settling(lease, purchased);
    await store.payments.settled(lease, TRANSACTION);
    return lease;
  };

  test('lets one work on a payment at a time, in any number of processes', async () => {
    const other = await openStore(url, () => now);
    const kinds = await Promise.all(
      [store, other, store, other].map(async ({ payments }) => (await payments.acquire(leaseRequest())).kind),
    );
    expect(kinds.sort()).toEqual(['busy', 'busy', 'busy', 'fresh']);
    await other.close();
  });

  test('lets another take over when a lease has ended, and the first cannot change anything any more', async () => {
    const first = leaseOf(await acquire());
    later(LEASE_MS - 1);
    expect(await kindOf()).toBe('busy');
    later(1);
    const second = await acquire();
    expect(second.kind).toBe('fresh');
    const { payments } = store;
    expect(await payments.renew(first, LEASE_MS)).toBe(false);
    expect(await payments.settling(first, purchased)).toBe(false);
    expect(await payments.settling(leaseOf(second), purchased)).toBe(true);
    expect(await payments.settled(first, TRANSACTION)).toBe(false);
    expect(await payments.failed(first, 'no')).toBe(false);
    expect((await payments.list({ limit: 9 })).map(({ state }) => state)).toEqual(['settling']);
  });

  test('keeps a lease that is renewed', async () => {
    const lease = leaseOf(await acquire());
    later(LEASE_MS - 1);
    expect(await store.payments.renew(lease, LEASE_MS)).toBe(true);
    later(LEASE_MS - 1);
    expect(await kindOf()).toBe('busy');
  });

  test('forgets a payment that was only looked at, and keeps one that was tried', async () => {
    await store.payments.withdraw(leaseOf(await acquire()));
    expect(await store.payments.list({ limit: 9 })).toEqual([]);
    const tried = leaseOf(await acquire());
    await store.payments.settling(tried, purchased);
    await store.payments.failed(tried, 'ECONNREFUSED');
    await store.payments.withdraw(leaseOf(await acquire()));
    expect(await store.payments.list({ limit: 9 })).toMatchObject([{ state: 'failed', reason: 'ECONNREFUSED' }]);
    expect(await kindOf()).toBe('fresh');
  });

  test('is as it was before when what was about to be handed over is withdrawn', async () => {
    const first = leaseOf(await acquire());
    await store.payments.settling(first, purchased);
    await store.payments.withdraw(first);
    expect(await store.payments.list({ limit: 9 })).toEqual([]);
    const tried = leaseOf(await acquire());
    await store.payments.failed(tried, 'ECONNREFUSED');
    const again = leaseOf(await acquire());
    await store.payments.settling(again, purchased);
    await store.payments.withdraw(again);
    expect(await store.payments.list({ limit: 9 })).toMatchObject([{ state: 'failed', reason: 'ECONNREFUSED' }]);
    expect(await kindOf()).toBe('fresh');
  });

  test('withdraws nothing that another has taken over, or that was paid', async () => {
    const late = leaseOf(await acquire());
    await store.payments.settling(late, purchased);
    later(LEASE_MS);
    const heir = await acquire();
    expect(heir.kind).toBe('pending');
    await store.payments.withdraw(late);
    expect(await store.payments.list({ limit: 9 })).toMatchObject([{ state: 'settling' }]);
    await store.payments.settled(leaseOf(heir), TRANSACTION);
    await store.payments.withdraw(leaseOf(heir));
    expect(await store.payments.list({ limit: 9 })).toMatchObject([{ state: 'settled' }]);
  });

  test('remembers what was bought by a payment whose outcome is open, and for what', async () => {
    const lease = leaseOf(await acquire());
    await store.payments.settling(lease, purchased);
    await store.payments.unknown(lease, 'timed_out');
    expect(await acquire()).toMatchObject({
      kind: 'pending',
      purchased,
      record: { state: 'unknown', reason: 'timed_out' },
    });
    later(LEASE_MS);
    expect(await kindOf({ item: '/b' })).toBe('elsewhere');
  });

  test('is closed to another signature from when it may have been charged', async () => {
    const forged = (): Promise<string> => kindOf({ signature_hash: 'other' });
    const open = await acquire();
    expect(await forged()).toBe('busy');
    const lease = leaseOf(open);
    await store.payments.settling(lease, purchased);
    expect([await forged(), await kindOf()]).toEqual(['forged', 'busy']);
    await store.payments.unknown(lease, 'timed_out');
    expect(await forged()).toBe('forged');
    await store.payments.settled(leaseOf(await acquire()), TRANSACTION);
    later(LEASE_MS);
    expect([await forged(), await kindOf()]).toEqual(['forged', 'settled']);
  });

  test('hands out a paid answer until it was delivered, and for nothing else', async () => {
    const first = await settled();
    await store.payments.release(first);
    expect(await kindOf({ item: '/b' })).toBe('spent');
    const again = await acquire();
    expect(again).toMatchObject({ kind: 'settled', purchased, transaction: TRANSACTION });
    expect(await kindOf()).toBe('busy');
    expect(await store.payments.delivered(leaseOf(again))).toBe(true);
    expect(await kindOf()).toBe('spent');
  });

  test('hands out the answer of a named payment until its authorization ends, and then forgets it', async () => {
    const identifier = 'order-0000000000001';
    await store.payments.delivered(await settled({ identifier }));
    const again = await acquire({ identifier });
    expect(again.kind).toBe('settled');
    await store.payments.delivered(leaseOf(again));
    expect(await kindOf()).toBe('spent');
    expect(await kindOf({ identifier, nonce: '0x04' })).toBe('conflict');
    later(300_000);
    expect(await kindOf({ identifier })).toBe('spent');
    const { network, token, payer, item } = (await store.payments.list({ limit: 1 }))[0] as PaymentRecord;
    const bought = () => store.payments.bought({ network, token, payer, item });
    await store.payments.sweep();
    // Only the paying wallet can fetch it again, for a day.
    expect(await bought()).toMatchObject({ purchased: { data: expect.any(String) }, transaction: expect.any(String) });
    expect(await store.payments.bought({ network, token, payer: '0xother', item })).toBeUndefined();
    later(24 * 3_600_000);
    await store.payments.sweep();
    expect(await bought()).toBeUndefined();
    now = NOON;
    expect(await kindOf({ identifier })).toBe('spent');
  });

  test('finds what was left in the middle, and lets one look after it', async () => {
    const lease = leaseOf(await acquire());
    await store.payments.settling(lease, purchased);
    expect(await store.payments.pending(9)).toEqual([]);
    later(LEASE_MS);
    const [left] = await store.payments.pending(9);
    expect(left).toMatchObject({ id: lease.id, state: 'settling' });
    expect((await store.payments.adopt(lease.id, 'one', LEASE_MS))?.lease).toEqual({ id: lease.id, owner: 'one' });
    expect(await store.payments.adopt(lease.id, 'two', LEASE_MS)).toBeUndefined();
  });

  test('sweeps what was left before anything was charged, and nothing else', async () => {
    await acquire({ nonce: '0x11' });
    await store.payments.settling(leaseOf(await acquire({ nonce: '0x12' })), purchased);
    await store.payments.release(await settled({ nonce: '0x13' }));
    later(LEASE_MS);
    await store.payments.sweep();
    expect((await store.payments.list({ limit: 9 })).map(({ nonce }) => nonce)).toEqual(['0x13', '0x12']);
  });

  test('totals amounts that are larger than the integers of a database', async () => {
    const amount = '9000000000000000001';
    for (const nonce of ['0x31', '0x32']) await settled({ nonce, amount, token: '0x18' });
    expect(await store.payments.totals({})).toMatchObject([{ payments: 2, amount: '18000000000000000002' }]);
  });

  test('totals by UTC day of what was paid, and finds payments by what is known of them', async () => {
    await store.payments.delivered(await settled({ nonce: '0x21' }));
    await settled({ nonce: '0x22', request_id: 'req_2' });
    later(24 * 3_600_000);
    await settled({ nonce: '0x23' });
    await store.payments.settling(leaseOf(await acquire({ nonce: '0x24' })), purchased);
    const day = { network: 'eip155:84532', token: '0x01' };
    const days = [
      { ...day, day: '2026-11-21', payments: 2, amount: '20000', undelivered: 1 },
      { ...day, day: '2026-11-22', payments: 1, amount: '10000', undelivered: 1 },
    ];
    expect(await store.payments.totals({})).toEqual(days);
    expect(await store.payments.totals({ to: '2026-11-21' })).toEqual(days.slice(0, 1));
    expect(await store.payments.totals({ from: '2026-11-22' })).toEqual(days.slice(1));
    const found = async (text: string) => (await store.payments.lookUp(text)).map(({ nonce }) => nonce);
    expect([await found('0X22'), await found('req_2'), await found('3'), await found('nothing')]).toEqual([
      ['0x22'],
      ['0x22'],
      ['0x23'],
      [],
    ]);
    const listed = async (query: object) =>
      (await store.payments.list({ limit: 9, ...query })).map(({ nonce }) => nonce);
    expect(await listed({ state: 'settling' })).toEqual(['0x24']);
    expect(await listed({ isUndelivered: true, to: '2026-11-21' })).toEqual(['0x22']);
    expect(await listed({ limit: 2 })).toEqual(['0x24', '0x23']);
    expect(await listed({ before: 3 })).toEqual(['0x22', '0x21']);
  });
});
