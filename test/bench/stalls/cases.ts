import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { bareEnvironment, PROGRAM } from '../../support/program.ts';
import { multipart, type Person, send } from './person.ts';

const HELD_MS = 7_000;
const FILE_ROWS = 8_000;
const LOOKS = 30;
/** As much as a form may bring. */
const FORM_ROWS = 19_000;
const FIELDS = 300_000;

/** What a case works with. */
export interface Stage {
  readonly databaseUrl: string;
  /** The database file; undefined on PostgreSQL. */
  readonly file: string | undefined;
  readonly folder: string;
  readonly url: string;
  readonly person: Person;
}

/** Something that happens beside a service. What takes time and is not measured is done before it begins. */
export interface Case {
  readonly name: string;
  prepare(stage: Stage): () => Promise<unknown>;
}

export const FILE_CASES: readonly Case[] = [
  {
    name: 'lock on the database',
    prepare:
      ({ file = '' }) =>
      () =>
        hold(file),
  },
  {
    name: 'lock on -counts',
    prepare:
      ({ file = '' }) =>
      () =>
        hold(`${file}-counts`),
  },
  { name: 'process stopped inside a write', prepare: stoppedInsideWrite },
];

export const CASES: readonly Case[] = [
  { name: 'import by the command', prepare: (stage) => importing(stage, 'plain', []) },
  { name: 'strict import by the command', prepare: (stage) => importing(stage, 'strict', ['--strict']) },
  { name: 'preview of a large file', prepare: (stage) => uploading(stage, {}) },
  { name: 'confirmed import of it', prepare: (stage) => uploading(stage, { confirmed: 'yes' }) },
  { name: 'large form', prepare: largeForm },
  { name: 'data drop', prepare: (stage) => () => ended(run(stage, ['data', 'drop'])) },
];

async function hold(file: string): Promise<void> {
  const other = openSqlite(file);
  other.exec('BEGIN IMMEDIATE');
  await pause(HELD_MS);
  other.exec('ROLLBACK');
  other.close();
}

const run = ({ databaseUrl, folder }: Stage, words: readonly string[]) =>
  spawn(process.execPath, [PROGRAM, ...words, '--data', 'none', '--database', databaseUrl], {
    env: bareEnvironment({ WEB3_BI_STATE_DIR: folder }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });

async function ended(child: ReturnType<typeof run>): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The command ended with ${code}`);
}

function importing(stage: Stage, name: string, flags: readonly string[]): () => Promise<void> {
  const file = join(stage.folder, `${name}.ndjson`);
  writeFileSync(file, rowsOf(name, FILE_ROWS));
  return () => ended(run(stage, ['import', file, '--type', 'companies', ...flags]));
}

function rowsOf(name: string, count: number): string {
  const overview = 'A company that is "imported" & measured <here>, in some words of no importance. '.repeat(11);
  const row = (index: number) => JSON.stringify({ name: `${name} number ${index}`, tags: ['bench', name], overview });
  return Array.from({ length: count }, (_, index) => row(index)).join('\n');
}

/** Ends an import as a paused machine would, at a moment in which it holds the lock, and lets it go on after. */
function stoppedInsideWrite(stage: Stage): () => Promise<void> {
  const file = join(stage.folder, 'stopped.ndjson');
  writeFileSync(file, rowsOf('stopped', FILE_ROWS));
  const watch = openSqlite(stage.file ?? '', { timeout: 0 });
  const isLocked = (): boolean => {
    try {
      watch.exec('BEGIN IMMEDIATE; ROLLBACK');
      return false;
    } catch {
      return true;
    }
  };
  return async () => {
    const child = run(stage, ['import', file, '--type', 'companies']);
    for (;;) {
      while (!isLocked()) await pause(1);
      child.kill('SIGSTOP');
      // A lock that was somebody else's is free soon.
      let looks = 0;
      for (; looks < LOOKS && isLocked(); looks += 1) await pause(10);
      if (looks === LOOKS) break;
      child.kill('SIGCONT');
    }
    await pause(HELD_MS);
    child.kill('SIGCONT');
    await ended(child);
    watch.close();
  };
}

function uploading({ person }: Stage, fields: Readonly<Record<string, string>>): () => Promise<void> {
  const form = person.form({ ...fields, type: 'companies', text: rowsOf('uploaded', FORM_ROWS) });
  return async () => {
    const status = await person.post('/account/import', form);
    if (status !== 200) throw new Error(`The import was answered with ${status}`);
  };
}

/** Of somebody without a session; what comes of it is the service's own affair. */
function largeForm({ url }: Stage): () => Promise<unknown> {
  const form = multipart(Object.fromEntries(Array.from({ length: FIELDS }, (_, index) => [`field ${index}`, '1'])));
  return () => send(`${url}/account/sign-in`, form, 'form=abc').catch(() => undefined);
}
