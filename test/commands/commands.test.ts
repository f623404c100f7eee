import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const state = { WEB3_BI_STATE_DIR: folder.path };
afterAll(() => folder.remove());

describe('web3-bi', () => {
  test('without a command prints help, and each command its own with an example', async () => {
    const help = await runProgram([]);
    expect([help.code, help.stderr]).toEqual([0, '']);
    const names = [...help.stdout.matchAll(/^ {2}(\S+) {2,}/gm)].map((match) => match[1] ?? '');
    expect(names).toEqual([
      'mcp',
      'serve',
      'sandbox',
      'search',
      'import',
      'export',
      'data',
      'backup',
      'migrate',
      'key',
      'wallet',
      'account',
      'payments',
      'audit',
      'doctor',
    ]);
    for (const name of names) {
      const { code, stdout } = await runProgram([name, '--help']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Example: web3-bi')]);
    }
  });

  test.each([
    [['serch'], {}, 'web3-bi: serch is not a command. Did you mean search? web3-bi --help lists them.\n'],
    [
      ['search', 'x', '--tpye', 'all'],
      {},
      'web3-bi: --tpye is not a flag of this command. Did you mean --type? --help lists them.\n',
    ],
    [['bogus'], {}, 'web3-bi: bogus is not a command. web3-bi --help lists them.\n'],
    [['doctor', 'extra'], {}, 'web3-bi: extra is one word too many; the usage is: web3-bi doctor\n'],
    [['serve', '--port='], {}, 'web3-bi: --port needs a value.\n'],
    [['search', 'x', '--limit', '-1'], {}, "web3-bi: Option '--limit' argument is ambiguous.\n"],
    [
      ['key', 'list', '--database', 'sqlite::memory:'],
      {},
      'web3-bi: sqlite::memory: is gone when the command ends; name a file with --database sqlite:PATH.\n',
    ],
    [['key', 'revoke'], {}, 'web3-bi: Which key? Give its number, such as: web3-bi key revoke 3\n'],
    [
      ['key', 'create', '--account', 'x', '--name', 'x', '--expires', '2020-01-01'],
      {},
      'web3-bi: --expires must lie in the future.\n',
    ],
    [
      ['account', 'list', '--state-dir', '/proc/nope'],
      {},
      expect.stringMatching(/^web3-bi: The database .+ cannot be opened .+\n$/),
    ],
    [
      ['search', 'x', '--state-dir', '/proc/nope'],
      {},
      expect.stringMatching(/^web3-bi: The embedded service could not start\. \(The database .+\)\n$/),
    ],
    [['search'], {}, 'web3-bi: search needs a QUERY, such as: web3-bi search coinbase\n'],
    [
      ['search', 'x', '--type', 'company'],
      {},
      'web3-bi: type must be one of companies, people, investors, events, all\n',
    ],
    [
      ['search', 'x'],
      { WEB3_BI_BASEURL: 'x' },
      'web3-bi: WEB3_BI_BASEURL is not a setting. Did you mean WEB3_BI_BASE_URL? Unset it or correct it.\n',
    ],
    [
      ['search', 'x'],
      { WEB3_BI_BASE_URL: 'example.com' },
      'web3-bi: WEB3_BI_BASE_URL must be an http or https address, such as http://127.0.0.1:4020.\n',
    ],
    [
      ['search', 'x'],
      { WEB3_BI_API_KEY: 'secret' },
      'web3-bi: WEB3_BI_API_KEY must be an API key: mk_ and 49 letters and digits.\n',
    ],
    [['serve', '--port', '70000'], {}, 'web3-bi: --port must be a whole number from 0 to 65535.\n'],
    [['sandbox', '--network', 'eip155:1'], {}, 'web3-bi: --network must be one of eip155:84532, eip155:8453.\n'],
    [
      ['serve', '--database', 'mysql://x'],
      {},
      'web3-bi: --database must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/NAME.\n',
    ],
    [
      ['mcp'],
      { WEB3_BI_ACCESS: 'key' },
      'web3-bi: WEB3_BI_ACCESS is key, but there is no WEB3_BI_API_KEY; set it, or set WEB3_BI_ACCESS=auto.\n',
    ],
    [['key', 'create'], {}, 'web3-bi: --account is needed here.\n'],
    [
      ['key', 'make'],
      {},
      'web3-bi: key needs one of create, list, rotate, revoke, such as: web3-bi key create --account acme --plan api_access --name laptop --level read\n',
    ],
    [
      ['account', 'create', '--name', 'x', '--plan', 'gold'],
      {},
      'web3-bi: --plan must be one of none, api_access, enterprise.\n',
    ],
  ])('%j is refused in one line', async (words, environment, stderr) => {
    expect(await runProgram(words, { ...state, ...environment })).toEqual({ code: 1, stdout: '', stderr });
  });

  test('refuses a folder it cannot write', async () => {
    const { code, stderr } = await runProgram(['account', 'list', '--state-dir', '/dev/null/x']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^web3-bi: The database sqlite:\/dev\/null\/x\/web3-bi\.db cannot be opened .+\n$/);
  });

  test('refuses a file that is no database', async () => {
    const file = join(folder.path, 'no.db');
    writeFileSync(file, 'this is a text file and no database at all');
    const { code, stderr } = await runProgram(['account', 'list', '--database', `sqlite:${file}`]);
    expect([code, stderr.split('\n')]).toEqual([1, [expect.stringContaining('cannot be opened'), '']]);
  });
});

describe('web3-bi with a database of another program', () => {
  test('refuses it, says why, and leaves it as it is', async () => {
    const file = join(folder.path, 'foreign.db');
    const foreign = new Database(file);
    foreign.exec('CREATE TABLE invoices (id)');
    const { code, stderr } = await runProgram(['account', 'list', '--database', `sqlite:${file}`]);
    expect([code, stderr]).toEqual([
      1,
      `web3-bi: The database sqlite:${file} cannot be opened: The file is an SQLite database of another program; name another file.\n`,
    ]);
    expect(foreign.pragma('table_list')).toHaveLength(3);
    foreign.close();
  });
});

describe('web3-bi search', () => {
  test('answers a person from the embedded service', async () => {
    const { code, stdout, stderr } = await runProgram(
      ['search', 'coinbase', '--type', 'companies', '--limit', '1'],
      state,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Coinbase {2}\[companies\/coinbase\]\n {4}\S/);
    expect(stderr).toMatch(/^\d+ found, page 1 of \d+; --page 2 shows more\n$/);
  });

  test('--json gives one JSON document', async () => {
    const { stdout } = await runProgram(['search', 'coinbase', '--json'], state);
    expect(JSON.parse(stdout).results.length).toBe(10);
  });

  test('says which service cannot be reached', async () => {
    const { code, stderr } = await runProgram(['search', 'x', '--base-url', 'http://127.0.0.1:1'], state);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^web3-bi: The service cannot be reached\. \(.+\)\n$/);
  });

  test('keeps the embedded key where only its owner can read it', () => {
    expect(statSync(join(folder.path, 'embedded-key')).mode & 0o777).toBe(0o600);
  });
});

describe('web3-bi serve, key, account and doctor', () => {
  const database = `sqlite:${join(folder.path, 'served.db')}`;
  let service: Running;
  let created: { id: number; key: string };
  beforeAll(async () => {
    service = await startProgram(['serve', '--port', '0', '--database', database, '--data', 'none']);
  });
  afterAll(() => service.stop());
  const ask = (key: string) =>
    fetch(`${service.url}/api/v1/companies`, { headers: { Authorization: `Bearer ${key}` } });

  test('a key made while the service runs is accepted at once', async () => {
    const words = [
      'key',
      'create',
      '--account',
      'acme',
      '--plan',
      'api_access',
      '--name',
      'laptop',
      '--level',
      'write',
      '--json',
      '--database',
      database,
      '--data',
      'none',
    ];
    const { code, stdout } = await runProgram(words);
    expect(code).toBe(0);
    created = JSON.parse(stdout);
    expect(created).toMatchObject({
      id: 1,
      key: expect.stringMatching(/^mk_/),
      name: 'laptop',
      level: 'write',
      account: 'acme',
    });
    expect((await ask(created.key)).status).toBe(200);
  });

  test('a key for an account that does not exist needs a plan', async () => {
    const { code, stderr } = await runProgram([
      'key',
      'create',
      '--account',
      'nobody',
      '--name',
      'x',
      '--database',
      database,
      '--data',
      'none',
    ]);
    expect([code, stderr]).toEqual([
      1,
      'web3-bi: There is no account nobody; add --plan to make it, or account list shows them.\n',
    ]);
  });

  test('doctor finds nothing wrong with it, and says what is wrong with another', async () => {
    const environment = { WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: created.key };
    const well = await runProgram(['doctor', '--json'], environment);
    expect([well.code, JSON.parse(well.stdout)]).toMatchObject([
      0,
      { ok: true, findings: [{ check: 'service' }, { check: 'clock' }, { check: 'key' }] },
    ]);
    const ill = await runProgram(['doctor'], { ...environment, WEB3_BI_API_KEY: `mk_${'a'.repeat(49)}` });
    expect([ill.code, ill.stdout]).toEqual([1, expect.stringMatching(/fault {2}key: .+\n {7}do: make a new key/)]);
    const down = await runProgram(['doctor'], { WEB3_BI_BASE_URL: 'http://127.0.0.1:1' });
    expect([down.code, down.stdout]).toEqual([
      1,
      expect.stringMatching(/fault {2}service: .+\n {7}do: check WEB3_BI_BASE_URL/),
    ]);
  });

  test('lists show keys and accounts without secrets', async () => {
    const keys = await runProgram(['key', 'list', '--database', database]);
    expect(keys.stdout).toMatch(/ID +ACCOUNT.+\n1 +acme +laptop +write +mk_\w{4}…\w{4} .+active\n$/);
    expect(keys.stdout).not.toContain(created.key);
    const accounts = await runProgram([
      'account',
      'set-plan',
      '--name',
      'acme',
      '--plan',
      'enterprise',
      '--database',
      database,
    ]);
    expect(accounts.stdout).toMatch(/1 +acme +Enterprise/);
  });

  test('a revoked key is refused at once', async () => {
    const { code, stdout } = await runProgram(['key', 'revoke', '1', '--database', database]);
    expect([code, stdout]).toEqual([0, 'Key 1 (laptop) is revoked.\n']);
    expect((await ask(created.key)).status).toBe(401);
  });

  test('a port that is taken is said in one line', async () => {
    const { port } = new URL(service.url);
    const { code, stderr } = await runProgram([
      'serve',
      '--port',
      port,
      '--database',
      'sqlite::memory:',
      '--data',
      'none',
    ]);
    expect([code, stderr]).toEqual([
      1,
      `web3-bi: Cannot listen on 127.0.0.1:${port} (EADDRINUSE); choose another with --host and --port.\n`,
    ]);
  });

  test('ends cleanly when it is told to', async () => {
    const other = await startProgram(['serve', '--port', '0', '--database', 'sqlite::memory:', '--data', 'none']);
    expect((await fetch(`${other.url}/api/health`)).status).toBe(200);
    expect(await other.stop()).toBe(0);
  });
});

describe('web3-bi audit', () => {
  test('shows what an import changed, the newest first, with the states in JSON', async () => {
    const own = temporaryFolder();
    const environment = { WEB3_BI_STATE_DIR: own.path, WEB3_BI_DATA: 'none' };
    const line = (tagline: string) => JSON.stringify({ name: 'Audited', slug: 'audited', tagline });
    for (const tagline of ['One', 'Two']) {
      await runProgram(['import', '-', '--type', 'companies', '--format', 'ndjson'], environment, line(tagline));
    }
    const table = await runProgram(['audit'], environment);
    expect(table.stdout.split('\n')[1]).toMatch(/^2 .*operator +- +import +companies 1/);
    const json = await runProgram(
      ['audit', '--type', 'companies', '--record', '1', '--limit', '1', '--json'],
      environment,
    );
    const [entry] = JSON.parse(json.stdout) as any[];
    expect([entry.before.tagline, entry.after.tagline]).toEqual(['One', 'Two']);
    const wrong = await runProgram(['audit', '--record', 'x'], environment);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'web3-bi: --record must be a whole number from 1, such as --record 12.\n',
    ]);
    own.remove();
  });
});
