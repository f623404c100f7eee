import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** `load` stands for dynamic imports, which code that was kept cannot make. */
const HEAD = '(function (exports, require, module, __filename, __dirname, load) {';
const TAIL = '\n})';

/**
 * Loads a CommonJS file of the build with the code that V8 made of it in an earlier run, which is kept beside it: most of
 * a start is compiling. Without that code, or with that of another V8, it is compiled again, and kept when the process
 * ends. Undefined when there is no such file, as in the source tree.
 */
export function loadCompiled(path: string): Record<string, unknown> | undefined {
  const source = readOrNothing(path)?.toString('latin1');
  if (source === undefined) return undefined;
  const kept = `${path}.${process.versions.v8}-${process.arch}`;
  const cachedData = readOrNothing(kept);
  const script = new Script(HEAD + source + TAIL, { filename: path, ...(cachedData !== undefined && { cachedData }) });
  const exports: Record<string, unknown> = {};
  const module = { exports };
  const folder = dirname(path);
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href);
  script.runInThisContext()(exports, createRequire(path), module, path, folder, load);
  if (cachedData === undefined || script.cachedDataRejected === true) {
    process.once('exit', () => keep(kept, script.createCachedData()));
  }
  return module.exports;
}

function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** In one step, because several processes may do it at once. Where the folder cannot be written, starts stay slower. */
function keep(path: string, data: Buffer): void {
  try {
    writeFileSync(`${path}.${process.pid}`, data);
    renameSync(`${path}.${process.pid}`, path);
  } catch {}
}
