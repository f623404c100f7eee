import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Limits } from '../../src/contract/plans.ts';
import { openStore } from '../../src/store/open.ts';
import type { KeyRecord } from '../../src/store/port/access.ts';
import type { Store } from '../../src/store/store.ts';
import { engine } from '../support/databases.ts';

let url: string;
let store: Store;
let now: string;
const clock = () => new Date(now);

async function keyOf(limits: Limits): Promise<KeyRecord> {
  await store.accounts.create('acme', 'enterprise', limits);
  return store.keys.create({ account: 'acme', name: 'test', level: 'read', expires_at: null });
}

const take = async (key: KeyRecord, at = now) => {
  now = at;
  const { isAdmitted, today, thisMonth } = await store.usage.take(key, '192.0.2.7');
  return [isAdmitted, today, thisMonth];
};

describe(engine.name, () => {
  beforeEach(async () => {
    ({ url } = await engine.newDatabase());
    now = '2026-11-21T12:00:00.000Z';
    store = await openStore(url, clock);
  });
  afterEach(() => store.close());

  test('a request is counted up to the limit and no further', async () => {
    const key = await keyOf({ daily: 2, monthly: null });
    expect(await take(key)).toEqual([true, 1, 1]);
    expect(await take(key)).toEqual([true, 2, 2]);
    expect(await take(key)).toEqual([false, 2, 2]);
  });

  test('a day begins at 00:00 UTC and keeps the month', async () => {
    const key = await keyOf({ daily: 1, monthly: 10 });
    expect(await take(key, '2026-11-21T23:59:59.900Z')).toEqual([true, 1, 1]);
    expect(await take(key, '2026-11-21T23:59:59.999Z')).toEqual([false, 1, 1]);
    expect(await take(key, '2026-11-22T00:00:00.000Z')).toEqual([true, 1, 2]);
  });

  test.each([
    ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['2027-02-28T23:59:59.999Z', '2027-03-01T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
  ])('a month ends at %s', async (last, first) => {
    const key = await keyOf({ daily: null, monthly: 1 });
    expect(await take(key, last)).toEqual([true, 1, 1]);
    expect(await take(key, last)).toEqual([false, 1, 1]);
    expect(await take(key, first)).toEqual([true, 1, 1]);
  });

  test('a day and a month that a faster process has begun stay begun', async () => {
    const key = await keyOf({ daily: 3, monthly: 3 });
    const [last, first] = ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'];
    expect(await take(key, last)).toEqual([true, 1, 1]);
    expect(await take(key, first)).toEqual([true, 1, 1]);
    expect(await take(key, last)).toEqual([true, 2, 2]);
    expect(await take(key, first)).toEqual([true, 3, 3]);
    expect([await take(key, last), await take(key, first)]).toEqual([
      [false, 3, 3],
      [false, 3, 3],
    ]);
  });

  test('29 February is a day of February', async () => {
    const key = await keyOf({ daily: 1, monthly: 2 });
    expect(await take(key, '2028-02-28T12:00:00.000Z')).toEqual([true, 1, 1]);
    expect(await take(key, '2028-02-29T00:00:00.000Z')).toEqual([true, 1, 2]);
  });

  test('a month that is used up binds on a fresh day', async () => {
    const key = await keyOf({ daily: 1, monthly: 2 });
    await take(key, '2026-11-21T12:00:00.000Z');
    await take(key, '2026-11-22T12:00:00.000Z');
    expect(await take(key, '2026-11-23T12:00:00.000Z')).toEqual([false, 0, 2]);
  });

  test('a refused request gives nothing back of what others use', async () => {
    const key = await keyOf({ daily: 1, monthly: 1 });
    await take(key);
    await take(key);
    expect(await store.usage.read(key)).toMatchObject({ today: 1, thisMonth: 1 });
  });

  describe('giving back', () => {
    test('takes one from day and month', async () => {
      const key = await keyOf({ daily: 1, monthly: null });
      const { at } = await store.usage.take(key, null);
      expect(await store.usage.giveBack(key, at)).toMatchObject({ today: 0, thisMonth: 0 });
      expect(await take(key)).toEqual([true, 1, 1]);
    });

    test('never goes below zero', async () => {
      const key = await keyOf({ daily: 1, monthly: null });
      const { at } = await store.usage.take(key, null);
      await store.usage.giveBack(key, at);
      expect(await store.usage.giveBack(key, at)).toMatchObject({ today: 0, thisMonth: 0 });
    });

    test('leaves a new day alone and takes one from the month', async () => {
      const key = await keyOf({ daily: 9, monthly: 9 });
      const { at } = await store.usage.take(key, null);
      expect(await take(key, '2026-11-22T00:00:00.000Z')).toEqual([true, 1, 2]);
      expect(await store.usage.giveBack(key, at)).toMatchObject({ today: 1, thisMonth: 1 });
    });

    test('leaves a new month alone', async () => {
      const key = await keyOf({ daily: 9, monthly: 9 });
      const { at } = await store.usage.take(key, null);
      expect(await take(key, '2026-12-21T12:00:00.000Z')).toEqual([true, 1, 1]);
      expect(await store.usage.giveBack(key, at)).toMatchObject({ today: 1, thisMonth: 1 });
    });
  });

  test('requests at once through two connections take each number once', async () => {
    const key = await keyOf({ daily: 500, monthly: null });
    const other = await openStore(url, clock);
    const all = await Promise.all(
      Array.from({ length: 800 }, (_, index) => (index % 2 === 0 ? store : other).usage.take(key, null)),
    );
    const admitted = all.filter(({ isAdmitted }) => isAdmitted).map(({ today }) => today);
    expect(admitted).toHaveLength(500);
    expect(new Set(admitted).size).toBe(500);
    expect(await other.usage.read(key)).toMatchObject({ today: 500 });
    await other.close();
  });

  test('keys that replaced one another share one count, whatever is given back meanwhile', async () => {
    const old = await keyOf({ daily: 9, monthly: 20 });
    const made = (await store.keys.rotate(old.id, { overlap: '24h' })) as KeyRecord;
    const before = await Promise.all([old, made, old, made].map((key) => store.usage.take(key, null)));
    const [, , ...after] = await Promise.all([
      ...[old, made].map((key) => store.usage.giveBack(key, new Date(now))),
      ...Array.from({ length: 10 }, (_, index) => store.usage.take(index % 2 === 0 ? old : made, null)),
    ]);
    expect(before.map(({ today }) => today)).toEqual([1, 2, 3, 4]);
    expect(after).toMatchObject([
      ...[3, 4, 5, 6, 7, 8, 9].map((today) => ({ isAdmitted: true, today, thisMonth: today })),
      ...Array.from({ length: 3 }, () => ({ isAdmitted: false, today: 9, thisMonth: 9 })),
    ]);
  });

  test('limits that change while requests come bind those that know them', async () => {
    const known = await keyOf({ daily: 5, monthly: null });
    await store.accounts.setPlan('acme', 'enterprise', { daily: 3, monthly: null });
    const changed = (await store.keys.list())[0] as KeyRecord;
    const taken = await Promise.all(
      [known, known, known, changed, known, known, known].map((key) => store.usage.take(key, null)),
    );
    const admittedOf = (key: KeyRecord) =>
      taken.filter(({ isAdmitted }, index) => isAdmitted && (index !== 3) === (key === known)).length;
    expect([admittedOf(known), admittedOf(changed)]).toEqual([5, 0]);
  });

  test.runIf(engine.name === 'PostgreSQL')(
    'a day that a process has begun stays begun for one whose clock is behind',
    async () => {
      const key = await keyOf({ daily: 2, monthly: 9 });
      expect(await take(key, '2026-11-22T00:00:00.000Z')).toEqual([true, 1, 1]);
      expect(await take(key, '2026-11-21T23:59:59.999Z')).toEqual([true, 2, 2]);
      expect(await take(key, '2026-11-22T00:00:00.000Z')).toEqual([false, 2, 2]);
    },
  );

  test('the last use is noted once a minute', async () => {
    const key = await keyOf({ daily: null, monthly: null });
    const noted = async (at: string) => {
      await take(key, at);
      const [listed] = await store.keys.list();
      return [listed?.last_used_at, listed?.last_used_ip];
    };
    expect(await noted('2026-11-21T12:00:00.000Z')).toEqual(['2026-11-21T12:00:00.000Z', '192.0.2.7']);
    expect(await noted('2026-11-21T12:00:59.999Z')).toEqual(['2026-11-21T12:00:00.000Z', '192.0.2.7']);
    expect(await noted('2026-11-21T12:01:00.000Z')).toEqual(['2026-11-21T12:01:00.000Z', '192.0.2.7']);
  });

  test('the last use is that of the request log, if that is later and its key was accepted', async () => {
    const key = await keyOf({ daily: null, monthly: null });
    const use = async () => {
      const [listed] = await store.keys.list('acme');
      return [listed?.last_used_at, listed?.last_used_ip];
    };
    const logged = { keyId: key.id, requestId: 'req_1', method: 'GET', route: '/x', ms: 1, code: null };
    const log = (at: string, status: number, address: string, code: string | null = null) =>
      store.requests.add([{ ...logged, at: new Date(at), status, address, code }]);
    await log('2026-11-21T11:00:00.000Z', 200, '192.0.2.1');
    expect(await use()).toEqual(['2026-11-21T11:00:00.000Z', '192.0.2.1']);
    await take(key, '2026-11-21T12:00:00.000Z');
    expect(await use()).toEqual(['2026-11-21T12:00:00.000Z', '192.0.2.7']);
    await log('2026-11-21T12:00:30.000Z', 404, '192.0.2.2');
    await log('2026-11-21T12:00:40.000Z', 200, '192.0.2.3');
    expect(await use()).toEqual(['2026-11-21T12:00:40.000Z', '192.0.2.3']);
    await log('2026-11-21T12:00:50.000Z', 401, '192.0.2.4', 'key_revoked');
    await log('2026-11-21T12:00:51.000Z', 403, '192.0.2.4', 'address_not_allowed');
    expect(await use()).toEqual(['2026-11-21T12:00:40.000Z', '192.0.2.3']);
  });
});
