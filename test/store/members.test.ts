import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { LoggedRequest } from '../../src/store/port/request-log.ts';
import type { Store } from '../../src/store/store.ts';
import { engine } from '../support/databases.ts';

const START = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

describe(engine.name, () => {
  let url: string;
  let store: Store;
  let now: Date;
  beforeEach(async () => {
    now = START;
    ({ url } = await engine.newDatabase());
    store = await openStore(url, () => now);
    await store.accounts.create('acme', 'api_access');
  });
  afterEach(() => store.close());

  const invite = (account: string | null) =>
    store.invitations.create({ account, email: null, role: 'owner', level: 'read', lifeMs: DAY_MS, author: OPERATOR });
  const joining = (email: string) => ({ email, hash: 'hash', author: { requestId: null, address: null } });

  describe('invitations', () => {
    test('work once, also for two at once', async () => {
      const { token } = await invite('acme');
      const tries = await Promise.allSettled([
        store.invitations.accept(token, joining('a@example.com')),
        store.invitations.accept(token, joining('b@example.com')),
      ]);
      expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await store.members.list('acme')).toMatchObject([{ role: 'owner', level: 'delete' }]);
    });

    test('end with their time, and when they are withdrawn', async () => {
      const [late, withdrawn] = [await invite('acme'), await invite('acme')];
      await store.invitations.withdraw(withdrawn.id, { account: 'acme', author: OPERATOR });
      expect((await store.invitations.find(withdrawn.token))?.status).toBe('withdrawn');
      now = new Date(START.getTime() + DAY_MS);
      expect((await store.invitations.find(late.token))?.status).toBe('expired');
      await expect(store.invitations.accept(late.token, joining('a@example.com'))).rejects.toThrow('expired');
    });

    test('leave nothing behind when the address can sign in already', async () => {
      await store.invitations.accept((await invite('acme')).token, joining('a@example.com'));
      const { token } = await invite('acme');
      await expect(store.invitations.accept(token, joining('a@example.com'))).rejects.toThrow('email');
      expect((await store.invitations.find(token))?.status).toBe('open');
    });

    test('of an address are withdrawn when it joins; its password is reset by a later one of the operator alone', async () => {
      const named = (email: string, person?: string) => {
        const author = person === undefined ? OPERATOR : { ...OPERATOR, account: 'acme', person };
        return store.invitations.create({
          account: 'acme',
          email,
          role: 'member',
          level: 'read',
          lifeMs: DAY_MS,
          author,
        });
      };
      const owner = 'owner@example.com';
      const [used, second, operators, others] = [
        await named('m@example.com', owner),
        await named('m@example.com', owner),
        await named('m@example.com'),
        await named('n@example.com', owner),
      ];
      const { id } = await store.invitations.accept(used.token, joining('m@example.com'));
      for (const { token } of [second, operators]) {
        expect((await store.invitations.find(token))?.status).toBe('withdrawn');
        await expect(store.invitations.accept(token, joining('m@example.com'))).rejects.toThrow('withdrawn');
      }
      expect((await store.invitations.find(others.token))?.status).toBe('open');
      const withdrawals = (await store.audit.list({ type: 'invitations', limit: 9 })).filter(
        ({ action }) => action === 'invitation.withdraw',
      );
      expect(withdrawals).toMatchObject([{ person: 'm@example.com' }, { person: 'm@example.com' }]);
      const late = await named('m@example.com', owner);
      await expect(store.invitations.accept(late.token, joining('m@example.com'))).rejects.toThrow('withdrawn');
      expect(
        await store.invitations.accept((await named('m@example.com')).token, joining('m@example.com')),
      ).toMatchObject({
        id,
      });
    });

    test('make the account of the first person the one of the operator', async () => {
      await store.invitations.accept((await invite('acme')).token, joining('a@example.com'));
      await store.accounts.create('other', 'api_access');
      await store.invitations.accept((await invite('other')).token, joining('b@example.com'));
      expect([await store.members.isOperator('acme'), await store.members.isOperator('other')]).toEqual([true, false]);
    });
  });

  describe('tries', () => {
    test('are counted over stores, and anew when the time is over', async () => {
      const limit = { subject: 'x', max: 2, windowMs: 1_000 };
      const other = await openStore(url, () => now);
      expect([await store.attempts.take([limit]), await other.attempts.take([limit])]).toEqual([undefined, undefined]);
      expect(await store.attempts.take([limit])).toEqual({ subject: 'x', isFirst: true });
      expect(await other.attempts.take([limit])).toEqual({ subject: 'x', isFirst: false });
      await other.close();
      now = new Date(START.getTime() + 1_000);
      expect(await store.attempts.take([limit])).toBeUndefined();
    });
  });

  describe('the log of requests', () => {
    const request = (given: Partial<LoggedRequest>): LoggedRequest => ({
      at: now,
      keyId: 1,
      requestId: 'req_1',
      method: 'GET',
      route: '/api/v1/search',
      status: 200,
      ms: 4,
      code: null,
      address: null,
      ...given,
    });
    const newKey = (account: string) => store.keys.create({ account, name: 'k', level: 'read', expires_at: null });

    test('gives pages by account, key, class and id, the newest first', async () => {
      await store.accounts.create('other', 'api_access');
      const [mine, second, foreign] = [await newKey('acme'), await newKey('acme'), await newKey('other')];
      const some = [200, 304, 404, 500, 200, 404].map((status, index) =>
        request({ status, requestId: `req_${index}`, keyId: index < 4 ? mine.id : second.id }),
      );
      await store.requests.add([...some, request({ keyId: foreign.id, requestId: 'req_x' })]);
      const ids = async (query: object): Promise<string[]> =>
        (await store.requests.list({ account: 'acme', limit: 9, ...query })).map(({ request_id }) => request_id);
      expect(await ids({})).toEqual(['req_5', 'req_4', 'req_3', 'req_2', 'req_1', 'req_0']);
      expect(await ids({ statusClass: 4 })).toEqual(['req_5', 'req_2']);
      expect(await ids({ keyId: second.id })).toEqual(['req_5', 'req_4']);
      expect(await ids({ keyId: foreign.id })).toEqual([]);
      expect(await ids({ requestId: 'req_x' })).toEqual([]);
      const [, , third] = await store.requests.list({ account: 'acme', limit: 9 });
      expect(await ids({ before: third?.id, limit: 2 })).toEqual(['req_2', 'req_1']);
    });

    test('forgets single requests after 30 days, and keeps their counts', async () => {
      const { id } = await newKey('acme');
      await store.requests.add([request({ keyId: id }), request({ keyId: id, status: 404, ms: 6 })]);
      now = new Date(START.getTime() + 31 * DAY_MS);
      await store.requests.add([request({ keyId: id, requestId: 'req_new' })]);
      expect((await store.requests.list({ account: 'acme', limit: 9 })).map(({ request_id }) => request_id)).toEqual([
        'req_new',
      ]);
      expect(await store.requests.perDay('acme', '2026-11-01')).toMatchObject([
        { day: '2026-11-21', status_class: 2, requests: 1, ms: 4 },
        { day: '2026-11-21', status_class: 4, requests: 1, ms: 6 },
        { day: '2026-12-22', status_class: 2, requests: 1 },
      ]);
    });
  });
});
