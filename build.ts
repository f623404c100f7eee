import { rmSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * One build for the checkout and the package: every pure JavaScript dependency goes into a few files, because loading
 * many small ones is most of a start. What is native stays a dependency. Dynamic imports become files of their own.
 */
rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
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
