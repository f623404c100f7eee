import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Bundles a test program into one file like the product, for a fast start.
 * @returns path of the file, below node_modules, where its native dependency is found
 */
export function bundleProgram(entry: string): string {
  const name = `${basename(entry, '.ts')}-${process.pid}.mjs`;
  const outfile = join(ROOT, 'node_modules', '.cache', 'web3-bi', name);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // CommonJS packages inside an ES module call require.
    banner: {
      js: "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}
