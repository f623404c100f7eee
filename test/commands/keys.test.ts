import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atOnce } from '../support/at-once.ts';
import { type Running, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const database = ['--database', `sqlite:${join(folder.path, 'keys.db')}`, '--data', 'none'];
afterAll(() => folder.remove());

const run = (...words: readonly string[]) => runProgram([...words, ...database]);
const json = async (...words: readonly string[]) => {
  const { stdout, stderr } = await run(...words, '--json');
  expect(stderr.startsWith('web3-bi:')).toBe(false);
  return JSON.parse(stdout);
};

describe('web3-bi account', () => {
  test('makes an account by word or by flag, and gives it a plan with limits of its own', async () => {
    expect(await json('account', 'create', 'big')).toMatchObject({ name: 'big', plan: 'none' });
    expect(await json('account', 'create', '--name', 'small', '--plan', 'api_access')).toMatchObject({
      limits: { daily: 1_000, monthly: 30_000 },
    });
    expect(await json('account', 'set-plan', 'big', 'enterprise', '--daily', '5000')).toMatchObject({
      plan: 'enterprise',
      limits: { daily: 5_000, monthly: null },
    });
    const { stdout } = await run('account', 'list');
    expect(stdout).toMatch(/ID +NAME +PLAN +A DAY +A MONTH.+\n1 +big +Enterprise +5,000 +no limit .+\n2 +small/);
  });

  test('says what an account without a plan means, and what to do where there is none', async () => {
    const other = temporaryFolder();
    const environment = { WEB3_BI_STATE_DIR: other.path, WEB3_BI_DATA: 'none' };
    const none = await runProgram(['account', 'list'], environment);
    expect([none.stdout, none.stderr]).toEqual([
      '',
      'No accounts; make one, such as: web3-bi account create acme api_access\n',
    ]);
    expect((await runProgram(['key', 'list'], environment)).stderr).toContain(
      'No keys; make one, such as: web3-bi key',
    );
    const refused = 'Keys of acme are refused until it has a plan: web3-bi account set-plan acme api_access\n';
    expect((await runProgram(['account', 'create', 'acme'], environment)).stderr).toBe(refused);
    const made = await runProgram(['key', 'create', '--account', 'acme', '--name', 'x'], environment);
    expect(made.stderr).toBe(`Key 1 (x, read) of acme. It is shown only now.\n${refused}`);
    const audit = await runProgram(['audit', '--type', 'keys', '--json'], environment);
    expect(JSON.parse(audit.stdout)).toMatchObject([{ action: 'key.create', account: 'operator', target_id: 1 }]);
    expect(audit.stdout).not.toContain(made.stdout.trim());
    expect((await runProgram(['audit', '--type', 'people-ish'], environment)).stderr).toContain(
      '--type must be one of companies, people, investors, events, rounds, keys, accounts, data.',
    );
    other.remove();
  });

  test.each([
    [['set-plan', 'big'], 2, 'Which plan? One of none, api_access, enterprise.'],
    [['set-plan', 'big', 'gold'], 2, 'PLAN must be one of none, api_access, enterprise.'],
    [
      ['set-plan', 'big', 'none', '--plan', 'enterprise'],
      2,
      'none and --plan enterprise contradict each other; give one of them.',
    ],
    [['set-plan', 'nobody', 'none'], 1, 'There is no account nobody. To list the accounts: web3-bi account list'],
    [['set-plan', 'big', 'enterprise', '--daily', '0'], 2, '--daily must be a whole number from 1 to 1000000000.'],
    [['set-plan', 'big', 'api_access', '--daily', '5'], 1, 'limits: only the plan enterprise has limits of its own'],
  ])('%j is refused in one line with exit code %i', async (words, code, message) => {
    expect(await run('account', ...words)).toEqual({ code, stdout: '', stderr: `web3-bi: ${message}\n` });
  });
});

describe('web3-bi key', () => {
  const create = (...words: readonly string[]) =>
    json('key', 'create', '--account', 'small', '--name', 'test', ...words);

  test('create takes addresses, one by one or with commas between', async () => {
    const made = await create('--allow', '10.1.2.3/8', '--allow', '192.0.2.7,2001:db8::1');
    expect(made).toMatchObject({
      key: expect.stringMatching(/^mk_\w{49}$/),
      allowed_cidrs: ['10.0.0.0/8', '192.0.2.7', '2001:db8::1'],
      created_by: 'operator',
    });
    expect(made).not.toHaveProperty('secret');
  });

  test('create leaves no account behind when the key is refused', async () => {
    const { code, stderr } = await run(
      'key',
      'create',
      '--account',
      'new',
      '--plan',
      'none',
      '--name',
      'x',
      '--allow',
      'x',
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^web3-bi: --allow must be an address or a range/)]);
    expect(await json('account', 'list')).toHaveLength(2);
  });

  test('rotate makes a new secret and says how long the old one works', async () => {
    const { id, key } = await create('--level', 'write');
    const { stdout, stderr } = await run('key', 'rotate', String(id), '--overlap', '1h');
    expect(stdout).toMatch(/^mk_\w{49}\n$/);
    expect(stdout.trim()).not.toBe(key);
    expect(stderr).toBe(`Key ${id + 1} (test, write) of small. It is shown only now.\nKey ${id} works for 1h more.\n`);
    expect(await json('key', 'rotate', String(id + 1), '--overlap', '0')).toMatchObject({ rotated_from: id + 1 });
    const again = await run('key', 'rotate', String(id));
    expect(again.stderr).toBe(
      'web3-bi: The key is replaced, so it cannot be rotated; rotate the key that replaced it.\n',
    );
  });

  test('list shows counts, the last use and the state of each, of one account if asked', async () => {
    const { id } = await create('--expires', '2999-01-01');
    await run('key', 'revoke', '1');
    const { stdout } = await run('key', 'list', '--account', 'small');
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toMatch(/^ID +ACCOUNT +NAME +LEVEL +KEY +TODAY +MONTH +LAST USED +STATUS$/);
    expect(lines[1]).toMatch(/^1 +small +test +read +mk_\w{4}…\w{4} +0 +0 +never +revoked \d{4}-/);
    expect(lines[2]).toMatch(/replaced, works until \d{4}-/);
    expect(lines[3]).toMatch(/replaced \d{4}-/);
    expect(lines[4]).toMatch(/active$/);
    expect(lines.at(-1)).toMatch(new RegExp(`^${id} .+ active until 2999-01-01T00:00:00.000Z$`));
    expect(await json('key', 'list', '--account', 'big')).toEqual([]);
    expect((await run('key', 'list', '--account', 'x')).stderr).toContain('There is no account x');
  });

  test.each([
    [['rotate'], 2, 'Which key? Give its number, such as: web3-bi key rotate 3'],
    [['rotate', '2', '--overlap', '2h'], 2, '--overlap must be one of 0, 1h, 24h, 7d.'],
    [['rotate', '99'], 1, 'There is no key 99. To list the keys: web3-bi key list'],
    [['revoke', '2', '--account', 'big'], 1, 'There is no key 2 of big. To list the keys: web3-bi key list'],
    [['create', '--account', 'small', '--name', 'x'.repeat(51)], 2, '--name must be at most 50 characters.'],
    [
      ['create', '--account', 'small', '--name', 'x', '--level', 'all'],
      2,
      '--level must be one of read, write, delete.',
    ],
  ])('%j is refused in one line with exit code %i', async (words, code, message) => {
    expect(await run('key', ...words)).toEqual({ code, stdout: '', stderr: `web3-bi: ${message}\n` });
  });
});

describe('two services on one database', () => {
  let services: Running[];
  let key: string;
  beforeAll(async () => {
    ({ key } = await json('key', 'create', '--account', 'fresh', '--plan', 'api_access', '--name', 'test'));
    const start = () => startProgram(['serve', '--port', '0', ...database], { WEB3_BI_BURST_PER_SECOND: '0' });
    services = await Promise.all([start(), start()]);
  });
  afterAll(() => Promise.all(services.map((service) => service.stop())));
  const ask = (index: number, path = '/api/v1/companies') =>
    fetch(`${services[index % 2]?.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });

  test('admit exactly 1,000 of 1,500 requests at once, and take each number once', async () => {
    const answers = await atOnce(1_500, ask);
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(1_000);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(500);
    const numbers = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-daily-remaining')));
    expect(numbers.sort((left, right) => left - right)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
    for (const index of [0, 1]) {
      const { data } = (await (await ask(index, '/api/v1/usage')).json()) as any;
      expect(data).toMatchObject({ day: { used: 1_000, remaining: 0 }, month: { used: 1_000, remaining: 29_000 } });
    }
  });

  test('both refuse a key from the moment it is revoked', async () => {
    const [{ id }] = await json('key', 'list', '--account', 'fresh');
    await run('key', 'revoke', String(id));
    expect((await Promise.all([ask(0), ask(1)])).map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe('web3-bi serve', () => {
  test.each([
    ['WEB3_BI_BURST_PER_SECOND', '-1', 'a whole number from 0 to 1000000'],
    ['WEB3_BI_BURST_PER_SECOND', 'many', 'a whole number from 0 to 1000000'],
    [
      'WEB3_BI_TRUSTED_PROXIES',
      '10.0.0.0/8,proxy',
      'a list with commas of an address or a range, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, or none',
    ],
  ])('refuses %s=%s in one line', async (name, value, wanted) => {
    const { code, stderr } = await runProgram(['serve', ...database], { [name]: value });
    expect([code, stderr]).toEqual([1, `web3-bi: ${name} must be ${wanted}.\n`]);
  });
});

describe('web3-bi account invite', () => {
  test('prints a link that makes an owner', async () => {
    await run('account', 'create', 'invited', 'api_access');
    const words = ['--email', 'Ada@example.com', '--public-url', 'https://bi.example.com'];
    expect(await json('account', 'invite', 'invited', ...words)).toMatchObject({
      account: 'invited',
      email: 'ada@example.com',
      role: 'owner',
      url: expect.stringMatching(/^https:\/\/bi\.example\.com\/account\/invitation\/[\w-]{43}$/),
    });
    const wrong = await run('account', 'invite', 'no-such');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('There is no account no-such')]);
  });
});
