import type { ChangeSource } from '../follow/change-source.ts';
import { openPool } from './connections.ts';
import { postgresDialect } from './dialect.ts';
import { listenForChanges } from './notifications.ts';
import { createRunner } from './runner.ts';

/** One works at a time; trimming the log comes between two applies. */
const CONNECTIONS = 1;

/** Opens a database, whose schema is up to date, to follow its changes. */
export function openSource(url: string): ChangeSource & { close(): Promise<void> } {
  const pool = openPool(url, CONNECTIONS);
  return {
    dialect: postgresDialect,
    runner: createRunner(pool),
    listen: (heard) => listenForChanges(url, heard),
    close: () => pool.end(),
  };
}
