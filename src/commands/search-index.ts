import { resolve } from 'node:path';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { counted, countText } from '../contract/value-text.ts';
import { OWNER_ONLY } from '../store/sqlite/driver.ts';
import type { IndexReport, MachineIndex, Store } from '../store/store.ts';
import { type Command, type CommandGroup, FORCE_FLAG } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { checkTarget, writeAtomically } from './new-file.ts';
import { print, printJson } from './output.ts';

const SETTINGS = ['database', 'state-dir'] as const;

const show: Command = {
  usage: 'index show',
  about: 'Show where the search index of this machine is, its size and its lag. For PostgreSQL.',
  example: 'web3-bi index',
  settings: SETTINGS,
  run: ({ settings, flags }) =>
    withStore(
      settings,
      async (store) => {
        const report = await indexOf(store).report();
        if (flags['json'] === true) printJson(report);
        else print(lineOf(report));
      },
      // Showing the state must not trigger a build.
      { index: { isFollower: false } },
    ),
};

const snapshot: Command = {
  usage: 'index snapshot FILE',
  about: 'Copy the search index of this machine to a file, from which other machines can start. For PostgreSQL.',
  example: 'web3-bi index snapshot /srv/shared/index.db --force',
  flags: { force: FORCE_FLAG },
  settings: SETTINGS,
  run: async ({ settings, flags, positionals: [name] }) => {
    if (name === undefined) throw new UsageError(`index snapshot needs a FILE, such as: ${snapshot.example}`);
    const file = resolve(name);
    const isForced = flags['force'] === true;
    checkTarget(file, isForced);
    return withStore(settings, async (store) => {
      const target = { file, isForced, mode: OWNER_ONLY };
      const { bytes, rows } = await writeAtomically(target, (partial) => indexOf(store).copy(partial));
      if (flags['json'] === true) printJson({ file, bytes, rows });
      else
        print(
          `${file} is a verified copy: ${RECORD_TYPES.map((type) => counted(rows[type] ?? 0, type)).join(', ')}, ${countText(bytes)} bytes.`,
        );
    });
  },
};

export const command: CommandGroup = {
  about: 'The search index that each machine keeps of a PostgreSQL database.',
  actions: { show, snapshot },
  defaultAction: 'show',
};

function indexOf({ index }: Store): MachineIndex {
  if (index !== undefined) return index;
  throw new ConfigError(
    'An SQLite database has its index in itself; index is for PostgreSQL (--database postgres://...).',
  );
}

function lineOf({ file, bytes, position, newest }: IndexReport): string {
  if (file === undefined || position === undefined)
    return `There is no index yet; the log of changes is at ${newest}. serve builds it, and so does the first search.`;
  return `${file}: ${countText(bytes)} bytes, at change ${position} of ${newest}.`;
}
