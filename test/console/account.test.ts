import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor } from '../support/builders.ts';
import { type Console, startConsole, type Visitor } from '../support/console.ts';
import { isSecondEngine } from '../support/length.ts';
import { temporaryFolder } from '../support/program.ts';

const SCRIPT = '<script>alert(1)</script>';
let service: Console;
let owner: Visitor;
beforeAll(async () => {
  service = await startConsole([
    aCompany({
      name: 'Acme',
      slug: 'acme',
      overview: SCRIPT,
      website: 'https://acme.example',
      investors: ['Example Capital'],
    }),
    aCompany({ name: `Evil ${SCRIPT}`, slug: 'evil', tagline: 'a\u0001b\u001b[31mc \u202ereversed\u2066' }),
    anInvestor({ name: 'Example Capital' }),
  ]);
  owner = await service.person();
});
afterAll(() => service.close());

let forms = 0;
async function newKey(visitor: Visitor, given: Record<string, string> = {}): Promise<{ secret: string; text: string }> {
  forms += 1;
  await visitor.get('/account/keys/new');
  const { text } = await visitor.post('/account/keys', {
    name: `key ${forms}`,
    level: 'read',
    once: `once ${forms}`,
    ...given,
  });
  return { secret: /mk_[0-9A-Za-z]{49}/.exec(text)?.[0] ?? '', text };
}

const search = (secret: string): Promise<Response> =>
  fetch(`${service.url}/api/v1/search?type=companies`, { headers: { Authorization: `Bearer ${secret}` } });

describe('keys', () => {
  test('are shown once: not in the list, not on their page, not when the form is sent again', async () => {
    const { secret, text } = await newKey(owner, { name: 'once', once: 'the same' });
    expect(text.split(secret)).toHaveLength(4);
    expect((await search(secret)).status).toBe(200);
    const keys = await service.store.keys.list('acme');
    const again = await owner.post('/account/keys', { name: 'once', level: 'read', once: 'the same' });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/account/keys?done=again']);
    expect(await service.store.keys.list('acme')).toHaveLength(keys.length);
    for (const path of [
      '/account',
      '/account/keys',
      `/account/keys/${keys.at(-1)?.id}`,
      '/account/audit',
      '/account/requests',
    ]) {
      expect((await owner.get(path)).text).not.toContain(secret);
    }
    expect(JSON.stringify(await service.store.audit.list({ limit: 100 })) + service.log.join('')).not.toContain(secret);
  });

  test.skipIf(isSecondEngine)('no page with a secret is kept by a browser or a proxy', async () => {
    const { headers } = await owner.get('/account/keys');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('404 for rotating or revoking a key of another account, which stays as it is', async () => {
    const other = await service.person({ account: 'other' });
    const { secret } = await newKey(other, { name: 'theirs' });
    const [key] = await service.store.keys.list('other');
    await owner.get('/account');
    expect((await owner.get(`/account/keys/${key?.id}`)).status).toBe(404);
    expect((await owner.post(`/account/keys/${key?.id}/rotate`, { overlap: '0', once: 'r' })).status).toBe(404);
    expect((await owner.post(`/account/keys/${key?.id}/revoke`, { name: 'theirs' })).status).toBe(404);
    expect((await search(secret)).status).toBe(200);
    expect((await service.store.keys.list('other'))[0]).toMatchObject({ status: 'active' });
  });

  test('are revoked by their name only, and then refused', async () => {
    const { secret } = await newKey(owner, { name: 'revoked' });
    const key = (await service.store.keys.list('acme')).find(({ name }) => name === 'revoked');
    await owner.get(`/account/keys/${key?.id}`);
    expect((await owner.post(`/account/keys/${key?.id}/revoke`, { name: 'other' })).status).toBe(400);
    expect((await search(secret)).status).toBe(200);
    expect((await owner.post(`/account/keys/${key?.id}/revoke`, { name: 'revoked' })).status).toBe(303);
    expect((await search(secret)).status).toBe(401);
    await service.recorder.flush();
    expect((await owner.get(`/account/keys/${key?.id}`)).text).toContain('key_revoked');
  });

  test('go on for a while when they are rotated, and each change is in the audit log once', async () => {
    const { secret } = await newKey(owner, { name: 'rotated' });
    const key = (await service.store.keys.list('acme')).find(({ name }) => name === 'rotated');
    await owner.get(`/account/keys/${key?.id}`);
    const { text } = await owner.post(`/account/keys/${key?.id}/rotate`, { overlap: '1h', once: 'rotate once' });
    const next = /mk_[0-9A-Za-z]{49}/.exec(text)?.[0] ?? '';
    expect([(await search(secret)).status, (await search(next)).status]).toEqual([200, 200]);
    expect((await owner.get(`/account/keys/${key?.id}`)).text).toMatch(/works (60 min|1 h) more/);
    await owner.post(`/account/keys/${key?.id}/revoke`, { name: 'rotated' });
    const audited = await service.store.audit.list({ type: 'keys', id: key?.id ?? 0, limit: 9 });
    expect(audited.map(({ action, account, person }) => [action, account, person])).toEqual(
      ['key.revoke', 'key.rotate', 'key.create'].map((action) => [action, 'acme', 'person-1@example.com']),
    );
  });

  test.skipIf(isSecondEngine)('400 with the fault beside its field', async () => {
    await owner.get('/account/keys/new');
    const { status, text } = await owner.post('/account/keys', {
      name: '',
      level: 'read',
      addresses: '10.0.0.1\n\nnonsense',
      once: 'f',
    });
    expect(status).toBe(400);
    expect(text).toContain('>Line 3, nonsense, must be an address or a range');
    expect(text).toMatch(/id="name-fault"/);
    expect(text).toMatch(/id="addresses-fault"/);
  });
});

describe('usage and requests', () => {
  test.skipIf(isSecondEngine)('tell which record was read, without what was searched for or a key', async () => {
    const { secret } = await newKey(owner, { name: 'reader' });
    const hex = 'ab'.repeat(32);
    for (const path of [
      `companies/acme?fields=name`,
      'search?query=quiet+word',
      `companies/${secret}`,
      `people/${hex}`,
    ])
      await fetch(`${service.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${secret}` } });
    await service.recorder.flush();
    const key = (await service.store.keys.list('acme')).find(({ name }) => name === 'reader');
    const logged = await service.store.requests.list({ account: 'acme', keyId: key?.id ?? 0, limit: 9 });
    expect(logged.map(({ route }) => route)).toEqual([
      '/api/v1/people/{idOrSlug}',
      '/api/v1/companies/{idOrSlug}',
      '/api/v1/search',
      '/api/v1/companies/acme',
    ]);
    expect((await owner.get('/account/requests')).text).toMatch(/GET\s*\/api\/v1\/companies\/acme/);
  });

  test('show what was asked, by key and request id, and as a file that no spreadsheet runs', async () => {
    const { secret } = await newKey(owner, { name: '=1+1' });
    const answer = await search(secret);
    // A spreadsheet takes full-width signs for formulas too.
    await search((await newKey(owner, { name: '＝2+2' })).secret);
    await service.recorder.flush();
    const key = (await service.store.keys.list('acme')).find(({ name }) => name === '=1+1');
    expect((await owner.get(`/account/keys/${key?.id}`)).text).toContain('1 of 1,000 today, 1 of 30,000 this month');
    const id = answer.headers.get('x-request-id') ?? '';
    expect((await owner.get(`/account/requests?id=${id}`)).text).toContain(id);
    expect((await owner.get('/account/requests?status=5')).text).toContain('No request matches');
    const csv = await owner.get('/account/usage.csv');
    expect(csv.headers.get('content-disposition')).toContain('.csv');
    expect(csv.text).toMatch(/^day,key_id,key,status,requests,milliseconds\n/);
    expect(csv.text).toContain(",'=1+1,2xx,1,");
    expect(csv.text).toContain(",'＝2+2,2xx,1,");
  });

  test('are of the own account only', async () => {
    const stranger = await service.person({ account: 'stranger' });
    // Before there is a key, both pages lead to the first one, and have nothing to filter or to download.
    for (const path of ['/account/requests', '/account/usage']) {
      const { text } = await stranger.get(path);
      expect(text).toMatch(/No key yet.*href="\/account\/keys\/new"/);
      expect(text).not.toMatch(/All keys|usage\.csv/);
    }
    await newKey(stranger);
    const [entry] = await service.store.requests.list({ account: 'acme', limit: 1 });
    expect((await stranger.get(`/account/requests?id=${entry?.request_id}`)).text).toContain('No request matches');
  });
});

describe('data', () => {
  test.skipIf(isSecondEngine)('are escaped, wherever they come from', async () => {
    for (const path of [
      '/account/data?query=evil',
      '/account/data/companies/evil',
      '/account/data/companies/acme',
      '/account/data/companies/evil/edit',
      `/account/data?query=${encodeURIComponent(SCRIPT)}`,
    ]) {
      const { status, text, headers } = await owner.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain(SCRIPT);
      expect(text).not.toMatch(/(?![\t\n\r])[\p{Cc}\u202e\u2066]/u);
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  test('403 without a plan', async () => {
    const free = await service.person({ account: 'free', plan: 'none' });
    const { status, text } = await free.get('/account/data');
    expect([status, text.includes('API Access or Enterprise plan')]).toEqual([403, true]);
  });

  test('are changed by level, with what somebody else did in between kept', async () => {
    const reader = await service.person({ account: 'reader', role: 'member', level: 'read' });
    expect((await reader.get('/account/data/companies/acme/edit')).status).toBe(403);
    const writer = await service.person({ account: 'writer', role: 'member', level: 'write' });
    const form = await writer.get('/account/data/companies/acme/edit');
    const version = /name="version" value="(\d+)"/.exec(form.text)?.[1] ?? '';
    const saved = await writer.post('/account/data/companies/acme/edit', {
      version,
      name: 'Acme',
      tagline: 'Wallets for everybody',
    });
    expect([saved.status, saved.headers.get('location')]).toMatchObject([303, expect.stringMatching(/done=saved/)]);
    const late = await writer.post('/account/data/companies/acme/edit', {
      version,
      name: 'Acme',
      tagline: 'Something else',
    });
    expect([late.status, late.text.includes('changed by someone else in the meantime')]).toEqual([400, true]);
    expect((await writer.post('/account/data/companies/acme/delete', {})).status).toBe(403);
    const record = await writer.get('/account/data/companies/acme');
    expect(record.text).toContain('Wallets for everybody');
    expect(record.text).toContain('Example Capital');
    expect(record.text).toMatch(/>Changed<.*>Tagline</s);
    // What other accounts did is shown, but not who they are.
    expect((await owner.get('/account/data/companies/acme')).text).toContain('another account');
  });

  test('are deleted and restored', async () => {
    await owner.get('/account/data/companies/evil');
    const gone = await owner.post('/account/data/companies/evil/delete', {});
    expect(gone.status).toBe(303);
    const page = await owner.get(gone.headers.get('location') ?? '');
    expect(page.text).toContain('Restore record');
    expect(page.text).not.toContain('Use this record');
    const path = (gone.headers.get('location') ?? '').replace('?done=delete', '/restore');
    expect((await owner.post(path, {})).status).toBe(303);
    expect((await owner.get('/account/data/companies/evil')).status).toBe(200);
  });

  test('are imported after a preview that writes nothing', async () => {
    const content =
      'name,slug,website,tags,total_funding_usd\nBrand New,,https://new.example,defi|wallets,5000000\n' +
      'Acme,acme,https://other.example,,\n,,,,\n';
    await owner.get('/account/import');
    const preview = await owner.upload('/account/import', { type: 'companies' }, { name: 'a.csv', content });
    expect(preview.status).toBe(200);
    const shown = preview.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown).toContain(
      'Changes Record Change Fields Brand New created Website https://new.example Tags defi, wallets ' +
        'Known funding $5,000,000 Acme updated Website https://acme.example → https://other.example ',
    );
    // What is confirmed stands above the button.
    expect(shown).toMatch(/https:\/\/other\.example .*Import 2 records Correct the rows Start over/);
    expect(await service.store.records.get('companies', 'brand-new')).toBeUndefined();
    const text = /<textarea name="text"[^>]*>([\s\S]*?)<\/textarea>/.exec(preview.text)?.[1] ?? '';
    const done = await owner.post('/account/import', { type: 'companies', confirmed: 'yes', text });
    expect(done.text).toContain('Imported');
    expect(done.text).toMatch(
      /<dt>New<\/dt><dd><a href="\/account\/data\/companies\/brand-new">Brand New<\/a><\/dd>.*<dt>Changed<\/dt><dd><a href="\/account\/data\/companies\/acme">Acme<\/a><\/dd>/,
    );
    expect(await service.store.records.get('companies', 'brand-new')).toBeDefined();
    const [entry] = await service.store.audit.list({ type: 'companies', account: 'acme', limit: 1 });
    expect(entry).toMatchObject({ action: 'import', person: expect.stringContaining('@example.com') });
  });

  test('are shown to repeat an earlier row, without a link to a record that is not yet there', async () => {
    const content = 'company,date,round,amount\nTwice,2024-05-01,seed,5M\nTwice Inc.,2024-05-03,seed,5M\n';
    const { text } = await owner.upload('/account/import', { type: 'rounds' }, { name: 'a.csv', content });
    const shown = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(/On record already, or in earlier rows .* An earlier row \(twice-seed-2024-05-01\) /);
    expect(text).not.toContain('href="/account/data/rounds/twice');
  });

  test.skipIf(isSecondEngine)(
    'are matched to records of another name, where a person chooses, and else wait for a decision',
    async () => {
      const known = aCompany({ name: 'Zenith', slug: 'zenith', website: 'https://zenith.example', tags: [] });
      await service.store.records.putAll([known]);
      await owner.get('/account/import');
      const text = [
        'name,website',
        'Zenith Protocol,https://www.zenith.example/about',
        'Unheard Of,https://unheard.example',
        'Zenith,https://zenith.example',
        'Apex Pay,https://zenith.example',
      ].join('\n');
      const preview = (type: string, content: string) =>
        owner.upload('/account/import', { type }, { name: 'rows.csv', content });
      const { text: html } = await preview('companies', text);
      const shown = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
      expect(shown).toMatch(
        / New 2 Changed 2 .*To decide 1 row may be about companies on record\. Unless you choose otherwise, it becomes a new record\. .* Apex Pay line 5 Zenith https:\/\/zenith\.example\/? Same website: zenith\.example The record A new record Leave out On record already .* Zenith Protocol line 2 Zenith https:\/\/zenith\.example\/? Same website and a similar name: zenith\.example The record A new record Leave out /,
      );
      expect(html).toContain('href="/account/data/companies/zenith"');
      expect(html).toMatch(
        /name="row.4"[^>]*><option value="join:zenith">.*name="row.1"[^>]*><option value="join:zenith" selected>/,
      );
      expect((await preview('companies', 'name\nUnheard Of')).text).not.toContain('To decide');
      expect((await preview('rounds', 'name,company\nZ,Zenith')).text).not.toContain('To decide');
      expect(await service.store.duplicates.count({ type: 'companies' })).toBe(0);
      const done = await owner.post('/account/import', { type: 'companies', confirmed: 'yes', text });
      expect(done.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
        /Probable duplicates 1 row became a new record but may be about an existing record\. .* Apex Pay line 5 Zenith /,
      );
      const matched = JSON.parse((await service.store.records.get('companies', 'zenith'))?.json ?? '');
      expect(matched).toMatchObject({ name: 'Zenith', aliases: ['Zenith Protocol'] });
      const same = await preview('companies', 'name,website\nZenith Protocol,https://zenith.example');
      expect(same.text).toMatch(/Nothing would change/);
      expect(same.text).toContain('Import as chosen</button>');
      const chosen = { 'row.1': 'add', 'row.4': 'join:zenith' };
      const other = await owner.post('/account/import', { type: 'companies', confirmed: 'yes', text, ...chosen });
      expect(other.text).not.toContain('Probable duplicates');
      expect(done.text).toContain('href="/account/duplicates?type=companies"');
      const [pair] = await service.store.duplicates.list({ type: 'companies', limit: 2 });
      expect(pair?.records.map(({ slug }) => slug)).toEqual(['zenith', 'apex-pay']);
      expect(done.text).toContain(`href="/account/duplicates/${pair?.id}"`);
      expect(done.text).toContain('href="/account/data/companies/apex-pay">Apex Pay<');
    },
  );

  test.skipIf(isSecondEngine)(
    'of more than a few rows are decided by one choice, but for those chosen otherwise',
    async () => {
      const numbers = Array.from({ length: 201 }, (_, index) => index + 1);
      await service.store.records.putAll(numbers.map((number) => aCompany({ name: `Listed${number}`, website: null })));
      await owner.get('/account/import');
      const text = ['name', ...numbers.map((number) => `Listed${number} Labs`)].join('\n');
      const { text: html } = await owner.upload(
        '/account/import',
        { type: 'companies' },
        { name: 'a.csv', content: text },
      );
      expect(html).toMatch(
        /Import all 201 rows as<\/label><select id="unsure" name="unsure" [^>]*form="preview">.*<p [^>]*>Except those for which you choose otherwise below\. The first 200 are below\./,
      );
      expect(html).toMatch(
        /name="row\.1"[^>]*><option value selected>As for all<\/option><option value="join:listed1">/,
      );
      const done = await owner.post('/account/import', {
        ...{ type: 'companies', confirmed: 'yes', text, unsure: 'join' },
        ...{ 'row.1': '', 'row.2': 'leave-out' },
      });
      expect(done.text).toContain('200 rows are written');
      const matched = JSON.parse((await service.store.records.get('companies', 'listed201'))?.json ?? '');
      expect(matched).toMatchObject({ aliases: ['Listed201 Labs'] });
      const others = text.replaceAll('Labs', 'Foundation');
      const undecided = await owner.post('/account/import', { type: 'companies', confirmed: 'yes', text: others });
      expect(undecided.text).toContain('201 rows became new companies but may be about existing companies');
      expect(undecided.text).toContain('<p class="muted">and 1 more</p>');
    },
  );

  test.skipIf(isSecondEngine)('of an import with more than ten new ones lead to the list of all', async () => {
    await owner.get('/account/import');
    const text = ['name', ...Array.from({ length: 12 }, (_, index) => `Numbered ${index + 1}`)].join('\n');
    const { text: html } = await owner.post('/account/import', { type: 'companies', confirmed: 'yes', text });
    const shown = html.replaceAll(/<[^>]*>/g, '');
    expect(shown).toMatch(/NewNumbered 1, Numbered 2, .*Numbered 10 and 2 more/);
    expect(html).toMatch(/href="\/account\/data\?type=companies&amp;sort=-updated_at">2 more</);
    const browse = /href="([^"]+)"[^>]*>Browse companies</.exec(html)?.[1] ?? '';
    const { text: list } = await owner.get(browse.replaceAll('&amp;', '&'));
    expect(/id="results"[\s\S]*?href="\/account\/data\/companies\/([^"]+)"/.exec(list)?.[1]).toMatch(/^numbered-/);
  });

  test.skipIf(isSecondEngine)('are said to be public before an import, where pages are', async () => {
    const preview = async (publicPages: boolean): Promise<string> => {
      const own = await startConsole([], { publicPages });
      const visitor = await own.person();
      await visitor.get('/account/import');
      const file = { name: 'a.csv', content: 'name\nBrand New\n' };
      const { text } = await visitor.upload('/account/import', { type: 'companies' }, file);
      await own.close();
      return text;
    };
    expect(await preview(true)).toContain('Imported records are public at once');
    expect(await preview(false)).not.toContain('public at once');
  });

  test.skipIf(isSecondEngine)('are refused in words where there are none, and can be corrected', async () => {
    await owner.get('/account/import');
    const none = await owner.post('/account/import', { type: 'people', text: 'hello <world>' });
    expect(none.status).toBe(400);
    expect(none.text).toContain('There are no rows. The first line of CSV names its columns');
    expect(none.text).toContain('>hello &lt;world&gt;</textarea>');
    const text = 'name\nTypo Prson';
    const preview = await owner.post('/account/import', { type: 'people', text });
    expect(preview.text).toContain('name="correct" value="yes"');
    const back = await owner.post('/account/import', { type: 'people', text, confirmed: 'yes', correct: 'yes' });
    expect(back.text).toMatch(/<textarea id="text"[^>]*>name\nTypo Prson<\/textarea>/);
    expect(back.text).toContain('<option value="people" selected>');
    expect(await service.store.records.get('people', 'typo-prson')).toBeUndefined();
    const faulty = { type: 'companies', text: 'name,year_founded\nTypo Labs,twenty', confirmed: 'yes', correct: 'yes' };
    const refused = await owner.post('/account/import', faulty);
    expect(refused.text).toMatch(
      /Refused rows.*Line 2, Founded.*Typo Labs.*twenty.*year_founded must be a year, such as 2019.*<textarea id="text"[^>]*>name,year_founded\nTypo Labs,/s,
    );
  });

  test.skipIf(isSecondEngine)('are kept in the page while two other imports run', async () => {
    const folder = temporaryFolder();
    const own = await startConsole([], { database: `sqlite:${join(folder.path, 'own.db')}` });
    const person = await own.person();
    await person.get('/account/import');
    const content = `name\n${Array.from({ length: 10_000 }, (_, row) => `Busy ${row} &amp;`).join('\n')}\n`;
    const files = ['a.csv', 'b.csv', 'c.csv'].map((name) =>
      person.upload('/account/import', { type: 'companies', choice: 'x' }, { name, content }),
    );
    const late = await Promise.race(files);
    const text = 'name\nPatient <Labs>';
    const corrected = await person.post('/account/import', { type: 'people', text, confirmed: 'yes', correct: 'yes' });
    expect((await Promise.all(files)).map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    expect(late.text).toContain('Other imports are in progress; retry shortly. Your rows are kept in this page.');
    expect(late.text).toMatch(
      /name="type" value="companies".*name="choice" value="x".*<textarea name="text"[^>]*>name\nBusy 0 &amp;amp;\n/s,
    );
    expect(late.text).toContain('>Try again</button>');
    expect(corrected.text).toContain('retry shortly. Your rows are below, and can be corrected meanwhile;');
    expect(corrected.text).toMatch(/<textarea id="text"[^>]*>name\nPatient &lt;Labs&gt;<\/textarea>/);
    await own.close();
    folder.remove();
  });

  test.skipIf(isSecondEngine)('are previewed with what loses its source', async () => {
    const sources = [{ source: 'https://cited.example/list', as_of: '2026-01', fields: ['tags'] }];
    await service.store.records.putAll([aCompany({ name: 'Cited', slug: 'cited', tags: ['DeFi', 'DEX'], sources })]);
    await owner.get('/account/import');
    const text = 'slug,tags,website\ncited,DEX,https://cited.example\n';
    const preview = await owner.post('/account/import', { type: 'companies', text });
    expect(preview.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
      / Tags DeFi, DEX → DEX \(loses its source\) /,
    );
    expect(preview.text.match(/loses its source/g)).toHaveLength(1);
  });

  test.skipIf(isSecondEngine)('are imported past a row that is nested too deep', async () => {
    const content = `{"name":"Shallow"}\n{"name":"Deep","founders":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`;
    await owner.get('/account/import');
    const preview = await owner.upload('/account/import', { type: 'companies' }, { name: 'a.ndjson', content });
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('Shallow');
    expect(preview.text).toContain('nested 64 levels deep');
  });

  test('of an import of the own account are taken back after a preview', async () => {
    await owner.get('/account/import');
    const text = 'name,tagline\nTaken Back,New\nAcme,Changed by mistake\n';
    const done = await owner.post('/account/import', { type: 'companies', confirmed: 'yes', text });
    const path = /href="(\/account\/import\/[^"]+)">Undo this import/.exec(done.text)?.[1] ?? '';
    const acme = async () => JSON.parse((await service.store.records.get('companies', 'acme'))?.json ?? '');
    expect((await acme()).tagline).toBe('Changed by mistake');
    expect((await owner.get('/account/audit')).text).toContain(`href="${path}">Undo<`);

    const stranger = await service.person({ account: 'else' });
    expect((await stranger.get(path)).status).toBe(404);
    const writer = await service.person({ account: 'acme', role: 'member', level: 'write' });
    expect((await writer.get(path)).status).toBe(403);

    const preview = await owner.get(path);
    expect(preview.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
      / Acme company set back Tagline .*Taken Back company delete /,
    );
    expect((await acme()).tagline).toBe('Changed by mistake');
    expect((await owner.post(path, {})).text).toContain('Import undone');
    expect((await acme()).tagline).not.toBe('Changed by mistake');
    expect(await service.store.records.get('companies', 'taken-back')).toBeUndefined();
    expect((await owner.get('/account/audit')).text).toContain(`href="${path}">Undone<`);
    const audit = (await owner.get('/account/audit')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(audit).toMatch(
      / Import undone Taken Back company \d+ and 1 more .* Imported Acme company \d+ Tagline and 1 more Taken Back /,
    );
    const again = await owner.get(path);
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Nothing of it can be undone')]);

    const entries = async (filters: Record<string, string>) => {
      const [, table = 'none'] = (await owner.get(`/account/audit?${new URLSearchParams(filters)}`)).text.split(
        '<tbody>',
      );
      return table;
    };
    const [entry] = await service.store.audit.list({ account: 'acme', action: 'import', limit: 1 });
    const importer = entry?.person ?? '';
    const others = (await service.store.members.list('acme')).filter(({ email }) => email !== importer);
    const imported = await entries({ action: 'import', type: 'companies', who: importer, to: '2999-12-31' });
    expect(imported).toContain('>Imported<');
    expect(imported).not.toContain('>Import undone<');
    expect(await entries({ who: 'nobody@example.com', action: 'import.undo' })).toContain('>Import undone<');
    for (const none of [
      { who: others[0]?.email ?? '', action: 'import' },
      { to: '2000-01-01' },
      { from: '2999-12-31' },
      { address: '203.0.113.7' },
      { action: 'sync' },
      { action: 'import', type: 'keys' },
    ])
      expect(await entries(none)).toBe('none');
    const { address } = entry ?? {};
    expect(await entries({ from: '2000-01-01', address: address ?? '' })).toContain('>Import undone<');
    const file = await owner.get(`/account/audit.csv?${new URLSearchParams({ action: 'import', type: 'companies' })}`);
    const [head, ...lines] = file.text.trim().split('\n');
    expect(head).toBe('entry,at,action,type,id,name,fields,person,key,address,request_id');
    expect(lines.every((line) => line.includes(',import,companies,'))).toBe(true);
    expect(lines.join('\n')).toContain(`,Acme,tagline,${importer},,${address},`);
  });

  test.skipIf(isSecondEngine)('400 for an import of nothing', async () => {
    await owner.get('/account/import');
    expect((await owner.post('/account/import', { type: 'companies', text: ' ' })).status).toBe(400);
  });
});

test.skipIf(isSecondEngine).each([
  ['ops@example.com', 'mailto:ops@example.com', { email: 'ops@example.com' }],
  ['https://example.com/help', 'https://example.com/help', { url: 'https://example.com/help' }],
])('the contact %s of the operator stands wherever one is sent to the operator', async (contact, link, stated) => {
  const own = await startConsole([aCompany({ name: 'Alone' })], { contact });
  await own.person({ account: 'The operator' });
  const person = await own.person({ account: 'A customer' });
  const landing = await fetch(own.url, { headers: { Accept: 'text/html' } });
  const { text: plan } = await person.get('/account/plan');
  const { text: signIn } = await own.visitor().get('/account/sign-in');
  for (const text of [await landing.text(), plan, signIn])
    expect(text).toContain(`the operator of this service (<a href="${link}" rel="nofollow">${contact}</a>)`);
  const document = await (await fetch(`${own.url}/api/v1/openapi.json`)).json();
  expect(document.info.contact).toEqual({ name: 'web3-bi', ...stated });
  expect(await (await fetch(own.url)).json()).toMatchObject({ contact });
  await own.close();
});

test.skipIf(isSecondEngine)('health names one record of a kind in the singular', async () => {
  const own = await startConsole([aCompany({ name: 'Alone' })]);
  const { text } = await (await own.person()).get('/account/health');
  expect(text).toContain('Events, rounds, aggregates and connections are not tried');
  expect(text).toMatch(
    /1 company, 0 people, 0 investors, 0 events, 0 rounds, 0 grants<.*<td class="number"[^>]*>\d+ ms</s,
  );
  await own.close();
});

test.skipIf(isSecondEngine)('404 as a page for what is not there, 405 for another method', async () => {
  const misspelt = (await owner.get('/account/data/companies/acme-corp')).text;
  expect(misspelt).toContain('href="/account/data?query=acme+corp"');
  const lost = await owner.get('/account/nothing');
  expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const wrong = await fetch(`${service.url}/account/keys/new`, { method: 'POST' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test.each([
  [
    'data where there is some',
    [anInvestor({ name: 'Example Capital' })],
    ['Browse the data', 'Chart it', 'Add your own'],
  ],
  ['only to add data where there is none', [], ['Add your own']],
])('the overview of an unused account offers %s', async (_, rows, titles) => {
  const own = await startConsole(rows);
  try {
    const { text } = await (await own.person()).get('/account');
    const tiles = [...text.matchAll(/class="tile"><strong>([^<]+)</g)];
    expect(tiles.map(([, title]) => title)).toEqual(titles);
  } finally {
    await own.close();
  }
});
