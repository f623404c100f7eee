import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { rowsOfFolder } from './src/store/import/ndjson.ts';
import { makeReady } from './src/store/sqlite/ready-made.ts';

/**
 * One build for the checkout and the package: every pure JavaScript dependency goes into a few files, because loading
 * many small ones is most of a start. What is native stays a dependency.
 */
const SHARED: BuildOptions = {
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  external: ['better-sqlite3'],
  logLevel: 'warning',
};

/**
 * What runs before anything else is CommonJS, whose loader is ready sooner than that of ES modules: the start itself, and
 * in one file what `web3-bi mcp` needs to answer a host. What they load later are files of the other build.
 */
async function buildStart(): Promise<string[]> {
  const parts = new Set<string>();
  const others: Plugin = {
    name: 'others',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' || path === './mcp.ts') return undefined;
        const file = relative('.', resolve(resolveDir, path));
        parts.add(file);
        return { path: `./${relative('src', file).replace(/\.ts$/, '.mjs')}`, external: true };
      }),
  };
  const commonJs: BuildOptions = { ...SHARED, format: 'cjs', plugins: [others] };
  await build({
    ...commonJs,
    entryPoints: ['src/main.ts'],
    define: { 'import.meta.dirname': '__dirname' },
  });
  // The package is one of ES modules otherwise.
  writeFileSync('dist/package.json', '{"type":"commonjs"}\n');
  await build({
    ...commonJs,
    entryPoints: { mcp: 'src/commands/run.ts' },
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    // Anything outside it is escaped, so that the file can be read without decoding.
    charset: 'ascii',
  });
  const code = readFileSync('dist/mcp.cjs', 'utf8');
  writeFileSync('dist/mcp.cjs', code.replace(/\bimport\(("\.\/[^"]+")\)/g, 'load($1)'));
  return [...parts];
}

/** What runs in threads of their own. */
const THREADS = [
  'src/service/passwords/password-worker.ts',
  'src/service/imports/import-worker.ts',
  'src/store/sqlite/checkpoint-worker.ts',
];

/** Everything else. Dynamic imports become files of their own. */
async function buildParts(parts: readonly string[]): Promise<void> {
  await build({
    ...SHARED,
    entryPoints: [...THREADS, ...parts],
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    // CommonJS packages inside an ES module still ask for require.
    banner: {
      js: "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);",
    },
  });
}

/** The files that the API reference needs, and their licences. Without the address of a source map, which is not copied. */
function copyDocs(): void {
  const require = createRequire(import.meta.url);
  const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
  const docs = join('dist', 'docs');
  mkdirSync(docs);
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    const text = readFileSync(join(swagger, name), 'utf8');
    writeFileSync(join(docs, name), text.replace(/\n?(\/\/#|\/\*#) sourceMappingURL=\S+( \*\/)?\s*$/, '\n'));
  }
  for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
    copyFileSync(join(swagger, name), join(docs, name));
  }
}

/** Starts the program as a host does, once, so that the code V8 makes of it is kept for the first real start. */
function compile(): void {
  const clientInfo = { name: 'build', version: '0' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const { status, stderr } = spawnSync(process.execPath, ['dist/main.js', 'mcp'], { input, env: {} });
  if (status !== 0) throw new Error(`The build does not start: ${stderr}`);
}

/** What the pages for people load: our own styles and script, the libraries, and the typeface, with their licences. */
function copyPages(): void {
  const pages = join('dist', 'pages');
  mkdirSync(pages);
  const own = join('src', 'service', 'pages', 'assets');
  for (const name of ['pages.css', 'pages.js']) copyFileSync(join(own, name), join(pages, name));
  const LIBRARIES: readonly (readonly [string, string, string])[] = [
    ['htmx.org', 'dist/htmx.min.js', 'htmx.js'],
    ['htmx.org', 'LICENSE', 'htmx.LICENSE'],
    ['uplot', 'dist/uPlot.iife.min.js', 'uplot.js'],
    ['uplot', 'dist/uPlot.min.css', 'uplot.css'],
    ['uplot', 'LICENSE', 'uplot.LICENSE'],
    ['@fontsource-variable/inter', 'files/inter-latin-wght-normal.woff2', 'inter.woff2'],
    ['@fontsource-variable/inter', 'LICENSE', 'inter.LICENSE'],
  ];
  for (const [library, file, name] of LIBRARIES) copyFileSync(join('node_modules', library, file), join(pages, name));
}

/** A database with the shipped data. It takes longer than all the rest, so one that nothing has outdated is kept. */
async function fillShipped(): Promise<void> {
  const sources = ['data', 'src/store', 'src/contract'].flatMap(filesIn);
  if (existsSync(SHIPPED) && sources.every((file) => statSync(file).mtimeMs < statSync(SHIPPED).mtimeMs)) return;
  const made = `${SHIPPED}.new`;
  await makeReady(made, () => rowsOfFolder('data'));
  renameSync(made, SHIPPED);
}

const SHIPPED = join('dist', 'shipped.db');
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

mkdirSync('dist', { recursive: true });
for (const name of readdirSync('dist')) {
  if (join('dist', name) !== SHIPPED) rmSync(join('dist', name), { recursive: true });
}
await buildParts(await buildStart());
copyDocs();
copyPages();
await fillShipped();
compile();
