import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../src/mcp/tools/index.ts';
import { findNode24 } from '../support/node-24.ts';
import { bareEnvironment, type Running, runProcess, startProgram, temporaryFolder } from '../support/program.ts';
import { stageBundle } from './bundle.ts';
import { firstFound, type HostEntry, hostEntries, placeOfBundle } from './hosts.ts';
import { DOWNLOAD_MIB_MAX, type Installed, installPacked, MIB_MAX, PACKAGES_MAX } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder();
const state = { WEB3_BI_STATE_DIR: join(folder.path, 'state') };
/** The Node version that users install, independent of that of the checkout. */
const node = findNode24();
const environment = bareEnvironment({
  ...state,
  PATH: [dirname(node), process.env['PATH']].join(delimiter),
});
afterAll(() => folder.remove());

const jsonOf = (file: string): any => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

let installed: Installed;
beforeAll(() => {
  installed = installPacked(join(folder.path, 'app'));
});

describe('the package, packed and installed elsewhere', () => {
  test('is small', () => {
    expect(installed.packages).toBeLessThanOrEqual(PACKAGES_MAX);
    expect(installed.packages).toBeGreaterThan(1);
    expect(installed.mib).toBeLessThanOrEqual(MIB_MAX);
    expect(installed.downloadMib).toBeLessThanOrEqual(DOWNLOAD_MIB_MAX);
  });

  test('has the licence of every package that is bundled, and its terms', async () => {
    const { metafile } = await build({
      entryPoints: ['src/main.ts', 'src/service/passwords/password-worker.ts'].map((entry) => join(ROOT, entry)),
      absWorkingDir: ROOT,
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      write: false,
      metafile: true,
    });
    const files = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((file) => inputs[file]?.bytesInOutput),
    );
    const folders = files.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
    const names = new Set(folders.map((folder) => jsonOf(join(folder, 'package.json')).name));
    const file = join(installed.folder, 'node_modules', 'web3-bi-mcp', 'dist', 'THIRD-PARTY-LICENSES.txt');
    const sections = readFileSync(file, 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
    const listed = new Set(sections.map((section) => /^\S+/.exec(section)?.[0]));
    expect(names.size).toBeGreaterThan(100);
    expect([...names].filter((name) => !listed.has(name))).toEqual([]);
    expect(sections.filter((section) => section.length < 500)).toEqual([]);
  });

  test('runs by its name, as npx runs it, without development dependencies', async () => {
    const program = join(installed.folder, 'node_modules', '.bin', 'web3-bi-mcp');
    expect(await firstFound({ command: program, args: ['mcp'], env: environment })).toBe('uniswap');
  });

  test('searches, serves and stops with exit code 0', async () => {
    const program = join(installed.folder, 'node_modules', 'web3-bi-mcp', 'dist', 'main.js');
    const found = execFileSync(node, [program, 'search', 'uniswap', '--json'], { env: environment, encoding: 'utf8' });
    expect(JSON.parse(found).results[0].slug).toBe('uniswap');
    const service = await startProgram(['serve', '--port', '0'], state, { program, node });
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  test('has a demo, which says what it cannot show without a chain', async () => {
    const program = join(installed.folder, 'node_modules', 'web3-bi-mcp', 'dist', 'main.js');
    const { code, stdout } = await runProcess(['demo', '--json'], { PATH: '' }, '', { program, node });
    const { calls, skipped } = JSON.parse(stdout);
    expect([code, calls.map(({ tool }: any) => tool), skipped]).toEqual([
      0,
      ['search', 'search', 'get_entity', 'aggregate', 'connect'],
      expect.stringContaining('npm i -g @foundry-rs/anvil'),
    ]);
  });

  test('names the Node to install, on one that its binding to SQLite does not support', () => {
    const program = join(installed.folder, 'node_modules', 'web3-bi-mcp', 'dist', 'main.js');
    // The version is all that decides, so that this can be asked on every Node.
    const older = [
      '--import',
      'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"});Object.defineProperty(process,"version",{value:"v20.1.0"})',
    ];
    const { status, stderr } = spawnSync(node, [...older, program, 'search', 'x'], {
      env: environment,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('web3-bi needs Node.js 22 or newer, and this is v20.1.0; install Node.js 22 or newer'),
    ]);
  });
});

describe('what the documents tell hosts to start', () => {
  let service: Running;
  let key: string;
  beforeAll(async () => {
    // The sandbox has what each of them needs: the service, a key, and a wallet with money.
    service = await startProgram(['sandbox', '--port', '0'], state);
    const { apiKey, wallet } = service.ready as { apiKey: string; wallet: { privateKey: string } };
    key = apiKey;
    await runProcess(['wallet', 'import'], state, wallet.privateKey);
  });
  afterAll(() => service.stop());

  const entries = hostEntries(['README.md', 'docs/hosts.md', 'docs/wallet-and-payments.md']);

  test('are for every host that is named, in its own format', () => {
    expect(new Set(entries.map(({ form }) => form))).toEqual(
      new Set([
        'mcpServers',
        'servers',
        'context_servers',
        'mcp_servers',
        'extensions',
        'cursor.com',
        'vscode.dev',
        'claude',
      ]),
    );
  });

  // Instructions shared by several hosts are tested once.
  const distinct = [...new Map(entries.map(({ entry }) => [JSON.stringify(entry), entry])).values()];
  test.each(distinct)('works: %j', async (entry) => {
    // The example's address, key and network stand for those of a service that runs.
    const text = JSON.stringify(entry)
      .replaceAll('https://bi.example.com', service.url)
      .replaceAll('/path/to/web3-bi-mcp', ROOT)
      .replaceAll('mk_...', key)
      .replaceAll('"eip155:8453"', '"eip155:84532"');
    const { command, args, env, url, headers } = JSON.parse(text) as HostEntry;
    if (url !== undefined) return expect(await firstFound({ url, headers: headers ?? {} })).toBe('uniswap');
    // npx takes the package that is installed where it is started.
    const place = { command: command ?? '', args: args ?? [], cwd: installed.folder };
    expect(await firstFound({ ...place, env: { ...environment, ...env } })).toBe('uniswap');
  });

  describe('and the examples', () => {
    const place = (): string => join(installed.folder, 'examples');
    beforeAll(() => cpSync(join(ROOT, 'examples'), place(), { recursive: true }));
    /** The installed package's own program stands for that of a checkout. */
    const path = () => [join(installed.folder, 'node_modules', '.bin'), environment['PATH']].join(delimiter);
    const example = (command: string, settings: Readonly<Record<string, string>> = {}) => {
      const [program = '', ...words] = command.replace(/^node dist\/main\.js/, 'web3-bi').split(' ');
      const env = { ...environment, PATH: path(), ...settings };
      const { status, stdout, stderr } = spawnSync(program, words, { cwd: installed.folder, env, encoding: 'utf8' });
      return { status, stdout, stderr: status === 0 ? '' : stderr };
    };

    test('have the types of the package', () => {
      const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
      const sources = ['client.mts', 'agent.mts'].map((name) => join(place(), name));
      const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
      execFileSync(process.execPath, [tsc, ...options, ...types, ...sources], { stdio: 'inherit' });
    });

    test('run in the order of their page, each with the settings that it has then', () => {
      const [local = '', remote = ''] = readFileSync(join(place(), 'README.md'), 'utf8').split('## With a service');
      const commands = (text: string): string[] =>
        text.match(/^((node|sh) .*examples\/.*|node dist\/main\.js get .*)$/gm) ?? [];
      const { wallet } = service.ready as { wallet: { privateKey: string } };
      const settings = {
        WEB3_BI_BASE_URL: service.url,
        WEB3_BI_API_KEY: key,
        WEB3_BI_WALLET_KEY: wallet.privateKey,
      };
      const said = [
        // Its client of MCP is installed in the checkout alone; the server that it starts is the package's.
        ...commands(local).map((command) => example(command.replace(/\S+mcp\.mts/, join(ROOT, 'examples', 'mcp.mts')))),
        ...commands(remote).map((command) => example(command, settings)),
      ];
      expect(said.map(({ status, stderr }) => [status, stderr])).toEqual(Array.from({ length: 7 }, () => [0, '']));
      const [tried, imported, shown, mcp, client, agent, curl] = said.map(({ stdout }) => stdout);
      expect(tried).toContain('Of 2 rows, 2 would be created');
      expect(imported).toContain('Of 2 rows, 2 created');
      expect(shown).toContain('https://example.com');
      expect(mcp).toMatch(/^Tools: search, get_entity, .*\nFound 3;[\s\S]*Hayden Adams/);
      expect(client).toMatch(
        /^Uniswap: .*\n2022-10-13 {2}\$165M\n[\s\S]*\nSimilar: .+, .+, .+\n2026: \d+ rounds, \$[\d.]+[BM]\n/,
      );
      expect(agent?.replaceAll(/0x[0-9a-f]{64}/g, '0x')).toBe(`Uniswap: Uniswap (0.01 USD, 0x)
Aave: Aave (0.01 USD, 0x)
Uniswap: Uniswap (paid before)
Compound: budget_exceeded: Not paid because of the wallet budget: the price is 0.01 USD, and 0.00 of 0.02 USD of this session is left, until its end.
Left: 0.00 USD in this session, 0.98 USD today
`);
      expect(curl?.match(/uniswap\.org/g)?.length).toBeGreaterThan(1);
    });

    test.each([
      ['node examples/client.mts', 'WEB3_BI_API_KEY'],
      ['node examples/agent.mts Uniswap', 'WEB3_BI_WALLET_KEY'],
      ['sh examples/curl.sh', 'WEB3_BI_API_KEY'],
    ])('%s names the variable that is not set', (command, variable) => {
      const { status, stderr } = example(command);
      expect([status, stderr]).toEqual([2, expect.stringContaining(variable)]);
      expect(stderr.length).toBeLessThan(400);
    });

    test('have a library whose uncaught errors are short and keep their names', () => {
      const script = `import { createWalletClient, ServiceError } from 'web3-bi-mcp/client';
console.log(ServiceError.name);
createWalletClient('https://bi.example.com', { privateKey: '' });`;
      const run = spawnSync(node, ['--input-type=module', '-e', script], { cwd: installed.folder, encoding: 'utf8' });
      expect([run.status, run.stdout]).toEqual([1, 'ServiceError\n']);
      expect(run.stderr).toContain('ServiceError: privateKey must be 0x and 64 hexadecimal digits');
      expect(run.stderr.length).toBeLessThan(2_000);
    });
  });

  test('and mcp.json.example, with the folder of a checkout in it', async () => {
    const { command, args } = jsonOf('mcp.json.example').mcpServers['web3-bi'];
    const placed = args.map((argument: string) => argument.replace('/path/to/web3-bi-mcp', ROOT));
    expect(await firstFound({ command, args: placed, env: bareEnvironment(state), cwd: '/' })).toBe('uniswap');
  });
});

describe('the bundle for desktop hosts', () => {
  // npm run size packs it, and takes it apart again, for each Node.
  test('starts as its manifest says, and has all that the manifest names', async () => {
    const staged = join(folder.path, 'bundle');
    cpSync(installed.folder, staged, { recursive: true });
    stageBundle(staged);
    const { icon, screenshots } = jsonOf('manifest.json');
    expect([icon, ...screenshots].filter((name) => !existsSync(join(staged, name)))).toEqual([]);
    expect(await firstFound(placeOfBundle(staged, node, environment))).toBe('uniswap');
  });

  test('has the version of the package and the tools of the server', () => {
    const manifest = jsonOf('manifest.json');
    expect(manifest.version).toBe(jsonOf('package.json').version);
    expect(manifest.tools.map((tool: any) => tool.name)).toEqual(
      tools.filter(({ access }) => access?.includes('key') ?? true).map(({ name }) => name),
    );
  });
});

const input = z.strictObject({
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean().optional(),
  default: z.string().optional(),
  choices: z.array(z.string()).optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
});

/** The rules of the registry's schema of 2025-12-11 for what our entry has. */
const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https?:\/\/[^\s]+$/),
      variables: z.record(z.string(), input),
      headers: z.array(input.extend({ name: z.string() })),
    }),
  ),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      runtimeHint: z.literal('npx'),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(input.extend({ name: z.string() })),
    }),
  ),
});

test('server.json is an entry of the registry for this very package', () => {
  const { name, version, mcpName } = jsonOf('package.json');
  const entry = serverJson.parse(jsonOf('server.json'));
  expect([entry.name, entry.version]).toEqual([mcpName, version]);
  expect(entry.packages.map(({ identifier }) => identifier)).toEqual([name]);
  expect(entry.packages.map((each) => each.version)).toEqual([version]);
});
