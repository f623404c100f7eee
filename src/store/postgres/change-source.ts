import type { ChangeSource } from '../follow/change-source.ts';
import { openPool } from './connections.ts';
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
    listen: (heard) => listenForChanges(url, heard),
    close: () => pool.end(),
  };
}
