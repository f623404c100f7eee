import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode24 } from '../support/node-24.ts';
import { serveAuthorization } from './authorize.ts';
import { serveForSuite } from './serve.ts';

/**
 * Runs the official conformance suite against /mcp and the authorization server, as they are in production, and against the
 * client that signs in to them in our tests. Exit 0 when all is as it should be.
 */

const FOLDER = import.meta.dirname;
const MODULES = join(FOLDER, 'node_modules');
const SUITE = join(MODULES, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

const NEWEST = '2026-07-28';
/** This Node runs it without a compiler. */
const CLIENT = `${findNode24()} ${join(FOLDER, 'client.ts')}`;
/** Between them these have every scenario of authorization; each runs its own at once. */
const CLIENT_SUITES = ['auth', 'draft'];

interface Run {
  readonly server: 'fixtures' | 'unmodified';
  readonly revision: string;
  /** Scenarios, or checks of them, that must fail; without it none may. */
  readonly expected?: string;
}

const RUNS: readonly Run[] = [
  { server: 'fixtures', revision: '2026-07-28' },
  { server: 'fixtures', revision: '2025-11-25', expected: 'fixtures-2025-11-25.yml' },
  { server: 'unmodified', revision: '2026-07-28', expected: 'unmodified-2026-07-28.yml' },
  { server: 'unmodified', revision: '2025-11-25', expected: 'unmodified-2025-11-25.yml' },
];

if (!existsSync(SUITE))
  execFileSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund'], { stdio: 'inherit' });
const lists = new Map<string, string>();
for (const revision of new Set(RUNS.map((each) => each.revision)))
  lists.set(revision, (await runSuite(['list', '--requirements', revision])).output);
for (const each of RUNS) {
  const { code, output } = await run(each);
  const required = requiredOf(each.revision, 'Server');
  const passed = required.filter((name) => output.includes(`✓ ${name}: `));
  const verdict = code === 0 ? 'as expected' : 'NOT as expected';
  console.log(
    `${each.revision}, ${each.server}: ${passed.length} of ${required.length} required scenarios; ${verdict}`,
  );
  if (code === 0) continue;
  console.log(output);
  process.exitCode = 1;
}

const authorized = await runAuthorization();
console.log(`authorization server: ${authorized.code === 0 ? 'as expected' : `NOT as expected\n${authorized.output}`}`);
if (authorized.code !== 0) process.exitCode = 1;

const scenarios = requiredOf(NEWEST, 'Client').filter((name) => name.startsWith('auth/'));
const outputs: string[] = [];
for (const suite of CLIENT_SUITES) {
  const words = ['client', '--command', CLIENT, '--suite', suite, '--spec-version', NEWEST];
  outputs.push((await runSuite(words)).output);
}
const failed = scenarios.filter((name) => !outputs.some((output) => output.includes(`✓ ${name}: `)));
console.log(`client: ${scenarios.length - failed.length} of ${scenarios.length} authorization scenarios`, ...failed);
if (failed.length > 0) {
  console.log(...outputs);
  process.exitCode = 1;
}

/** The scenarios of an authorization server, for which the suite waits until a person has allowed its request. */
async function runAuthorization(): Promise<{ code: number | null; output: string }> {
  const { words, allow, close } = await serveAuthorization();
  const port = await freePort();
  let seen = '';
  let isAllowed = false;
  try {
    return await runSuite([...words, '--port', String(port)], (piece) => {
      seen += piece;
      const [request] = /http\S+\/account\/authorize\S+(?=\n)/.exec(seen) ?? [];
      if (request === undefined || isAllowed) return;
      isAllowed = true;
      void allow(request);
    });
  } finally {
    await close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function run({ server, revision, expected }: Run): Promise<{ code: number | null; output: string }> {
  const serving = await serveForSuite(server);
  const out = mkdtempSync(join(tmpdir(), 'web3-bi-conformance-'));
  const baseline = expected === undefined ? [] : ['--expected-failures', join(FOLDER, expected)];
  const words = ['server', '--url', serving.url, '--requirements', revision, '-o', out, ...baseline];
  try {
    return await runSuite(words);
  } finally {
    await serving.close();
    rmSync(out, { recursive: true, force: true });
  }
}

function runSuite(
  words: readonly string[],
  onPiece: (piece: string) => void = () => {},
): Promise<{ code: number | null; output: string }> {
  // The suite needs a newer Node than a checkout.
  const child = spawn(findNode24(), [SUITE, ...words], {
    // Dozens of processes load the same modules.
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: join(MODULES, '.compile-cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      pieces.push(String(piece));
      onPiece(String(piece));
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output: pieces.join('') })));
}

/** The scenarios of a revision that a server or client has to pass. */
function requiredOf(revision: string, whose: 'Server' | 'Client'): string[] {
  const text = lists.get(revision) ?? '';
  const [, listed = ''] = new RegExp(`${whose} scenarios.*\\n((?: {2}- \\S+\\n)+)`).exec(text) ?? [];
  return listed.split('\n').flatMap((line) => /- (\S+)/.exec(line)?.[1] ?? []);
}
