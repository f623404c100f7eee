import { renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { isUpToDate, SOURCES } from './build.ts';

const TESTS = join(import.meta.dirname, '..');
/** Below node_modules, where the native dependency of a bundle is found. */
const FOLDER = join(TESTS, '..', 'node_modules', '.cache', 'web3-bi');

/**
 * Bundles a test program into one file like the product, for a fast start. All files of a run share it.
 * @returns path of the file
 */
export function bundleProgram(entry: string): string {
  const outfile = join(FOLDER, `${relative(TESTS, entry).replaceAll(/[/\\]/g, '-').replace('.ts', '')}.mjs`);
  if (isUpToDate(outfile, [...SOURCES, import.meta.dirname, dirname(entry)])) return outfile;
  const made = outfile.replace('.mjs', `-${process.pid}.mjs`);
  buildSync({
    entryPoints: [entry],
    outfile: made,
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
  renameSync(made, outfile);
  return outfile;
}
