import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, childrenOf, isRunning, PROGRAM, runProcess, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('web3-bi demo tells what each answer means, what was paid and what to try next, and leaves nothing behind', async () => {
  // What a person has set must not change what is shown, nor be changed.
  const own = { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_BASE_URL: 'http://127.0.0.1:9', TMPDIR: folder.path };
  const { code, stdout, stderr } = await runProcess(['demo'], own);
  expect([code, stderr]).toEqual([0, '']);
  for (const said of [
    'the closest match is Coinbase, and it is marked',
    'Read as companies, tag defi, chain Arbitrum, funding stage Series A.',
    '2018-05-10  Seed      $2M',
    '3 people: 0age, Devin Finzer, Alex Atallah.',
    'Vitalik Buterin  StarkWare seed round (2018)  Pantera Capital',
    'Free: it was paid for before.',
    '0.01 USD of play money, in one transaction',
    'On the chain: success, in block ',
    'claude mcp add web3-bi -- npx -y web3-bi-mcp mcp',
    'fills the database)\n',
    "  ROUNDS  ROUNDS' AMOUNT\n",
    'What one investor paid is on no record: ',
    'web3-bi sandbox  ',
  ])
    expect(stdout).toContain(said);
  expect(stdout.replaceAll('\n', ' ')).toMatch(/ Of [\d,]+ funding rounds, [\d,]+ have a known amount;/);
  expect(stdout).toMatch(/21 investors, 14 with a record; the first 10: Coinbase Ventures, /);
  for (const line of stdout.slice(stdout.indexOf('Try next')).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain('\u001b');
  expect(readdirSync(folder.path)).toEqual([]);
});

test.each([
  ['its output is closed, as by head', (demo: ChildProcess) => demo.stdout?.destroy(), 0],
  ['it is stopped', (demo: ChildProcess) => demo.kill(), 143],
])('web3-bi demo leaves no process and no file when %s', async (_when, end, code) => {
  const demo = spawn(process.execPath, [PROGRAM, 'demo'], { env: bareEnvironment({ TMPDIR: folder.path }) });
  const exited = once(demo, 'exit');
  // The service and the agent are running then, but not for long.
  const children = await new Promise<readonly number[]>((resolve) => {
    let printed = '';
    demo.stdout.on('data', function endAtLast(chunk) {
      printed += String(chunk);
      if (!printed.includes('6. The same search, with an API key')) return;
      demo.stdout.off('data', endAtLast);
      resolve(childrenOf(demo.pid));
      end(demo);
    });
  });
  expect(children.length).toBeGreaterThan(1);
  expect(await exited).toEqual([code, null]);
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
  expect(readdirSync(folder.path)).toEqual([]);
});
