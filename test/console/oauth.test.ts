import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/contract/ip-ranges.ts';
import { KNOWN_CLIENTS } from '../../src/contract/oauth.ts';
import { createClientDocuments } from '../../src/service/oauth/client-documents.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { type Console, startConsole, type Visitor } from '../support/console.ts';
import { engine } from '../support/databases.ts';
import { isSecondEngine } from '../support/length.ts';
import { type MetadataHost, startMetadataHost } from '../support/metadata-host.ts';
import { ONE_OF_EACH } from '../support/requests.ts';

/** Parameters of paths that are not 1, which every record has as its id. */
const PARAMETERS: Readonly<Record<string, string>> = { code: 'invalid_key' };

/** Documents by path; `{URL}` is the address of the document itself. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/good': '{"client_id":"{URL}","client_name":"Good","redirect_uris":["http://127.0.0.1/callback"]}',
  '/forged': '{"client_id":"https://claude.ai/oauth","client_name":"Claude","redirect_uris":["https://evil.example/"]}',
  '/nameless': '{"client_id":"{URL}","redirect_uris":["http://127.0.0.1/callback"]}',
  '/secret':
    '{"client_id":"{URL}","client_name":"S","client_secret":"x","redirect_uris":["http://127.0.0.1/callback"]}',
  '/none': '{"client_id":"{URL}","client_name":"N","redirect_uris":["javascript:alert(1)"]}',
  '/large': `{"client_id":"{URL}","client_name":"L","redirect_uris":["http://127.0.0.1/callback"],"x":"${'x'.repeat(20_000)}"}`,
  '/text': 'not a document',
};

let host: MetadataHost;
let service: Console;
/** The same service, of another process. */
let other: Console;
let ada: Visitor;

beforeAll(async () => {
  host = await startMetadataHost((request, response) => {
    const { url = '' } = request;
    if (url === '/redirect') return void response.writeHead(302, { Location: '/good' }).end();
    response.setHeader('Cache-Control', url === '/good' ? 'max-age=600' : 'no-store');
    response.end((DOCUMENTS[url] ?? '').replaceAll('{URL}', host.url + url));
  });
  const options = { isAllowed: (address: string) => ['127.0.0.1', '::1'].includes(address), ca: host.certificate };
  const { url: database } = await engine.newDatabase();
  service = await startConsole([], { database, clientDocuments: createClientDocuments(options) });
  const again = { database, publicUrl: service.url, clientDocuments: createClientDocuments(options) };
  other = await startConsole([], again);
  ada = await service.person({ email: 'ada@example.com' });
});
afterAll(async () => {
  await other?.close();
  await service?.close();
  await host?.close();
});

const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REDIRECT = 'http://127.0.0.1:7/callback';
const mcpOf = (path = '/mcp') => service.url + path;

type Fields = Readonly<Record<string, string>>;

const query = (changes: Fields): string => {
  const fields = {
    response_type: 'code',
    client_id: `${host.url}/good`,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: mcpOf(),
    state: 'xyz',
    ...changes,
  };
  return `?${new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))}`;
};

/** Where a decision leads the browser. */
async function decided(visitor: Visitor, changes: Fields = {}, form: Fields = {}): Promise<URLSearchParams> {
  const search = query(changes);
  await visitor.get(`/account/authorize${search}`);
  const answer = await visitor.post('/account/authorize', {
    request: search,
    decision: 'allow',
    level: 'read',
    ...form,
  });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

const codeOf = async (changes: Fields = {}, form: Fields = {}): Promise<string> =>
  (await decided(ada, changes, form)).get('code') ?? '';

async function send(path: string, fields: Fields, at: Console = service): Promise<{ status: number; body: any }> {
  const response = await fetch(at.url + path, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: await response.json() };
}

const redeem = (code: string, changes: Fields = {}, at?: Console) =>
  send(
    '/oauth/token',
    { grant_type: 'authorization_code', client_id: `${host.url}/good`, code, code_verifier: VERIFIER, ...changes },
    at,
  );
const renew = (token: string, changes: Fields = {}, at?: Console) =>
  send(
    '/oauth/token',
    { grant_type: 'refresh_token', client_id: `${host.url}/good`, refresh_token: token, ...changes },
    at,
  );

const ask = (path: string, message: object, token: string | undefined, at: Console = service): Promise<Response> =>
  fetch(at.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

const SEARCH = { method: 'tools/call', params: { name: 'search', arguments: { query: 'x' } } };
const search = (token: string | undefined, path = '/mcp', at?: Console) => ask(path, SEARCH, token, at);

const refused = (error: string, status = 400) => ({ status, body: { error, error_description: expect.any(String) } });

describe.skipIf(isSecondEngine)('metadata', () => {
  test.each([
    ['/.well-known/oauth-protected-resource', '/mcp'],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
    ['/.well-known/oauth-protected-resource/mcp/account', '/mcp/account'],
    ['/.well-known/oauth-protected-resource/mcp/research', '/mcp/research'],
  ])('%s is of the resource %s', async (path, resource) => {
    const response = await fetch(service.url + path);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({
      resource: mcpOf(resource),
      authorization_servers: [service.url],
      scopes_supported: ['read'],
      bearer_methods_supported: ['header'],
    });
  });

  test('of the authorization server names its endpoints, and what it takes', async () => {
    const response = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
    expect(await response.json()).toMatchObject({
      issuer: service.url,
      authorization_endpoint: `${service.url}/account/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ['read', 'write', 'delete'],
    });
  });

  test('behind a proxy is under the public address, also below a path of it', async () => {
    const proxied = await startConsole([], {
      publicUrl: 'https://bi.example.com/data/',
      clientDocuments: createClientDocuments(),
    });
    for (const path of ['/data/mcp', '/mcp']) {
      const response = await fetch(`${proxied.url}/.well-known/oauth-protected-resource${path}`);
      const { resource, authorization_servers } = await response.json();
      expect([resource, authorization_servers]).toEqual([
        'https://bi.example.com/data/mcp',
        ['https://bi.example.com/data'],
      ]);
    }
    const answer = await search(undefined, '/mcp', proxied);
    expect(answer.headers.get('www-authenticate')).toContain(
      'resource_metadata="https://bi.example.com/.well-known/oauth-protected-resource/data/mcp"',
    );
    await proxied.close();
  });
});

describe('a consent', () => {
  test('gives a token that works at every instance, is listed, counted and audited, and ends when it is revoked', async () => {
    const answer = await decided(ada);
    expect(Object.fromEntries(answer)).toEqual({ code: expect.any(String), state: 'xyz', iss: service.url });
    const { status, body } = await redeem(answer.get('code') ?? '', {}, other);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^mt_/),
        refresh_token: expect.stringMatching(/^mt_/),
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'read',
      },
    ]);
    for (const at of [service, other]) {
      const found = await search(body.access_token, '/mcp', at);
      expect([found.status, (await found.json()).result.isError]).toEqual([200, undefined]);
    }
    const [key] = (await service.store.keys.list('acme')).filter(({ client_id }) => client_id === `${host.url}/good`);
    expect(key).toMatchObject({ name: 'Good', level: 'read', created_by: 'ada@example.com', requests_today: 2 });
    const { text } = await ada.get('/account/keys');
    expect(text).toContain('Good');
    const audited = await service.store.audit.list({ account: 'acme', type: 'keys', id: key?.id ?? 0, limit: 9 });
    expect(audited).toMatchObject([{ action: 'oauth.consent', person: 'ada@example.com' }]);
    expect(JSON.stringify(audited)).not.toContain(body.access_token);

    await ada.get(`/account/keys/${key?.id}`);
    await ada.post(`/account/keys/${key?.id}/revoke`, { name: 'Good' });
    expect((await search(body.access_token, '/mcp', other)).status).toBe(401);
    expect(await renew(body.refresh_token)).toMatchObject(refused('invalid_grant'));
  });

  test('shows the client, where it leads, the account and the rights, in no frame', async () => {
    const { text, headers } = await ada.get(`/account/authorize${query({ scope: 'read write' })}`);
    for (const shown of [
      'Good',
      '127.0.0.1:7',
      'localhost',
      'ada@example.com',
      mcpOf(),
      'Create and change records'.toLowerCase(),
    ])
      expect(text.toLowerCase()).toContain(shown.toLowerCase());
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('gives what the person chooses, at most what is asked for and what they may do', async () => {
    const chosen = await redeem(await codeOf({ scope: 'write' }, { level: 'write' }));
    expect(chosen.body.scope).toBe('read write');
    const unasked = await redeem(await codeOf({ scope: 'read' }, { level: 'delete' }));
    expect(unasked.body.scope).toBe('read');
    const reader = await service.person({ role: 'member', level: 'read' });
    const answer = await decided(reader, { scope: 'delete' }, { level: 'delete' });
    expect((await redeem(answer.get('code') ?? '')).body.scope).toBe('read');
  });

  test('gives no more than the person may do by then', async () => {
    const email = 'carol@example.com';
    const carol = await service.person({ email, role: 'member', level: 'write' });
    const { body } = await redeem((await decided(carol, { scope: 'write' }, { level: 'write' })).get('code') ?? '');
    const { members, keys } = service.store;
    const { id = 0 } = (await members.list('acme')).find((member) => member.email === email) ?? {};
    await members.change(id, { account: 'acme', standing: { role: 'member', level: 'read' }, author: OPERATOR });
    expect(await keys.find(body.access_token)).toMatchObject({ level: 'read' });
    expect((await renew(body.refresh_token)).body.scope).toBe('read');
  });

  test('may be denied', async () => {
    const answer = await decided(ada, {}, { decision: 'deny' });
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: service.url });
  });

  test('comes after signing in, and goes on where it was', async () => {
    const visitor = service.visitor();
    const path = `/account/authorize${query({})}`;
    const sent = await visitor.get(path);
    const signIn = sent.headers.get('location') ?? '';
    expect([sent.status, new URL(signIn, service.url).searchParams.get('next')]).toEqual([303, path]);
    await visitor.get(signIn);
    const form = { email: 'ada@example.com', password: 'correct horse battery' };
    expect((await visitor.post('/account/sign-in', { ...form, next: path })).headers.get('location')).toBe(path);
    const elsewhere = service.visitor();
    await elsewhere.get('/account/sign-in?next=https://evil.example/');
    const answer = await elsewhere.post('/account/sign-in', { ...form, next: '//evil.example/account/authorize?' });
    expect(answer.headers.get('location')).toBe('/account');
  });

  test('of one client is one key, and a person who leaves takes it along, also when they come back', async () => {
    const bob = await service.person({ email: 'bob@example.com', role: 'member', level: 'write' });
    const tokens: { access_token: string; refresh_token: string }[] = [];
    for (const scope of ['read', 'write'])
      tokens.push((await redeem((await decided(bob, { scope }, { level: scope })).get('code') ?? '')).body);
    const keys = (await service.store.keys.list('acme')).filter(({ created_by }) => created_by === 'bob@example.com');
    expect(keys).toMatchObject([{ level: 'write', status: 'active' }]);
    const found = (await service.store.members.list('acme')).find(({ email }) => email === 'bob@example.com');
    const author = { account: 'operator', keyId: null, requestId: null, address: null };
    await service.store.members.remove(found?.id ?? 0, { account: 'acme', author });
    const expectNone = async (): Promise<void> => {
      for (const { access_token, refresh_token } of tokens) {
        expect((await search(access_token)).status).toBe(401);
        expect(await renew(refresh_token)).toMatchObject(refused('invalid_grant'));
      }
    };
    await expectNone();
    await service.person({ email: 'bob@example.com', role: 'member', level: 'write' });
    await expectNone();
  });
});

describe('tokens', () => {
  test('are renewed with another refresh token, at most with the scope that was given', async () => {
    const { body } = await redeem(await codeOf({ scope: 'write' }, { level: 'write' }));
    expect(await renew(body.refresh_token, { scope: 'delete' })).toMatchObject(refused('invalid_scope'));
    const narrowed = await renew(body.refresh_token, { scope: 'read' }, other);
    expect(narrowed.body.scope).toBe('read');
    const again = await renew(narrowed.body.refresh_token);
    expect(again.body.scope).toBe('read write');
    expect((await search(again.body.access_token)).status).toBe(200);
  });

  test('expire', async () => {
    const { body } = await redeem(await codeOf());
    service.setNow(new Date(Date.now() + 3_601_000));
    other.setNow(new Date(Date.now() + 3_601_000));
    const response = await search(body.access_token);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    service.setNow(new Date(Date.now()));
    other.setNow(new Date(Date.now()));
  });

  test('are revoked with their grant, by their client alone', async () => {
    const { body } = await redeem(await codeOf());
    const revoke = (client_id: string) => send('/oauth/revoke', { token: body.refresh_token, client_id });
    expect(await revoke('claude')).toMatchObject(refused('invalid_client', 401));
    expect((await search(body.access_token)).status).toBe(200);
    expect((await revoke(`${host.url}/good`)).status).toBe(200);
    expect((await search(body.access_token)).status).toBe(401);
    expect((await send('/oauth/revoke', { token: 'unknown', client_id: 'claude' })).status).toBe(200);
  });
});

describe.skipIf(isSecondEngine)('clients', () => {
  test('register themselves as public clients; the same registration has the same id', async () => {
    const register = (metadata: object) =>
      fetch(`${service.url}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(metadata),
      });
    const metadata = {
      client_name: 'Mine\u202e',
      redirect_uris: ['cursor://x', REDIRECT],
      token_endpoint_auth_method: 'x',
    };
    const response = await register(metadata);
    const registered = await response.json();
    expect([response.status, registered]).toMatchObject([
      201,
      { client_name: 'Mine', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    ]);
    expect((await (await register(metadata)).json()).client_id).toBe(registered.client_id);
    const { client_id } = registered;
    const code = await codeOf({ client_id });
    expect((await redeem(code, { client_id })).status).toBe(200);
    const forged = client_id.replace(
      /^(dcr\.)[^.]+/,
      `$1${Buffer.from('["Mine","https://evil.example/"]').toString('base64url')}`,
    );
    expect((await ada.get(`/account/authorize${query({ client_id: forged })}`)).status).toBe(400);
    const bad = await register({ redirect_uris: ['http://evil.example/', 'javascript:alert(1)'] });
    expect([bad.status, (await bad.json()).error]).toEqual([400, 'invalid_redirect_uri']);
  });

  test.each(
    Object.entries(KNOWN_CLIENTS).flatMap(([id, { redirectUris }]) => redirectUris.map((uri) => [id, uri] as const)),
  )('%s is known, with %s', async (client_id, redirect_uri) => {
    const search = query({ client_id, redirect_uri });
    await ada.get(`/account/authorize${search}`);
    const answer = await ada.post('/account/authorize', { request: search, decision: 'allow' });
    expect(answer.headers.get('location')).toMatch(redirect_uri);
  });

  test('have their documents fetched once for as long as they may be kept', async () => {
    await codeOf();
    const before = host.requests();
    await codeOf();
    expect(host.requests()).toBe(before);
  });
});

describe('an attack is refused', () => {
  const foreign = 'https://evil.example/callback';
  test.each([
    ['a foreign redirect', { redirect_uri: foreign }, 'invalid_request'],
    ['another path of loopback', { redirect_uri: 'http://127.0.0.1:7/other' }, 'invalid_request'],
    ['another scheme', { redirect_uri: 'https://127.0.0.1:7/callback' }, 'invalid_request'],
    ['a client that nobody knows', { client_id: 'nobody' }, 'invalid_client'],
    [
      'a document of another client',
      { client_id: '{host}/forged', redirect_uri: 'https://evil.example/' },
      'invalid_client',
    ],
    ['a document without a name', { client_id: '{host}/nameless' }, 'invalid_client'],
    ['a document with a secret', { client_id: '{host}/secret' }, 'invalid_client'],
    ['a document without a redirect that is allowed', { client_id: '{host}/none' }, 'invalid_client'],
    ['a document that is too large', { client_id: '{host}/large' }, 'invalid_client'],
    ['a document that redirects', { client_id: '{host}/redirect' }, 'invalid_client'],
    ['a document that is none', { client_id: '{host}/text' }, 'invalid_client'],
    ['a document of an address', { client_id: 'https://127.0.0.1/good' }, 'invalid_client'],
    ['a document of metadata of a cloud', { client_id: 'https://169.254.169.254/latest' }, 'invalid_client'],
    ['a client id without a path', { client_id: 'https://localhost/' }, 'invalid_client'],
    ['a client id with a user', { client_id: 'https://claude.ai@localhost/good' }, 'invalid_client'],
    ['a client id with dots', { client_id: '{host}/x/../good' }, 'invalid_client'],
  ])('%s, before anybody is sent anywhere', async (_what, changes: Fields, error) => {
    const fields = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value.replace('{host}', host.url)]),
    );
    const { status, text, headers } = await ada.get(`/account/authorize${query(fields)}`);
    expect([status, headers.get('location'), text]).toEqual([400, null, expect.stringContaining(error)]);
  });

  test('private addresses of every kind are none of the public internet', () => {
    const addresses = [
      '127.0.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
    ];
    const more = [
      '::1',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::',
    ];
    expect([...addresses, ...more, '224.0.0.1', '255.255.255.255'].filter(isPublicAddress)).toEqual([]);
    expect(['1.1.1.1', '2606:4700::1111'].filter(isPublicAddress)).toHaveLength(2);
  });

  test('a name that leads to a private address', async () => {
    const before = host.requests();
    const documents = createClientDocuments({ ca: host.certificate });
    await expect(documents(`${host.url}/good`)).rejects.toMatchObject({ code: 'invalid_client' });
    expect(host.requests()).toBe(before);
  });

  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge_method: '' }, 'invalid_request'],
    ['a foreign audience', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['the API as the audience', { resource: '{url}/api/v1' }, 'invalid_target'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['a token in the redirect', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s, which the client is told, with who says so', async (_what, changes: Fields, error) => {
    const fields = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value.replace('{url}', service.url)]),
    );
    const { status, headers } = await ada.get(`/account/authorize${query(fields)}`);
    const answer = new URL(headers.get('location') ?? '').searchParams;
    expect([status, Object.fromEntries(answer)]).toMatchObject([303, { error, state: 'xyz', iss: service.url }]);
  });

  test('a link that leads through an error to an address that anybody may register', async () => {
    const redirect_uri = 'https://evil.example/callback';
    const client_id = await service.store.oauth.register({ name: 'Evil', redirectUris: [redirect_uri] });
    const { status, text, headers } = await ada.get(
      `/account/authorize${query({ client_id, redirect_uri, scope: 'x' })}`,
    );
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('Go back to evil.example');
    expect(text).toContain(`href="${redirect_uri}?error=invalid_scope`);
    const known = query({
      client_id: 'chatgpt',
      redirect_uri: KNOWN_CLIENTS['chatgpt']?.redirectUris[0] ?? '',
      scope: 'x',
    });
    expect((await ada.get(`/account/authorize${known}`)).headers.get('location')).toMatch(/^https:\/\/chatgpt\.com\//);
  });

  test.skipIf(isSecondEngine)('many guesses of a token from one address', async () => {
    const limited = await startConsole([], { clientDocuments: createClientDocuments(), burstPerSecond: 1 });
    const statuses = [];
    for (let guess = 0; guess < 102; guess += 1) statuses.push((await renew(`mt_${guess}`, {}, limited)).status);
    expect([statuses[99], statuses[101]]).toEqual([400, 429]);
    await limited.close();
  });

  test('a parameter that comes twice', async () => {
    const { status } = await ada.get(`/account/authorize${query({})}&redirect_uri=https://evil.example/`);
    expect(status).toBe(400);
  });

  test('a consent that another site sends', async () => {
    const request = query({});
    await ada.get(`/account/authorize${request}`);
    const cross = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await ada.post('/account/authorize', { request, decision: 'allow' }, cross)).status).toBe(403);
    const tokenless = { request, decision: 'allow', form_token: 'x' };
    expect((await ada.post('/account/authorize', tokenless)).status).toBe(403);
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another client', { client_id: 'claude' }, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:8/callback' }, 'invalid_grant'],
    ['another audience', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['no client', { client_id: '' }, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('a code with %s', async (_what, changes: Fields, error) => {
    const code = await codeOf();
    expect(await redeem(code, changes)).toMatchObject(refused(error));
    expect((await redeem(code)).status).toBe(200);
  });

  test('a code that has expired', async () => {
    const code = await codeOf();
    service.setNow(new Date(Date.now() + 61_000));
    expect(await redeem(code)).toMatchObject(refused('invalid_grant'));
    service.setNow(new Date(Date.now()));
  });

  test('a code a second time, and what it was exchanged for no longer works', async () => {
    const code = await codeOf();
    const { body } = await redeem(code);
    expect(await redeem(code, {}, other)).toMatchObject(refused('invalid_grant'));
    expect((await search(body.access_token)).status).toBe(401);
    expect(await renew(body.refresh_token)).toMatchObject(refused('invalid_grant'));
  });

  test('one of a code at two instances at once', async () => {
    const code = await codeOf();
    const answers = await Promise.all([redeem(code), redeem(code, {}, other)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('a refresh token a second time, and its whole family no longer works', async () => {
    const { body: first } = await redeem(await codeOf());
    const { body: second } = await renew(first.refresh_token);
    expect(await renew(first.refresh_token, {}, other)).toMatchObject(refused('invalid_grant'));
    expect((await search(second.access_token)).status).toBe(401);
    expect(await renew(second.refresh_token)).toMatchObject(refused('invalid_grant'));
    const [entry] = await service.store.audit.list({ account: 'acme', limit: 1 });
    expect(entry).toMatchObject({ action: 'oauth.replay', person: 'ada@example.com' });
  });

  test('a token of one client or person at what belongs to another', async () => {
    const { body } = await redeem(await codeOf());
    expect(await renew(body.refresh_token, { client_id: 'claude' })).toMatchObject(refused('invalid_grant'));
    const eve = await service.person({ account: 'evil', email: 'eve@example.com' });
    const [key] = (await service.store.keys.list('acme')).filter(({ status }) => status === 'active');
    expect((await eve.get(`/account/keys/${key?.id}`)).status).toBe(404);
    await eve.get('/account/keys');
    expect((await eve.post(`/account/keys/${key?.id}/revoke`, { name: 'Good' })).status).toBe(404);
    expect((await search(body.access_token)).status).toBe(200);
  });

  test.each(['/mcp/research', '/mcp/research/', '/mcp/account?x=/mcp', '/api/v1/search?type=all', '/api/v1/usage'])(
    'a token of /mcp at %s',
    async (path) => {
      const { body } = await redeem(await codeOf());
      const headers = { Authorization: `Bearer ${body.access_token}` };
      const response = path.startsWith('/mcp')
        ? await search(body.access_token, path)
        : await fetch(service.url + path, { headers });
      expect(response.status).toBe(401);
    },
  );

  test('a code or a refresh token in place of an access token, and a token in the address', async () => {
    const code = await codeOf();
    expect((await search(code)).status).toBe(401);
    const { body } = await redeem(code);
    expect((await search(body.refresh_token)).status).toBe(401);
    expect((await search(undefined, `/mcp?access_token=${body.access_token}`)).status).toBe(401);
  });
});

/** Status of each path by credential: none, a key, a token for /mcp, a session. */
describe.skipIf(isSecondEngine)('the access matrix', () => {
  const list = { method: 'tools/list' };
  const health = { method: 'tools/call', params: { name: 'health', arguments: {} } };
  const record = { method: 'resources/read', params: { uri: 'web3-bi://companies/x' } };
  let key: string;
  let token: string;
  beforeAll(async () => {
    const made = { account: 'acme', name: 'matrix', level: 'read', expires_at: null } as const;
    key = (await service.store.keys.create(made)).secret;
    token = (await redeem(await codeOf())).body.access_token;
  });

  test.each([
    ['/mcp', list, 200, 200, 200],
    ['/mcp', health, 200, 200, 200],
    ['/mcp', SEARCH, 401, 200, 200],
    ['/mcp', record, 401, 200, 200],
    ['/mcp/account', list, 401, 200, 401],
    ['/mcp/account', health, 401, 200, 401],
    ['/mcp/account', SEARCH, 401, 200, 401],
    ['/mcp/research', list, 200, 200, 401],
    ['/mcp/research', SEARCH, 401, 200, 401],
  ])('POST %s %j: %i without anything, %i with a key, %i with a token', async (path, message, ...expected) => {
    const statuses = [];
    for (const shown of [undefined, key, token]) statuses.push((await ask(path, message, shown)).status);
    expect(statuses).toEqual(expected);
    for (const wrong of ['mk_wrong', 'mt_wrong', `mt_${'x'.repeat(43)}`])
      expect((await ask(path, message, wrong)).status).toBe(401);
  });

  const WELL_KNOWN = '/.well-known/oauth-';
  test.each([
    ['GET', `${WELL_KNOWN}authorization-server`, 200, 200],
    ['GET', `${WELL_KNOWN}protected-resource`, 200, 200],
    ['GET', `${WELL_KNOWN}protected-resource/mcp`, 200, 200],
    ['GET', `${WELL_KNOWN}protected-resource/api/v1`, 404, 404],
    ['POST', `${WELL_KNOWN}authorization-server`, 405, 405],
    ['GET', '/oauth/token', 405, 405],
    ['POST', '/oauth/token', 400, 400],
    ['POST', '/oauth/revoke', 400, 400],
    ['POST', '/oauth/register', 400, 400],
    ['GET', '/account/authorize', 303, 400],
    ['POST', '/account/authorize', 303, 415],
    ['PUT', '/account/authorize', 405, 405],
  ])('%s %s: %i for nobody, %i for who is signed in', async (method, path, ...expected) => {
    const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ');
    const statuses = [];
    for (const headers of [{}, { Cookie: cookie, 'User-Agent': 'test browser' }])
      statuses.push((await fetch(service.url + path, { method, headers, redirect: 'manual' })).status);
    expect(statuses).toEqual(expected);
  });

  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const resourceName = (path: string): string => `protected-resource${path}`;
  /** Requests without credentials that succeed, over every path and method of the service. */
  async function openTo(given: Parameters<typeof startConsole>[1]): Promise<string[]> {
    const started = await startConsole(ONE_OF_EACH, given);
    const open: string[] = [];
    for (const path of started.paths) {
      for (const method of METHODS) {
        const asked = path.replace(/:(\w+)/g, (_, name) => PARAMETERS[name] ?? '1');
        const { status, headers } = await fetch(started.url + asked, { method, redirect: 'manual' });
        const isSentToSignIn = headers.get('location')?.startsWith('/account/sign-in') === true;
        if (status < 400 && !isSentToSignIn) open.push(`${method} ${path}`);
      }
    }
    await started.close();
    return open.sort();
  }

  test('opens to a stranger what is listed here, of all paths that there are, and no other', async () => {
    const clientDocuments = createClientDocuments();
    const open = await openTo({ clientDocuments, selling: {} });
    const isBeside = (line: string): boolean => /^GET \/(assets|docs)\b/.test(line);
    const wellKnown = ['authorization-server', ...['', '/mcp', '/mcp/account', '/mcp/research'].map(resourceName)];
    const site = ['/', '/favicon.ico', '/llms.txt', '/robots.txt', '/sitemap.xml', '/account/sign-in'];
    const api = ['/api/health', '/api/v1/openapi.json', '/livez', '/readyz', '/mcp/server-card', '/.well-known/x402'];
    const expected = [...site, ...api, ...wellKnown.map((name) => WELL_KNOWN + name)];
    expect(open.filter((line) => !isBeside(line))).toEqual(expected.map((path) => `GET ${path}`).sort());
    const more = (await openTo({ clientDocuments, publicPages: true })).filter((line) => !open.includes(line));
    expect(
      more.filter(
        (line) =>
          !/^GET \/(search|aggregate|connections|coverage|companies|people|investors|events|rounds)\b/.test(line),
      ),
    ).toEqual([]);
  });

  test('is that of keys alone where OAuth is off', async () => {
    const plain = await startConsole();
    for (const path of [`${WELL_KNOWN}authorization-server`, `${WELL_KNOWN}protected-resource/mcp`, '/oauth/token'])
      expect([path, (await fetch(plain.url + path)).status]).toEqual([path, 404]);
    const response = await search(undefined, '/mcp', plain);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([200, null]);
    expect((await search(undefined, '/mcp/account', plain)).status).toBe(401);
    await plain.close();
  });
});

describe('POST /mcp', () => {
  test('leads who has no token to where one can sign in, and serves a key as before', async () => {
    const response = await search(undefined, '/mcp/research');
    expect(response.status).toBe(401);
    const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp/research`;
    const challenge = `Bearer scope="read", resource_metadata="${metadata}"`;
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect((await response.json()).result._meta).toMatchObject({ 'mcp/www_authenticate': [challenge] });
    const { secret } = await service.store.keys.create({ account: 'acme', name: 'k', level: 'read', expires_at: null });
    expect((await search(secret)).status).toBe(200);
  });
});
