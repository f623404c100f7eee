import type { ChangeSource } from '../follow/change-source.ts';
import { run, type SqlProgram } from '../sql/program.ts';
import { openPool, tryLockSql } from './connections.ts';
import { postgresDialect } from './dialect.ts';
import { listenForChanges } from './notifications.ts';
import { createRunner } from './runner.ts';

/** One for applying; the log is trimmed in between. */
const CONNECTIONS = 1;

/** Opens a database with current schema to follow its changes. */
export function openSource(url: string): ChangeSource & { close(): Promise<void> } {
  const pool = openPool(url, CONNECTIONS);
  return {
    dialect: postgresDialect,
    runner: createRunner(pool),
    delayImports,
    listen: (heard) => listenForChanges(url, heard),
    close: () => pool.end(),
  };
}

/** Without waiting: while an import waits for another follower, this one goes on. */
export const delayImports = (): SqlProgram<void> => run(`SELECT ${tryLockSql('following')}`);
