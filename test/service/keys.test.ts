import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewKey } from '../../src/store/port/access.ts';
import { aCompany } from '../support/builders.ts';
import { isSecondEngine } from '../support/length.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService([aCompany()]);
});
afterEach(() => service.close());

const PATH = '/api/v1/companies';
const ask = async (key: string, headers: Record<string, string> = {}) => {
  const response = await service.get(PATH, { headers: { Authorization: `Bearer ${key}`, ...headers } });
  return { status: response.status, response, body: (await response.json()) as any };
};
const last = async () => (await service.store.keys.list()).at(-1) as { id: number };

describe('a request with a key', () => {
  describe('401', () => {
    test('is the same for an unknown key and for one whose checksum is wrong', async () => {
      const made = await service.newKey();
      const wrong = made.slice(0, -1) + (made.endsWith('a') ? 'b' : 'a');
      const other = await startService();
      const answers = [await ask(wrong), await ask(other.key)];
      await other.close();
      expect(answers.map(({ status, body }) => [status, body.error, body.code])).toEqual([
        [401, 'Invalid API key', 'invalid_key'],
        [401, 'Invalid API key', 'invalid_key'],
      ]);
      for (const { response } of answers)
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
    });

    test('refuses a key in the address, and keeps it out of the log', async () => {
      const response = await fetch(`${service.url}${PATH}?api_key=${service.key}`);
      expect(response.status).toBe(401);
      expect(service.log.join('')).not.toContain(service.key);
    });

    test('refuses a key from the moment it is revoked', async () => {
      const key = await service.newKey();
      expect((await ask(key)).status).toBe(200);
      await service.store.keys.revoke((await last()).id);
      expect(await ask(key)).toMatchObject({ status: 401, body: { error: 'Invalid API key', code: 'key_revoked' } });
    });

    test('refuses a key from the moment it expires', async () => {
      const key = await service.newKey({ expires_at: '2026-11-21T13:00:00.000Z' });
      service.setNow(new Date('2026-11-21T12:59:59.999Z'));
      expect((await ask(key)).status).toBe(200);
      service.setNow(new Date('2026-11-21T13:00:00.000Z'));
      expect(await ask(key)).toMatchObject({ status: 401, body: { code: 'key_expired' } });
    });

    test('refuses a replaced key after its overlap; until then both work and share one count', async () => {
      const old = await service.newKey();
      const made = await service.store.keys.rotate((await last()).id, { overlap: '24h' });
      const key = made?.secret ?? '';
      const remaining = [await ask(old), await ask(key)].map(({ response }) =>
        response.headers.get('x-ratelimit-daily-remaining'),
      );
      expect(remaining).toEqual(['999', '998']);
      service.setNow(new Date('2026-11-22T12:00:00.000Z'));
      expect(await ask(old)).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
      expect((await ask(key)).status).toBe(200);
    });
  });

  describe('403', () => {
    test('refuses an account without a plan, and takes its key again when it has one', async () => {
      const key = await service.newKey({ plan: 'none' });
      const { account } = (await last()) as unknown as NewKey;
      const refused = await ask(key);
      expect(refused).toMatchObject({ status: 403, body: { success: false, code: 'plan_required' } });
      expect(refused.response.headers.get('x-ratelimit-daily-limit')).toBeNull();
      await service.store.accounts.setPlan(account, 'api_access');
      expect((await ask(key)).response.headers.get('x-ratelimit-daily-remaining')).toBe('999');
    });

    test('refuses an address that the key does not allow, whatever X-Forwarded-For says, and counts nothing', async () => {
      const key = await service.newKey({ allowed_cidrs: ['192.0.2.0/24'] });
      const refused = [await ask(key), await ask(key, { 'X-Forwarded-For': '192.0.2.7' })];
      for (const answer of refused)
        expect(answer).toMatchObject({ status: 403, body: { success: false, code: 'address_not_allowed' } });
      expect((await service.store.keys.list()).at(-1)).toMatchObject({ requests_today: 0, last_used_at: null });
    });
  });

  describe('200', () => {
    test('takes an address that the key allows', async () => {
      const key = await service.newKey({ allowed_cidrs: ['192.0.2.7', '127.0.0.0/8'] });
      expect((await ask(key)).status).toBe(200);
    });

    test('notes when and from where the key was used', async () => {
      await ask(await service.newKey());
      expect((await service.store.keys.list()).at(-1)).toMatchObject({
        last_used_at: '2026-11-21T12:00:00.000Z',
        last_used_ip: '127.0.0.1',
      });
    });
  });
});

describe.skipIf(isSecondEngine)('a request through a trusted proxy', () => {
  const through = async (trustedProxies: readonly string[], forwarded: string) => {
    await service.close();
    service = await startService([], { trustedProxies });
    const key = await service.newKey({ allowed_cidrs: ['192.0.2.7'] });
    return (await ask(key, { 'X-Forwarded-For': forwarded })).status;
  };

  // Some proxies, such as Azure's gateway, add the port, which differs from connection to connection.
  test.each(['192.0.2.7', '192.0.2.7:4711', '[::ffff:192.0.2.7]:4711', '198.51.100.1:80, 192.0.2.7:4711'])(
    '200 comes from the address that the proxy names: %s',
    async (forwarded) => {
      expect(await through(['127.0.0.0/8'], forwarded)).toBe(200);
    },
  );

  test.each([
    ['the proxy names another', ['127.0.0.1'], '198.51.100.1'],
    ['the client itself wrote one before', ['127.0.0.1'], '192.0.2.7, 198.51.100.1'],
    ['what the proxy names is no address', ['127.0.0.1'], 'unknown'],
    ['the proxy is not one of ours', ['198.51.100.1'], '192.0.2.7'],
  ])('403 when %s', async (_name, proxies, forwarded) => {
    expect(await through(proxies, forwarded)).toBe(403);
  });
});
