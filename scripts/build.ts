import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { basename, dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import { gapsFileOf, storeCoverageGaps } from '../src/commands/coverage-gaps.ts';
import { rowsOfFolder } from '../src/store/import/ndjson.ts';
import { openStore } from '../src/store/open.ts';
import type { RowInput, ShippedEdition } from '../src/store/port/records.ts';
import { computeFingerprints } from '../src/store/records/rebuild-derived.ts';
import { openSqlite } from '../src/store/sqlite/driver.ts';
import { writeDeclarations } from './declarations.ts';
import { renderGuides } from './guides.ts';
import { bindOlderNode } from './older-node.ts';

/**
 * One build for the checkout and the package: every pure JavaScript dependency goes into a few files, because loading
 * many small ones is most of a start. What is native stays a dependency.
 */
const SHARED = {
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  // Their licences are in one file of their own: see writeLicences.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * What runs before anything else is CommonJS, whose loader is ready sooner than that of ES modules: the start itself, and
 * in one file what `web3-bi mcp` needs to answer a host. What they load later are files of the other build.
 */
async function buildStart(): Promise<{ parts: string[]; metafiles: Metafile[] }> {
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
  const commonJs = { ...SHARED, format: 'cjs', plugins: [others] } as const satisfies BuildOptions;
  const main = await build({
    ...commonJs,
    entryPoints: ['src/main.ts'],
    define: { 'import.meta.dirname': '__dirname' },
  });
  // The package is one of ES modules otherwise.
  writeFileSync('dist/package.json', '{"type":"commonjs"}\n');
  const mcp = await build({
    ...commonJs,
    entryPoints: { mcp: 'src/commands/run.ts' },
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'moduleUrl' },
    // Zod compiles a function for each schema otherwise, which V8's code cache cannot hold.
    banner: {
      js: "globalThis.__zod_globalConfig = { jitless: true };const moduleUrl = require('node:url').pathToFileURL(__filename).href;",
    },
    // Anything outside it is escaped, so that the file can be read without decoding.
    charset: 'ascii',
  });
  const code = readFileSync('dist/mcp.cjs', 'utf8');
  writeFileSync('dist/mcp.cjs', code.replace(/\bimport\(("\.\/[^"]+")\)/g, 'load($1)'));
  return { parts: [...parts], metafiles: [main.metafile, mcp.metafile] };
}

/** Leaves out the tables of Chinese, Japanese and Korean encodings, half a megabyte: a request in one of them is refused. */
const withoutLegacyEncodings: Plugin = {
  name: 'without-legacy-encodings',
  setup: ({ onLoad }) =>
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/]dbcs-data\.js$/ }, () => ({ contents: 'module.exports = {};' })),
};

/** What runs in threads of its own. */
const ENTRIES = [
  'src/service/passwords/password-worker.ts',
  'src/service/imports/import-worker.ts',
  'src/store/sqlite/checkpoint-worker.ts',
  'src/store/sqlite/analytics/analytics-worker.ts',
  'src/store/index-replication/follower-worker.ts',
];

/** CommonJS packages inside an ES module still ask for require. */
const REQUIRE = {
  js: "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);",
};

/** Everything else. Dynamic imports become files of their own. */
async function buildParts(parts: readonly string[]): Promise<Metafile> {
  const { metafile } = await build({
    ...SHARED,
    entryPoints: [...ENTRIES, ...parts],
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [withoutLegacyEncodings],
    define: { DEFINITION_FINGERPRINTS: JSON.stringify(JSON.stringify(computeFingerprints())) },
    banner: REQUIRE,
  });
  return metafile;
}

/** The library in files of its own and not minified, because stacks and debuggers of its callers show them. */
async function buildLibrary(): Promise<Metafile> {
  const { metafile } = await build({
    ...SHARED,
    minify: false,
    entryPoints: ['src/library.ts'],
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'library/[name]-[hash]',
    banner: REQUIRE,
  });
  return metafile;
}

/** Packages whose files the build copies as they are. */
const COPIED = ['swagger-ui-dist', 'htmx.org', '@fontsource-variable/inter'];
const LICENCE_FILE = /^(licen[cs]e|notice|copying)/i;
/** Folder of the innermost package that a file belongs to. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
/** Where the terms of a licence begin, behind the lines that name who holds it. */
const TERMS = /^\s*(Permission is hereby granted|Apache License)[\s\S]*/m;

interface Licensed {
  readonly title: string;
  readonly licence: string;
  readonly holder: string;
  /** What its files say. */
  readonly text: string;
}

/** Writes the licence and the notices of every package that is part of the build; fails for one that has none. */
function writeLicences(metafiles: readonly Metafile[]): void {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const files = outputs.flatMap(({ inputs }) => Object.keys(inputs).filter((file) => inputs[file]?.bytesInOutput));
  const bundled = files.flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []);
  const folders = [...new Set([...bundled, ...COPIED.map((name) => `node_modules/${name}`)])].sort();
  const packages = folders.map(licensed);
  const sections = packages.map(({ title, licence, holder, text }) => {
    if (text !== '') return `${title}\n\n${text}\n`;
    // Some packages name a licence and leave its text out.
    const terms = packages.find((other) => other.licence === licence && TERMS.test(other.text));
    if (terms === undefined) throw new Error(`${title}: there is no text of this licence`);
    return `${title}\n\nCopyright (c) ${holder}\n\n${TERMS.exec(terms.text)?.[0].trim()}\n`;
  });
  writeFileSync(join('dist', 'THIRD-PARTY-LICENSES.txt'), sections.join(`\n${'-'.repeat(80)}\n\n`));
}

function licensed(folder: string): Licensed {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
  return { title: `${name} ${version} (${license})`, licence: license, holder, text: texts.join('\n\n') };
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
  const own = join('src', 'console', 'assets');
  for (const name of readdirSync(own)) copyFileSync(join(own, name), join(pages, name));
  const LIBRARIES: readonly (readonly [string, string, string])[] = [
    ['htmx.org', 'dist/htmx.min.js', 'htmx.js'],
    ['htmx.org', 'LICENSE', 'htmx.LICENSE'],
    ['swagger-ui-dist', 'swagger-ui-bundle.js', 'swagger-ui.js'],
    ['swagger-ui-dist', 'swagger-ui.css', 'swagger-ui.css'],
    ['swagger-ui-dist', 'LICENSE', 'swagger-ui.LICENSE'],
    ['swagger-ui-dist', 'NOTICE', 'swagger-ui.NOTICE'],
    ['swagger-ui-dist', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui-bundle.js.LICENSE.txt'],
    ['@fontsource-variable/inter', 'files/inter-latin-wght-normal.woff2', 'inter.woff2'],
    ['@fontsource-variable/inter', 'LICENSE', 'inter.LICENSE'],
  ];
  for (const [library, file, name] of LIBRARIES) copyFileSync(join('node_modules', library, file), join(pages, name));
  writeFileSync(join(pages, 'guides.json'), JSON.stringify(renderGuides()));
  // Without the address of a source map, which is not copied.
  for (const name of ['swagger-ui.js', 'swagger-ui.css']) {
    const text = readFileSync(join(pages, name), 'utf8');
    writeFileSync(join(pages, name), text.replace(/\n?(\/\/#|\/\*#) sourceMappingURL=\S+( \*\/)?\s*$/, '\n'));
  }
}

/** Classes of what only pages have, and their forms. */
const OF_PAGES =
  /\.(public|refine|pairs|landing|hero|ways|plans|foot|side|facets?|held|filters|doc|crumbs|endpoint|find|ask|kinds|examples|agent|tools|records?|timeline|error-page|top|call|choices?|menu|steps|meters?|ticks|lines|related|chips|copyable|alone|tags|refs|bar-line|brand|checks|skip|frame|who|sign|icon|logo|with-docs|stack|row|fault|fields?|search|htmx-request|top-space|copy|wrong|answer|checkboxes|hint|empty(?:-title)?|pages|long-id|long-item|request-id|age|bar|plan|limits|tiles|tile(?!-)|method|step|theme|saved|prose|compared|further|drawn|changed|page-head|with-public|danger|error-status|error-code|rows|section|save-bar|record-form|few|item|asks|cited|fixes|refusal|narrow|on-wide|found|group|address|primary|profile(?!-)|scripted|without-script|wide|actions|ends|site|offered-names)\b|^(input|select|textarea|mark|#found|#side-by-side|\[class|:has)\b|figcaption/;
const EMPTY_MEDIA = /@(media|supports)[^{}]*\{\}/g;

/** One of a list of selectors, and the lists within it. */
const SELECTOR = /(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+/g;
const IN_BRACKETS = /:(is|not|where|nth-child)\([^()]*\)/g;

/** Minified styles with the selectors that pass a test, and without what is empty then. */
const withSelectors = (css: string, isKept: (selector: string) => boolean): string =>
  css
    .replace(/(?<=[{}]|^)([^{}@]+)(\{[^{}]*\})/g, (_, selectors: string, declarations: string) => {
      const parts = (selectors.match(SELECTOR) ?? []).filter(isKept);
      return parts.length === 0 ? '' : parts.join(',') + declarations;
    })
    .replace(EMPTY_MEDIA, '')
    // What they stood in.
    .replace(EMPTY_MEDIA, '');

const STRUCTURE = ['html', 'body', 'main', 'a', 'title'];
const ABOUT_OTHERS = /:(?:is|not|where)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]/g;

/** Whether a script draws what a selector is of: it names each class, or the start of one with a number, and each element. */
function isDrawn(selector: string, script: string): boolean {
  const own = selector.replace(ABOUT_OTHERS, '');
  const isClass = ([, name = '']: RegExpMatchArray): boolean => {
    const start = name.replace(/-\d+$/, '-');
    return start === name ? new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(script) : script.includes(start);
  };
  const elements = own.replace(/::?[\w-]+|[.#][\w-]+/g, '').match(/[a-z][a-z\d]*/g) ?? [];
  return (
    [...own.matchAll(/\.([a-z][\w-]*)/gi)].every((match) => match[1] === 'app' || isClass(match)) &&
    elements.every((name) => STRUCTURE.includes(name) || new RegExp(`["\`]${name}["\`]`).test(script))
  );
}

/** Styles without the variables that nothing uses, and the others without blanks. */
const withUsedVariables = (css: string): string =>
  css.replace(/(--[\w-]+):([^;}]*)(;?)/g, (_, name: string, value: string, end: string) =>
    css.includes(`var(${name})`) ? `${name}:${value.trim().replaceAll(', ', ',')}${end}` : '',
  );

/**
 * The views of tools in hosts (MCP Apps): a page each that holds all it needs, because a host lets it load nothing. Of our
 * modules only those count that are used, so that a component comes without what stands beside it.
 */
async function buildApps(): Promise<Metafile> {
  const folder = join('src', 'console', 'apps');
  const styles = readFileSync(join('src', 'console', 'assets', 'pages.css'), 'utf8').replace(
    /@font-face \{[^}]*\}/,
    '',
  );
  const { code } = await transform(styles, { loader: 'css', minify: true });
  // No view has a part of these.
  const css = withSelectors(code, (selector) => !OF_PAGES.test(selector.replace(IN_BRACKETS, '')));
  const usedOnly: Plugin = {
    name: 'used-only',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\..*\.tsx?$/ }, ({ path, resolveDir, kind }) =>
        kind === 'entry-point' ? undefined : { path: resolve(resolveDir, path), sideEffects: false },
      ),
  };
  const { outputFiles, metafile } = await build({
    ...SHARED,
    entryPoints: readdirSync(folder).flatMap((name) => (name.endsWith('.tsx') ? join(folder, name) : [])),
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    charset: 'utf8',
    // What a plugin resolves is not looked up in tsconfig.json.
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Of modules that come to be unused.
    external: ['node:*'],
    plugins: [usedOnly],
    write: false,
  });
  mkdirSync(join('dist', 'apps'));
  for (const { path, text } of outputFiles) {
    // A host has a browser, and no Node.
    if (/\("node:/.test(text)) throw new Error(`${path} uses modules of Node.`);
    const script = text.replaceAll('</script', '<\\/script');
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>web3-bi</title><style>${withUsedVariables(withSelectors(css, (selector) => isDrawn(selector, script)))}</style><body class="app"><main aria-label="Answer"></main><script>${script}</script></body></html>`;
    writeFileSync(join('dist', 'apps', `${basename(path, '.js')}.html`), html);
  }
  return metafile;
}

/** A database with the shipped data. It takes longer than all the rest, so one that nothing has outdated is kept. */
async function fillShipped(): Promise<void> {
  const sources = ['data', 'src/store', 'src/contract'].flatMap(filesIn);
  const isMade = existsSync(SHIPPED) && existsSync(gapsFileOf(SHIPPED));
  if (isMade && sources.every((file) => statSync(file).mtimeMs < statSync(SHIPPED).mtimeMs)) return;
  const made = `${SHIPPED}.new`;
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  await writePrebuiltDatabase(made, () => rowsOfFolder('data'), { digest: digestOfData(), version });
  renameSync(made, SHIPPED);
}

/** Identifies the content of the shipped data set. */
function digestOfData(): string {
  const digest = createHash('sha256');
  for (const file of filesIn('data')
    .filter((path) => /^data.\w+\.ndjson$/.test(path))
    .sort())
    digest.update(readFileSync(file));
  return digest.digest('base64url');
}

/**
 * What a package has of the data: the prebuilt database and the records, compressed, because both are mostly text. They are
 * most of the download: Brotli makes them a fifth smaller than gzip, and unpacks them as fast.
 */
function packData(): void {
  const pack = (from: string, to: string, params: Readonly<Record<number, number>>): void => {
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, brotliCompressSync(readFileSync(from), { params }));
  };
  // The next quality takes twice as long for less than a hundredth. The window is that of the whole file.
  pack(SHIPPED, `${SHIPPED}.br`, {
    [constants.BROTLI_PARAM_QUALITY]: 7,
    [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 26,
  });
  const isShipped = (file: string): boolean => /^data\/(packs\/\w+\/)?\w+\.ndjson$/.test(file.replaceAll('\\', '/'));
  // The records are a tenth of it, and a thirteenth smaller by the next quality.
  for (const file of filesIn('data').filter(isShipped))
    pack(file, join('dist', `${file}.br`), {
      [constants.BROTLI_PARAM_QUALITY]: 10,
      [constants.BROTLI_PARAM_LGWIN]: 24,
    });
  writeFileSync(join('dist', 'data', 'digest'), digestOfData());
}

const SHIPPED = join('dist', 'shipped.db');
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

// Compiles for a minute, beside what needs no database.
const binding = bindOlderNode();
mkdirSync('dist', { recursive: true });
for (const name of readdirSync('dist')) {
  // What has taken long to make: the database, and a bundle, which `npm run bundle` makes.
  const isKept = [SHIPPED, gapsFileOf(SHIPPED)].includes(join('dist', name)) || name.endsWith('.mcpb');
  if (!isKept) rmSync(join('dist', name), { recursive: true });
}
const { parts, metafiles } = await buildStart();
writeLicences([...metafiles, await buildParts(parts), await buildLibrary(), await buildApps()]);
copyPages();
await writeDeclarations('library', join('dist', 'library.d.mts'));
await binding;
await fillShipped();
packData();
compile();

/** Creates a prefilled database file for copying. It is a single file without secret; each copy creates its own when opened. */
async function writePrebuiltDatabase(
  path: string,
  rows: () => Iterable<RowInput>,
  edition: ShippedEdition,
): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  await store.records.fillOnce(rows, edition);
  await storeCoverageGaps(store, SHIPPED);
  await store.close();
  const database = openSqlite(path);
  database.exec("DELETE FROM settings WHERE name = 'key_pepper'");
  database.pragma('journal_mode = DELETE');
  database.exec('VACUUM');
  database.close();
}
