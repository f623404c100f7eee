import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import type { BackupReport } from '../store/store.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { print, printJson } from './output.ts';
import { databaseFile, openLastingStore } from './storage.ts';

/** What SQLite keeps beside a database that is open. */
const COMPANIONS = ['-wal', '-shm', '-journal'];
/** What belongs to our own: the counts of requests have a file of their own. */
const PARTS = ['', '-counts'].flatMap((part) => ['', ...COMPANIONS].map((end) => part + end));

export const command: Command = {
  usage: 'backup FILE',
  wordsMax: 1,
  about: 'Copy the database to a file while it is in use, and verify the copy. To restore, serve the file.',
  example: 'web3-bi backup ./web3-bi-2026-11-21.db',
  flags: {
    force: { type: 'boolean', description: 'Replace the file when it is there already.' },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir'],
  run: async ({ settings, flags, words }) => {
    const [name] = words;
    if (name === undefined) throw new ConfigError(`backup needs a FILE, such as: ${command.example}`);
    const file = resolve(name);
    const source = databaseFile(settings);
    const isForced = flags['force'] === true;
    checkTarget(file, isForced);
    checkApart(file, source);
    const store = await openLastingStore(settings);
    try {
      const report = await keepCopy(file, isForced, (partial) => store.backUp(partial));
      if (flags['json'] === true) printJson({ file, ...report });
      else print(summaryOf(file, report));
      return 0;
    } finally {
      await store.close();
    }
  },
};

function checkTarget(file: string, isForced: boolean): void {
  if (existsSync(file) && !isForced) throw alreadyThere(file);
  if (existsSync(file) && !statSync(file).isFile()) throw new ConfigError(`${file} is not a file; choose another.`);
  // A log left beside the file would be played into the copy when that is opened.
  const companion = COMPANIONS.map((end) => file + end).find((path) => existsSync(path));
  if (companion === undefined) return;
  throw new ConfigError(`${companion} is there, so ${file} is a database in use; choose another file.`);
}

/** Replacing the database by its own copy would take it away from every process that has it open. */
function checkApart(file: string, source: string): void {
  const target = statSync(file, { bigint: true, throwIfNoEntry: false });
  const { dev, ino } = statSync(source, { bigint: true });
  const isSame = target !== undefined && target.dev === dev && target.ino === ino;
  if (isSame || PARTS.some((end) => resolve(source) + end === file)) {
    throw new ConfigError(`${file} belongs to the database itself; choose another file.`);
  }
}

const alreadyThere = (file: string): ConfigError =>
  new ConfigError(`${file} is there already; choose another file, or replace it with --force.`);

/** The copy gets its name when it is whole and verified, so that a file of that name is always a good one. */
async function keepCopy(
  file: string,
  isForced: boolean,
  copyTo: (partial: string) => Promise<BackupReport>,
): Promise<BackupReport> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    // Made before anything is in it: a copy holds the hashes of keys, and is for its owner alone.
    closeSync(openSync(partial, 'wx', 0o600));
    const report = await copyTo(partial);
    // Looked at again, because copying takes its time. A link would be surer, but not every disk for backups has links.
    if (!isForced && existsSync(file)) throw alreadyThere(file);
    renameSync(partial, file);
    return report;
  } catch (cause) {
    if (cause instanceof ServiceError || cause instanceof ConfigError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`${file} cannot be written (${code}); choose another file.`, { cause });
  } finally {
    for (const end of ['', ...COMPANIONS]) rmSync(partial + end, { force: true });
  }
}

function summaryOf(file: string, { bytes, rows }: BackupReport): string {
  const counted = [...RECORD_TYPES, 'accounts', 'keys'].map((table) => `${rows[table] ?? 0} ${table}`);
  return `${file} is a verified copy: ${counted.join(', ')}, ${bytes} bytes.`;
}
