import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..', 'src');

/** Rooms that each room may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  store: ['contract'],
  service: ['contract', 'store'],
  console: ['contract', 'store', 'service'],
  client: ['contract'],
  mcp: ['contract', 'client'],
  sandbox: ['contract'],
  commands: ['contract', 'store', 'service', 'console', 'client', 'mcp', 'sandbox'],
};

/** Packages that belong to some rooms only, by the beginning of their name. */
const PACKAGE_ROOMS: readonly (readonly [string, readonly string[]])[] = [
  ['zod', ['contract', 'store', 'service', 'console', 'client', 'mcp', 'commands']],
  ['better-sqlite3', ['store']],
  ['pg', ['store']],
  ['csv-parse', ['store/import']],
  ['@fastify/busboy', ['console']],
  ['chrono-node', ['store/sentences']],
  ['yaml', ['store/sync']],
  ['cli-progress', ['commands']],
  ['express', ['service', 'console', 'mcp/http', 'sandbox']],
  ['express-rate-limit', ['service', 'console']],
  ['ipaddr.js', ['contract/ip-ranges.ts']],
  ['lru-cache', ['store', 'service']],
  ['pino', ['service']],
  ['helmet', ['service/middleware']],
  ['cors', ['service/middleware']],
  ['prom-client', ['service/metrics.ts']],
  ['zod-openapi', ['service']],
  ['preact', ['console']],
  ['preact-render-to-string', ['console']],
  ['hash-wasm', ['service/passwords']],
  ['@modelcontextprotocol/', ['mcp']],
  ['viem', ['client/wallet', 'service/payments', 'sandbox']],
  ['@bitauth/libauth', ['service/payments']],
  ['@x402/', ['client/wallet', 'service/payments', 'sandbox']],
];

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

const files = (readdirSync(SOURCE, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file));
const IMPORT = /(?:\bfrom\s|\bimport\s|\bimport\()'([^']+)'/g;
/** Code that is loaded when it is started, not with the files that start it. */
const LAZY = ['sandbox/', 'service/payments/', 'service/tracing.ts'];
const isLazy = (file: string): boolean => LAZY.some((place) => file.startsWith(place));
const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(join(SOURCE, file), 'utf8').matchAll(IMPORT)].map((match) => ({
    file: file.split(sep).join('/'),
    room: file.split(sep)[0] ?? '',
    target: match[1] ?? '',
  })),
);

const EXPORTED = /^export (?:async )?(?:interface|type|class|function\*?|const) (\w+)/gm;
/**
 * Files that may share a name within their room: ports and their implementations, the same part of two engines, routes and
 * what they answer with, and `index.ts`.
 */
const SAME_PART = /^store\/(?:port|postgres|sqlite)\/|^service\/routes\/|\/index\.ts$/;
const VALUE_IMPORT = /^(?:import|export) (?!type )([^;']*?)(?: ?from )?'(\.[^']+)'/gm;

/** The files that are loaded with a file; an import of types alone loads nothing. */
function loadedBy(file: string): string[] {
  return [...readFileSync(join(SOURCE, file), 'utf8').matchAll(VALUE_IMPORT)]
    .filter(([, names = '']) => !/^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}$/.test(names.trim()))
    .map(([, , target = '']) =>
      relative(SOURCE, join(SOURCE, dirname(file), target))
        .split(sep)
        .join('/'),
    );
}

/** The room of a relative import, or undefined for a package. */
function roomOf({ file, target }: Import): string | undefined {
  if (!target.startsWith('.')) return undefined;
  return relative(SOURCE, join(SOURCE, dirname(file), target)).split(sep)[0];
}

/** What the build of the data knows of its sources. */
const BUILT_DATA = '/data/sources.json';
/** Entry points: the program and the library. They compose rooms, and no file imports them. */
const ENTRIES = ['library.ts', 'main.ts'];

describe('the rooms of src', () => {
  test('hold every file but the entries of the program and of the library', () => {
    const loose = files.filter((file) => !file.includes(sep)).sort();
    expect(loose).toEqual(ENTRIES);
    expect(new Set(files.filter((file) => file.includes(sep)).map((file) => file.split(sep)[0]))).toEqual(
      new Set(Object.keys(MAY_IMPORT).filter((room) => imports.some((found) => found.room === room))),
    );
  });

  test('import only in their directions', () => {
    const wrong = imports.filter((found) => {
      const room = roomOf(found);
      if (room === undefined || ENTRIES.includes(found.file) || found.target.endsWith(BUILT_DATA)) return false;
      return room !== found.room && !(MAY_IMPORT[found.room] ?? []).includes(room);
    });
    expect(wrong).toEqual([]);
  });

  test('never import the console, but for the service that mounts its pages', () => {
    const isMount = ({ file, target }: Import) => file === 'commands/serve.ts' && target === '../console/pages.ts';
    const others = imports.filter((found) => roomOf(found) === 'console' && found.room !== 'console');
    expect(others.filter((found) => !isMount(found))).toEqual([]);
  });

  test('never import an entry', () => {
    expect(imports.filter(({ target }) => /^(\.\.\/)+(main|library)\.ts$/.test(target))).toEqual([]);
  });

  test('have no circle of imports by value', () => {
    const loads = new Map(files.map((file) => [file.split(sep).join('/'), loadedBy(file)]));
    // Removes files without remaining imports, until only files in circles are left.
    for (let before = -1; before !== loads.size; ) {
      before = loads.size;
      for (const [file, targets] of loads) if (!targets.some((target) => loads.has(target))) loads.delete(file);
    }
    expect([...loads.keys()]).toEqual([]);
  });

  test('have one file for each exported name, but for those that play the same part', () => {
    const places = new Map<string, string[]>();
    for (const file of files.filter((name) => !SAME_PART.test(name.split(sep).join('/'))))
      for (const [, name = ''] of readFileSync(join(SOURCE, file), 'utf8').matchAll(EXPORTED))
        places.set(name, [...(places.get(name) ?? []), file]);
    const shared = [...places].filter(([, found]) => new Set(found).size > 1);
    // Each file of a command exports it by this name.
    expect(shared.map(([name]) => name)).toEqual(['command']);
  });

  test('have one room for each exported name', () => {
    const places = new Map<string, Set<string>>();
    for (const file of files)
      for (const [, name = ''] of readFileSync(join(SOURCE, file), 'utf8').matchAll(EXPORTED))
        places.set(name, (places.get(name) ?? new Set()).add(file.split(sep)[0] ?? ''));
    const shared = [...places].filter(([, rooms]) => rooms.size > 1);
    expect(shared.map(([name]) => name)).toEqual([]);
  });

  test('have one folder of a room for each file name, but for those that play the same part', () => {
    const places = new Map<string, string[]>();
    for (const file of files.map((name) => name.split(sep).join('/')).filter((name) => !SAME_PART.test(name))) {
      const name = `${file.split('/')[0]}/${file.split('/').at(-1)}`;
      places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect([...places.values()].filter((found) => found.length > 1)).toEqual([]);
  });

  test('keep each package to its rooms', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (target.startsWith('.') || target.startsWith('node:')) return false;
      const rule = PACKAGE_ROOMS.find(
        ([name]) => target === name || target.startsWith(name.endsWith('/') ? name : `${name}/`),
      );
      return rule === undefined || !rule[1].some((place) => file === place || file.startsWith(`${place}/`));
    });
    expect(wrong).toEqual([]);
  });

  test('load the binding to SQLite in one file, which chooses the one for the running Node', () => {
    const root = dirname(SOURCE);
    const all = ['src', 'test'].flatMap((folder) =>
      (readdirSync(join(root, folder), { recursive: true }) as string[])
        .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
        .map((file) => join(folder, file)),
    );
    const loading = /(?:import (?!type )[^;]*from|import\() ?'better-sqlite3'/;
    expect(all.filter((file) => loading.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  test('load the sandbox, the payments and the chain libraries with them, and the traces, only when they are started', () => {
    const eager = files.filter((file) => !isLazy(file.split(sep).join('/')) && loadedBy(file).some(isLazy));
    expect(eager).toEqual([]);
  });

  test('keep SQL to the store', () => {
    const sql = /\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE\s+\w+\s+SET|DELETE FROM|CREATE TABLE)\b/;
    const found = files.filter(
      (file) => !file.startsWith('store') && sql.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  test('keep files to 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(SOURCE, file), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });

  test('have no room for what has no room', () => {
    const folders = new Set(files.flatMap((file) => file.split(sep).slice(0, -1)));
    expect(['utils', 'shared', 'common', 'helpers', 'lib'].filter((name) => folders.has(name))).toEqual([]);
  });
});
