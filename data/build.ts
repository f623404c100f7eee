import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkLines } from './build/check.ts';
import { buildFiles } from './build/files.ts';

/**
 * Builds the shipped data set from data/raw: `npx tsx data/build.ts`, and nothing else is read. `--check` writes nothing
 * and fails where a file is not what the build makes of the raw facts.
 */
const { files, lines, summary } = buildFiles();
checkLines(lines);
const pathOf = (name: string): string => join(import.meta.dirname, name);
if (process.argv.includes('--check')) {
  const stale = [...files].filter(([name, text]) => readFileSync(pathOf(name), 'utf8') !== text).map(([name]) => name);
  if (stale.length > 0) throw new Error(`Not what the build makes of data/raw: ${stale.join(', ')}`);
} else {
  for (const [name, text] of files) {
    mkdirSync(dirname(pathOf(name)), { recursive: true });
    writeFileSync(pathOf(name), text);
  }
}
console.log(summary.join('\n'));
