import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { attempt } from '../contract/attempt.ts';

/** `load` replaces dynamic import, which code from the V8 cache cannot use. */
const HEAD = '(function (exports, require, module, __filename, __dirname, load) {';
const TAIL = '\n})';

/** Loads a CommonJS file of the build with V8's code cache, which is rebuilt at exit if it does not fit. Undefined if there is no file. */
export function loadWithCodeCache(path: string): Record<string, unknown> | undefined {
  const source = readIfPresent(path)?.toString('latin1');
  if (source === undefined) return undefined;
  const cacheFile = `${path}.${process.versions.v8}-${process.arch}`;
  const cachedData = readIfPresent(cacheFile);
  const script = new Script(HEAD + source + TAIL, { filename: path, ...(cachedData !== undefined && { cachedData }) });
  const exports: Record<string, unknown> = {};
  const module = { exports };
  const folder = dirname(path);
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href);
  script.runInThisContext()(exports, createRequire(path), module, path, folder, load);
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', () => writeCache(cacheFile, script.createCachedData()));
  return module.exports;
}

const readIfPresent = (path: string): Buffer | undefined => attempt(() => readFileSync(path));

/** Writes atomically, because processes may write concurrently. In a read-only folder, starts remain slower. */
function writeCache(path: string, data: Buffer): void {
  try {
    writeFileSync(`${path}.${process.pid}`, data);
    renameSync(`${path}.${process.pid}`, path);
  } catch {}
}
