import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/**
 * One build for the checkout and the package: every pure JavaScript dependency goes into a few files, because loading
 * many small ones is most of a start. What is native stays a dependency. Dynamic imports become files of their own.
 */
rmSync('dist', { recursive: true, force: true });
await build({
  // The second runs in a thread of its own.
  entryPoints: { main: 'src/main.ts', 'password-worker': 'src/service/passwords/password-worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  external: ['better-sqlite3'],
  // CommonJS packages inside an ES module still ask for require.
  banner: {
    js: "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);",
  },
  logLevel: 'warning',
});

/** The files that the API reference needs, and their licences. Without the address of a source map, which is not copied. */
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

/** What the pages for people load: our own styles and script, the libraries, and the typeface, with their licences. */
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
