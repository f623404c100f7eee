import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { counted, countText } from '../contract/value-text.ts';
import { OWNER_ONLY } from '../store/sqlite/driver.ts';
import type { BackupReport } from '../store/store.ts';
import { type Command, FORCE_FLAG } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { databaseFile, withStore } from './configured-store.ts';
import { checkTarget, writeAtomically } from './new-file.ts';
import { printJson, printText } from './output.ts';

/** Files of SQLite beside an open database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];
/** All files of a database of ours; usage counts have a file of their own. */
const PARTS = ['', '-counts'].flatMap((part) => ['', ...COMPANIONS].map((end) => part + end));

export const command: Command = {
  usage: 'backup FILE',
  about: 'Copy the database to a file while it is in use, and verify the copy. To restore, serve the file.',
  example: 'web3-bi backup ./web3-bi-2026-11-21.db',
  flags: { force: FORCE_FLAG },
  run: async ({ settings, flags, positionals: [name] }) => {
    if (name === undefined) throw new UsageError(`backup needs a FILE, such as: ${command.example}`);
    const file = resolve(name);
    const source = databaseFile(settings);
    const isForced = flags['force'] === true;
    checkTarget(file, isForced);
    checkUnused(file);
    checkApart(file, source);
    return withStore(settings, async (store) => {
      const target = { file, isForced, mode: OWNER_ONLY, companions: COMPANIONS };
      const report = await writeAtomically(target, (partial) => store.backUp(partial));
      if (flags['json'] === true) printJson({ file, ...report });
      else printText(summaryOf(file, report));
    });
  },
};

/** SQLite would replay a leftover write-ahead log into the copy. */
function checkUnused(file: string): void {
  const companion = COMPANIONS.map((end) => file + end).find((path) => existsSync(path));
  if (companion === undefined) return;
  throw new ConfigError(`${companion} is there, so ${file} is a database in use; choose another file.`);
}

/** Overwriting the open database would corrupt it for every process that uses it. */
function checkApart(file: string, source: string): void {
  const target = statSync(file, { bigint: true, throwIfNoEntry: false });
  const { dev, ino } = statSync(source, { bigint: true });
  const isSame = target !== undefined && target.dev === dev && target.ino === ino;
  if (isSame || PARTS.some((end) => resolve(source) + end === file))
    throw new ConfigError(`${file} belongs to the database itself; choose another file.`);
}

function summaryOf(file: string, { bytes, rows }: BackupReport): string {
  const counts = [...RECORD_TYPES, 'accounts', 'keys'].map((table) => counted(rows[table] ?? 0, table));
  return `${file} is a verified copy: ${counts.join(', ')}, ${countText(bytes)} bytes.`;
}
