import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { KeyRecord } from '../../src/store/port/access.ts';
import type { Store } from '../../src/store/store.ts';
import { engine } from '../support/databases.ts';

const NOON = '2026-11-21T12:00:00.000Z';
const later = (hours: number): string => new Date(Date.parse(NOON) + hours * 3_600_000).toISOString();

let url: string;
let store: Store;
let now: string;
const clock = () => new Date(now);
beforeEach(async () => {
  ({ url } = await engine.newDatabase());
  now = NOON;
});
afterEach(() => store.close());

const aKey = { account: 'acme', name: 'test', level: 'read', expires_at: null } as const;

describe(engine.name, () => {
  beforeEach(async () => {
    store = await openStore(url, clock);
    await store.accounts.create('acme', 'api_access');
    await store.accounts.create('other', 'api_access');
  });
  const statuses = async (account?: string) => (await store.keys.list(account)).map((key) => key.status);

  describe('a key', () => {
    test('keeps what was chosen, in one spelling', async () => {
      const made = await store.keys.create({
        ...aKey,
        name: ' laptop ',
        allowed_cidrs: ['10.1.2.3/8', '192.0.2.7', '::ffff:198.51.100.0/120', '2001:DB8::1/32'],
        expires_at: '2026-11-21T13:00:00Z',
        created_by: 'ada',
      });
      expect(made).toMatchObject({
        account: 'acme',
        plan: 'api_access',
        limits: { daily: 1_000, monthly: 30_000 },
        name: 'laptop',
        allowed_cidrs: ['10.0.0.0/8', '192.0.2.7', '198.51.100.0/24', '2001:db8::/32'],
        expires_at: later(1),
        created_by: 'ada',
        last_used_at: null,
        rotated_from: null,
      });
    });

    test.each([
      [{ name: '' }, 'name must be at least 1 character'],
      [{ name: '  ' }, 'name must be at least 1 character'],
      [{ name: 'x'.repeat(51) }, 'name must be at most 50 characters'],
      [{ expires_at: NOON }, 'expires_at must lie in the future'],
      [{ expires_at: 'tomorrow' }, 'expires_at must be a valid datetime'],
      [{ allowed_cidrs: ['10.0.0.0/33'] }, 'allowed_cidrs.0 must be an address or a range, such as 192.0.2.7'],
    ])('is refused with %j', async (given, message) => {
      await expect(store.keys.create({ ...aKey, ...given })).rejects.toThrow(message);
      expect(await store.keys.list()).toEqual([]);
    });

    test('is one of at most ten active ones of its account, also when two processes make them at once', async () => {
      const other = await openStore(url, clock);
      const made = await Promise.allSettled(
        Array.from({ length: 14 }, (_, index) => (index % 2 === 0 ? store : other).keys.create(aKey)),
      );
      await other.close();
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      await expect(store.keys.create(aKey)).rejects.toThrow('The account has 10 active keys');
      await store.keys.create({ ...aKey, account: 'other' });
      await store.keys.revoke(1);
      await store.keys.create(aKey);
    });

    test('leaves its place free when it expires or is replaced', async () => {
      for (let made = 0; made < 10; made += 1) await store.keys.create({ ...aKey, expires_at: later(1) });
      await store.keys.rotate(1, { overlap: '24h' });
      await expect(store.keys.create(aKey)).rejects.toThrow('active keys');
      now = later(2);
      await store.keys.create(aKey);
    });

    test('of another account is as if it did not exist', async () => {
      const { id } = await store.keys.create({ ...aKey, account: 'other' });
      expect(await store.keys.revoke(id, 'acme')).toBeUndefined();
      expect(await store.keys.rotate(id, { overlap: '0' }, 'acme')).toBeUndefined();
      expect(await store.keys.list('acme')).toEqual([]);
      expect(await statuses('other')).toEqual(['active']);
      expect(await store.keys.revoke(id, 'other')).toMatchObject({ id, revoked_at: NOON });
    });
  });

  describe('rotation', () => {
    test('makes another secret and keeps everything else', async () => {
      const { secret, ...old } = await store.keys.create({
        ...aKey,
        level: 'write',
        allowed_cidrs: ['192.0.2.7'],
        expires_at: later(100),
      });
      const made = await store.keys.rotate(old.id, { overlap: '24h', created_by: 'ada' });
      expect(made?.secret).not.toBe(secret);
      const { account, name, level, allowed_cidrs, expires_at } = old;
      expect(made).toMatchObject({ account, name, level, allowed_cidrs, expires_at, rotated_from: old.id });
      expect(made?.created_by).toBe('ada');
      expect(await store.keys.find(secret)).toMatchObject({ replaced_at: NOON, overlap_ends_at: later(24) });
    });

    test.each([
      ['0', 0],
      ['1h', 1],
      ['24h', 24],
      ['7d', 168],
    ] as const)('with the overlap %s ends the old key after it', async (overlap, hours) => {
      const { id } = await store.keys.create(aKey);
      await store.keys.rotate(id, { overlap });
      now = new Date(Date.parse(later(hours)) - 1).toISOString();
      if (hours > 0) expect(await statuses()).toEqual(['replaced', 'active']);
      now = later(hours);
      expect(await statuses()).toEqual(['revoked', 'active']);
    });

    test('goes on with the count of the old key, and both count into it', async () => {
      const { secret: _, ...old } = await store.keys.create(aKey);
      await store.usage.take(old, null);
      const made = (await store.keys.rotate(old.id, { overlap: '1h' })) as KeyRecord;
      await store.usage.take(old, null);
      await store.usage.take(made, null);
      expect(await store.usage.read(made)).toMatchObject({ today: 3, thisMonth: 3 });
      expect((await store.keys.list()).map((key) => key.requests_today)).toEqual([3, 3]);
    });

    test('is refused for a key that is revoked, expired or replaced already', async () => {
      await store.keys.create(aKey);
      await store.keys.create({ ...aKey, expires_at: later(1) });
      await store.keys.create(aKey);
      await store.keys.revoke(1);
      await store.keys.rotate(3, { overlap: '7d' });
      now = later(2);
      await expect(store.keys.rotate(1, { overlap: '0' })).rejects.toThrow('The key is revoked');
      await expect(store.keys.rotate(2, { overlap: '0' })).rejects.toThrow('The key is expired');
      await expect(store.keys.rotate(3, { overlap: '0' })).rejects.toThrow('The key is replaced');
      expect(await store.keys.rotate(99, { overlap: '0' })).toBeUndefined();
      expect(await statuses()).toEqual(['revoked', 'expired', 'replaced', 'active']);
    });
  });

  describe('the audit log', () => {
    const entries = async () => (await store.audit.list({ limit: 100 })) as any[];

    test('has each change of keys and accounts with who made it, before and after, and no secret', async () => {
      const author = { account: 'acme', keyId: 7, requestId: 'req_test', address: '192.0.2.7' };
      const made = await store.keys.create({ ...aKey, author });
      const rotated = await store.keys.rotate(made.id, { overlap: '1h' });
      await store.keys.revoke(made.id);
      await store.accounts.setPlan('acme', 'enterprise', { daily: 5, monthly: null });
      const log = await entries();
      expect(
        log.map(({ action, target_type, target_id, account }) => [action, target_type, target_id, account]),
      ).toEqual([
        ['account.set-plan', 'accounts', 1, 'operator'],
        ['key.revoke', 'keys', 1, 'operator'],
        ['key.rotate', 'keys', 1, 'operator'],
        ['key.create', 'keys', 2, 'operator'],
        ['key.create', 'keys', 1, 'acme'],
        ['account.create', 'accounts', 2, 'operator'],
        ['account.create', 'accounts', 1, 'operator'],
      ]);
      const [plan, revoked, replaced, , created] = log;
      expect([plan.before.plan, plan.after.plan, plan.after.limits]).toEqual([
        'api_access',
        'enterprise',
        { daily: 5, monthly: null },
      ]);
      expect([revoked.before.revoked_at, revoked.after.revoked_at]).toEqual([null, NOON]);
      expect([replaced.before.replaced_at, replaced.after.overlap_ends_at]).toEqual([null, later(1)]);
      expect(created).toMatchObject({ key_id: 7, request_id: 'req_test', address: '192.0.2.7', before: null });
      for (const { secret } of [made, rotated as typeof made]) expect(JSON.stringify(log)).not.toContain(secret);
      expect(created.after).toMatchObject({ name: 'test', level: 'read', display: made.display });
    });

    test('has nothing of what was refused or changed nothing', async () => {
      await store.keys.create(aKey);
      await store.keys.revoke(1);
      const before = await entries();
      await store.keys.revoke(1);
      await store.keys.revoke(99);
      await store.accounts.setPlan('nobody', 'none');
      await expect(store.keys.rotate(1, { overlap: '0' })).rejects.toThrow();
      await expect(store.keys.create({ ...aKey, name: '' })).rejects.toThrow();
      await expect(store.accounts.create('acme', 'none')).rejects.toThrow();
      expect(await entries()).toEqual(before);
    });
  });

  describe('an account', () => {
    test('of the plan enterprise has limits of its own, or none', async () => {
      expect(await store.accounts.create('big', 'enterprise', { daily: 5, monthly: null })).toMatchObject({
        limits: { daily: 5, monthly: null },
      });
      const { secret } = await store.keys.create({ ...aKey, account: 'big' });
      expect((await store.keys.find(secret))?.limits).toEqual({ daily: 5, monthly: null });
      expect(await store.accounts.setPlan('big', 'enterprise')).toMatchObject({
        limits: { daily: null, monthly: null },
      });
      expect(await store.accounts.setPlan('big', 'api_access')).toMatchObject({
        limits: { daily: 1_000, monthly: 30_000 },
      });
    });

    test('of another plan has those of the plan', async () => {
      const own = { daily: 5, monthly: null };
      await expect(store.accounts.setPlan('acme', 'api_access', own)).rejects.toThrow('only the plan enterprise');
      await expect(store.accounts.create('x', 'enterprise', { daily: 0, monthly: 1.5 })).rejects.toThrow(
        'limits must be whole numbers from 1',
      );
    });
  });
});
