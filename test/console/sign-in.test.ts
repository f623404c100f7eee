import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { type Console, PASSWORD, startConsole, type Visitor } from '../support/console.ts';
import { isLong } from '../support/length.ts';
import { openRaw } from '../support/raw.ts';

const GUESSES = isLong ? 1_000 : 80;

let service: Console;
beforeAll(async () => {
  service = await startConsole();
});
afterAll(() => service.close());

const auditOf = async (account: string): Promise<string[]> =>
  (await service.store.audit.list({ account, limit: 200 })).map(({ action }) => action);

describe('the first owner', () => {
  test('303 to the account, once: the same link is refused afterwards, and others that were printed, too', async () => {
    const fresh = await startConsole();
    const [link, other] = [await fresh.firstLink(), await fresh.firstLink()].map((one) => new URL(one).pathname) as [
      string,
      string,
    ];
    const owner = fresh.visitor();
    expect((await owner.get(link)).status).toBe(200);
    const joined = await owner.post(link, {
      account: 'Acme',
      email: 'Ada@Example.com',
      password: PASSWORD,
      plan: 'api_access',
    });
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/account?done=welcome']);
    expect((await owner.get('/account')).text).toContain('ada@example.com');
    for (const used of [link, other]) {
      const late = fresh.visitor();
      expect(await late.get(used)).toMatchObject({
        status: 410,
        text: expect.stringContaining('href="/account" class="button primary">Sign in<') as string,
      });
      expect(
        (await late.post(used, { account: 'B', email: 'b@example.com', password: PASSWORD, plan: 'api_access' }))
          .status,
      ).toBe(403);
      await late.get('/account/sign-in');
      expect(
        (await late.post(used, { account: 'B', email: 'b@example.com', password: PASSWORD, plan: 'api_access' }))
          .status,
      ).toBe(410);
    }
    expect(await fresh.store.members.count()).toBe(1);
    const actions = (await fresh.store.audit.list({ limit: 50 })).map(({ action }) => action);
    expect(actions).toContain('invitation.refused');
    await fresh.close();
  });

  test('400 for a password that is short, or the address itself', async () => {
    const fresh = await startConsole();
    const link = new URL(await fresh.firstLink()).pathname;
    const owner = fresh.visitor();
    await owner.get(link);
    const given = { account: 'Acme', email: 'ada@example.com', plan: 'api_access' };
    for (const password of ['short', 'aaaaaaaaaaaaaaaa', 'ada@example.com']) {
      expect([password, (await owner.post(link, { ...given, password })).status]).toEqual([password, 400]);
    }
    expect(await fresh.store.members.count()).toBe(0);
    await fresh.close();
  });
});

describe('signing in', () => {
  test('gives a new secret each time, in a cookie that scripts and other sites do not get', async () => {
    const { cookies } = await service.person({ email: 'rotating@example.com' });
    const first = cookies.get('web3-bi-session');
    const again = service.visitor();
    const answer = await again.signIn('rotating@example.com');
    expect(answer.status).toBe(303);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('web3-bi-session'));
    expect(cookie).toMatch(/; Path=\/;.*HttpOnly; SameSite=Lax$/);
    expect(again.cookies.get('web3-bi-session')).not.toBe(first);
  });

  test('gives a Secure cookie that no other host can set where the public address has https', async () => {
    const secure = await startConsole([], { publicUrl: 'https://bi.example.com' });
    const { headers } = await secure.visitor().get('/account/sign-in');
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-web3-bi-form=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    await secure.close();
  });

  test('401 with the same page for an unknown address and for a wrong password', async () => {
    await service.person({ email: 'known@example.com' });
    const answers = [];
    for (const email of ['known@example.com', 'nobody@example.com', 'no address']) {
      const { status, text } = await service.visitor().signIn(email, 'wrong password here');
      answers.push([
        status,
        text
          .replace(email, 'X')
          .replace(/value="[\w-]{43}"/, '')
          .replace(email, 'X'),
      ]);
    }
    expect(answers[0]?.[0]).toBe(401);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('401 for an empty password and for none, as for any that is wrong', async () => {
    await service.person({ account: 'empty', email: 'empty@example.com' });
    const visitor = service.visitor();
    for (const email of ['empty@example.com', 'nobody-at-all@example.com']) {
      for (const password of [{ password: '' }, {}]) {
        await visitor.get('/account/sign-in');
        const begun = performance.now();
        const { status, text } = await visitor.post('/account/sign-in', { email, ...password });
        expect([status, text.includes('is not right')]).toEqual([401, true]);
        // A password was hashed all the same, or the time would tell who has one.
        expect(performance.now() - begun).toBeGreaterThan(15);
      }
    }
    expect(service.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });

  test('429 after eight guesses, also when the last is right; the audit log tells, and is not filled with it', async () => {
    const guessed = await startConsole();
    await guessed.person({ account: 'guessed', email: 'guessed@example.com' });
    const guesser = guessed.visitor();
    await guesser.get('/account/sign-in');
    const statuses = new Map<number, number>();
    for (let guess = 1; guess < GUESSES; guess += 1) {
      const { status } = await guesser.post('/account/sign-in', {
        email: 'guessed@example.com',
        password: `guess number ${guess}`,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const last = await guesser.post('/account/sign-in', { email: 'guessed@example.com', password: PASSWORD });
    expect([...statuses, last.status]).toEqual([[401, 8], [429, GUESSES - 9], 429]);
    const entries = await guessed.store.audit.list({ account: 'guessed', limit: 100 });
    const actions = entries.map(({ action }) => action);
    expect(actions.filter((action) => action === 'session.wrong')).toHaveLength(8);
    // Once for the person from this address, once for the address.
    expect(actions.filter((action) => action === 'session.limited')).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain('guess number');
    await guessed.close();
  });

  test('303 again a while after too many tries', async () => {
    const waited = await startConsole();
    waited.setNow(new Date('2026-11-21T12:00:00Z'));
    await waited.person({ email: 'waiting@example.com' });
    for (let guess = 0; guess < 9; guess += 1)
      await waited.visitor().signIn('waiting@example.com', 'wrong password here');
    expect((await waited.visitor().signIn('waiting@example.com')).status).toBe(429);
    waited.setNow(new Date('2026-11-21T12:15:01Z'));
    expect((await waited.visitor().signIn('waiting@example.com')).status).toBe(303);
    await waited.close();
  });
});

describe('a session', () => {
  test('303 to the sign-in page without one', async () => {
    const { status, headers } = await service.visitor().get('/account');
    expect([status, headers.get('location')]).toEqual([303, '/account/sign-in']);
  });

  test('that ended before a form was sent leads back to the form, and says that nothing was saved', async () => {
    const sent = {
      '/account/data/companies/acme/edit': '/account/data/companies/acme/edit',
      '/account/keys': '/account/keys/new',
      '/account/keys/7/rotate': '/account/keys/7',
      '/account/members/invite': '/account/members',
    };
    for (const [to, form] of Object.entries(sent)) {
      const visitor = service.visitor();
      const { status, headers } = await visitor.post(to, { name: 'Acme' });
      const location = new URL(headers.get('location') ?? '', service.url);
      expect([status, location.pathname, location.searchParams.get('next')]).toEqual([303, '/account/sign-in', form]);
      const { text } = await visitor.get(location.pathname + location.search);
      expect(text).toContain('Your session ended, so nothing was saved.');
      expect(text).toContain(`name="next" value="${form}"`);
    }
  });

  test('begins at the page that was asked for', async () => {
    await service.person({ email: 'returning@example.com' });
    for (const path of [
      '/account/keys',
      '/account/data?query=dex&type=all',
      '/account/members',
      '/account/usage.csv',
    ]) {
      const visitor = service.visitor();
      const asked = await visitor.get(path);
      const location = asked.headers.get('location') ?? '';
      const next = new URL(location, service.url).searchParams.get('next') ?? '';
      expect([asked.status, location.split('?')[0], next]).toEqual([303, '/account/sign-in', path]);
      expect((await visitor.get(location)).text).toContain(`name="next" value="${path.replace('&', '&amp;')}"`);
      const signedIn = await visitor.post('/account/sign-in', {
        email: 'returning@example.com',
        password: PASSWORD,
        next,
      });
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, path]);
    }
    for (const next of [
      'https://evil.example/',
      '//evil.example/account',
      '/accounts',
      '/docs',
      '/account\\@evil.example',
    ]) {
      const visitor = service.visitor();
      await visitor.get('/account/sign-in');
      const given = { email: 'returning@example.com', password: PASSWORD, next };
      expect((await visitor.post('/account/sign-in', given)).headers.get('location')).toBe('/account');
    }
  });

  test('keeps its menu where there is no such page or it may not be seen', async () => {
    const member = await service.person({ account: 'lost', role: 'member', level: 'read' });
    for (const [path, expected] of [
      ['/account/nothing', 404],
      ['/account/data/companies/nothing', 404],
      ['/account/import/nothing', 403],
    ] as const) {
      const { status, text } = await member.get(path);
      expect([path, status, text.includes('href="/account/keys"'), text.includes('<strong>lost</strong>')]).toEqual([
        path,
        expected,
        true,
        true,
      ]);
    }
    expect((await member.get('/account/nothing')).text).not.toContain('aria-current="page"');
    expect((await service.visitor().get('/account/nothing')).text).not.toContain('href="/account/keys"');
  });

  test('is refused after signing out, and the audit log tells of who shows it again', async () => {
    const left = await service.person({ account: 'left' });
    const stolen = new Map(left.cookies);
    await left.get('/account');
    expect((await left.post('/account/sign-out', {})).status).toBe(303);
    const thief = service.visitor();
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect((await thief.get('/account/keys')).status).toBe(303);
    expect(await auditOf('left')).toContain('session.refused');
  });

  test('ends for both when another browser shows it', async () => {
    const owner = await service.person({ account: 'robbed' });
    const thief = service.visitor('another browser');
    for (const [name, value] of owner.cookies) thief.cookies.set(name, value);
    expect((await thief.get('/account/keys')).status).toBe(303);
    expect((await owner.get('/account/keys')).status).toBe(303);
    expect(await auditOf('robbed')).toContain('session.stolen');
  });

  test('ends for both when a secret comes that was replaced before', async () => {
    const robbed = await startConsole();
    robbed.setNow(new Date('2026-11-21T12:00:00Z'));
    const owner = await robbed.person({ account: 'copied' });
    const thief = robbed.visitor();
    for (const [name, value] of owner.cookies) thief.cookies.set(name, value);
    robbed.setNow(new Date('2026-11-21T12:16:00Z'));
    expect((await owner.get('/account')).status).toBe(200);
    // What was under way when it was replaced still comes in.
    expect((await thief.get('/account')).status).toBe(200);
    robbed.setNow(new Date('2026-11-21T12:18:00Z'));
    expect((await thief.get('/account')).status).toBe(303);
    expect((await owner.get('/account')).status).toBe(303);
    expect((await robbed.store.audit.list({ account: 'copied', limit: 9 })).map(({ action }) => action)).toContain(
      'session.stolen',
    );
    await robbed.close();
  });

  test('ends after a day without use, and after a week', async () => {
    const aged = await startConsole();
    aged.setNow(new Date('2026-11-21T12:00:00Z'));
    const idle = await aged.person();
    aged.setNow(new Date('2026-11-22T12:00:00Z'));
    expect((await idle.get('/account')).status).toBe(303);
    await aged.close();
  });

  test('ends when the password is changed elsewhere', async () => {
    const here = await service.person({ email: 'changing@example.com' });
    const there = service.visitor();
    await there.signIn('changing@example.com');
    await here.get('/account/profile');
    expect(
      (await here.post('/account/profile', { current: 'not this one at all', password: 'another good password' }))
        .status,
    ).toBe(400);
    expect((await here.post('/account/profile', { current: PASSWORD, password: 'another good password' })).status).toBe(
      303,
    );
    expect((await here.get('/account')).status).toBe(200);
    expect((await there.get('/account')).status).toBe(303);
  });

  test('429 after 300 pages in a minute, for this session alone', async () => {
    const [fast, other] = [await service.person({ account: 'fast' }), await service.person({ account: 'slow' })];
    const pages = await Promise.all(Array.from({ length: 301 }, () => fast.get('/account/profile')));
    const [refused, ...more] = pages.filter(({ status }) => status !== 200);
    expect([refused?.status, more]).toEqual([429, []]);
    expect(refused?.text).toContain(`It works again in <strong>${refused?.headers.get('retry-after')} seconds<`);
    expect((await other.get('/account/profile')).status).toBe(200);
  });
});

describe('a form', () => {
  test('403 when it was forged: without the token, with another one, or from another site', async () => {
    const owner = await service.person({ account: 'forged' });
    await owner.get('/account/keys/new');
    const fields = { name: 'forged', level: 'read', once: 'x' };
    expect((await owner.post('/account/keys', { ...fields, form_token: '' })).status).toBe(403);
    expect((await owner.post('/account/keys', { ...fields, form_token: 'A'.repeat(43) })).status).toBe(403);
    expect((await owner.post('/account/keys', fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(await service.store.keys.list('forged')).toEqual([]);
    expect((await auditOf('forged')).filter((action) => action === 'form.forged')).toHaveLength(3);
  });

  test('403 for signing in with a form of another site', async () => {
    const visitor = service.visitor();
    expect(
      (await visitor.post('/account/sign-in', { email: 'a@example.com', password: 'x', form_token: 'x' })).status,
    ).toBe(403);
  });

  test('415 for what is no form, 413 for too much', async () => {
    const owner = await service.person();
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Cookie: cookie, 'User-Agent': 'test browser' };
    const json = { ...headers, 'Content-Type': 'application/json' };
    expect((await fetch(`${service.url}/account/keys`, { method: 'POST', headers: json, body: '{}' })).status).toBe(
      415,
    );
    expect((await owner.post('/account/keys', { name: 'x'.repeat(600_000) })).status).toBe(413);
  });
});

describe('the body of a form', () => {
  const MULTIPART = 'multipart/form-data; boundary=a';
  const ANONYMOUS = 'web3-bi-form=abc';
  const cookieOf = ({ cookies }: Visitor): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  /** The status of a POST that says it brings 19 MB and sends one byte of it; a server that waits for the rest says nothing. */
  async function statusUnread(path: string, cookie: string): Promise<number> {
    const { socket } = openRaw(service.url);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nUser-Agent: test browser\r\n`;
    socket.write(`${head}Content-Type: ${MULTIPART}\r\nContent-Length: 19000000\r\n\r\n-`);
    const first = await new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece))));
    socket.destroy();
    return Number(/^HTTP\/1.1 (\d+)/.exec(first)?.[1]);
  }

  test('is not read from whoever is not signed in, but where one signs in, and there no file is taken', async () => {
    expect(await statusUnread('/account/import', '')).toBe(303);
    expect(await statusUnread('/account/import', ANONYMOUS)).toBe(303);
    expect(await statusUnread('/account/sign-in', '')).toBe(403);
    expect(await statusUnread('/account/sign-in', ANONYMOUS)).toBe(415);
    const { pathname } = new URL(await service.firstLink());
    expect(await statusUnread(pathname, ANONYMOUS)).toBe(415);
  });

  test('is not read for what the person may not do, and has a file in an import alone', async () => {
    const member = await service.person({ account: 'unread', role: 'member', level: 'read' });
    expect(await statusUnread('/account/import', cookieOf(member))).toBe(403);
    expect(await statusUnread('/account/members/invite', cookieOf(member))).toBe(403);
    expect(await statusUnread('/account/keys', cookieOf(member))).toBe(415);
  });

  test('413 beyond 16 KB for signing in and for joining', async () => {
    const visitor = service.visitor();
    const { pathname } = new URL(await service.firstLink());
    for (const path of ['/account/sign-in', pathname]) {
      await visitor.get(path);
      const form = { email: 'a@example.com', password: 'x'.repeat(15_000) };
      expect((await visitor.post(path, form)).status).not.toBe(413);
      await visitor.get(path);
      expect((await visitor.post(path, { ...form, more: 'x'.repeat(2_000) })).status).toBe(413);
    }
  });

  test('is refused with more than 1,000 fields, before they are taken apart', async () => {
    const owner = await service.person({ account: 'fields' });
    await owner.get('/account/import');
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x']));
    const file = { name: 'a.csv', content: 'name\nAcme' };
    expect((await owner.upload('/account/import', { type: 'companies', ...fields(900) }, file)).status).toBe(200);
    expect((await owner.upload('/account/import', { type: 'companies', ...fields(1_000) }, file)).status).toBe(400);
    expect((await owner.post('/account/import', { type: 'companies', ...fields(1_000) })).status).toBe(413);
  });
});

describe('an invitation of who is a member already', () => {
  test('303 with a new password, once, for who it names, and ends the old sessions', async () => {
    const before = await service.person({ account: 'forgetful', email: 'forgetful@example.com' });
    const named = {
      account: 'forgetful',
      email: 'forgetful@example.com',
      role: 'owner',
      level: 'read',
      lifeMs: 86_400_000,
    } as const;
    const { token } = await service.store.invitations.create({ ...named, author: OPERATOR });
    const after = service.visitor();
    await after.get(`/account/invitation/${token}`);
    expect((await after.post(`/account/invitation/${token}`, { password: 'a wholly new password' })).status).toBe(303);
    expect((await before.get('/account')).status).toBe(303);
    expect((await service.visitor().signIn('forgetful@example.com')).status).toBe(401);
    expect((await service.visitor().signIn('forgetful@example.com', 'a wholly new password')).status).toBe(303);
    expect(await service.store.members.list('forgetful')).toHaveLength(1);
  });
});

describe('members', () => {
  test('may do what their role and level allow', async () => {
    const owner = await service.person({ account: 'roles' });
    const member = await service.person({
      account: 'roles',
      role: 'member',
      level: 'read',
      email: 'member@roles.example',
    });
    await member.get('/account/members');
    expect(
      (await member.post('/account/members/invite', { email: 'x@example.com', role: 'owner', level: 'delete' })).status,
    ).toBe(403);
    await member.get('/account/keys/new');
    expect((await member.post('/account/keys', { name: 'too much', level: 'delete', once: 'a' })).status).toBe(400);
    expect((await member.get('/account/import')).status).toBe(403);
    const above = await service.store.keys.create({
      account: 'roles',
      name: 'above',
      level: 'delete',
      expires_at: null,
    });
    const formsOf = async (one: Visitor) =>
      (await one.get(`/account/keys/${above.id}`)).text.match(/\/(?:rotate|revoke)(?=")/g);
    expect([await formsOf(owner), await formsOf(member)]).toEqual([['/rotate', '/revoke'], null]);
    for (const action of ['rotate', 'revoke']) {
      await member.get(`/account/keys/${above.id}`);
      const refused = await member.post(`/account/keys/${above.id}/${action}`, { name: 'above', once: action });
      expect([action, refused.status]).toEqual([action, 403]);
    }
    expect(await service.store.keys.list('roles')).toMatchObject([{ name: 'above', status: 'active' }]);
    const own = await service.store.keys.create({ account: 'roles', name: 'own', level: 'read', expires_at: null });
    expect((await member.post(`/account/keys/${own.id}/revoke`, { name: 'own' })).status).toBe(303);
    await owner.get('/account/members');
    const made = await owner.post('/account/members/invite', {
      email: 'new@example.com',
      role: 'member',
      level: 'write',
    });
    expect(made.text).toMatch(/\/account\/invitation\/[\w-]{43}/);
  });

  test('400 when an account would have no owner left', async () => {
    const owner = await service.person({ account: 'alone', email: 'alone@example.com' });
    const [only] = await service.store.members.list('alone');
    await owner.get(`/account/members/${only?.id}`);
    expect((await owner.post(`/account/members/${only?.id}`, { role: 'member', level: 'read' })).status).toBe(400);
    expect((await owner.post(`/account/members/${only?.id}/remove`, { email: 'alone@example.com' })).status).toBe(400);
  });

  test('404 for a member of another account', async () => {
    const owner = await service.person({ account: 'curious' });
    const other = await service.person({ account: 'private', email: 'private@example.com' });
    const [foreign] = await service.store.members.list('private');
    await owner.get('/account');
    expect((await owner.get(`/account/members/${foreign?.id}`)).status).toBe(404);
    expect((await owner.post(`/account/members/${foreign?.id}`, { role: 'member', level: 'read' })).status).toBe(404);
    expect((await other.get('/account')).status).toBe(200);
  });
});
