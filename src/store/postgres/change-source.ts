import { Client } from 'pg';
import type { LocalSource } from '../index-replication/local-index.ts';
import { type Runner, run } from '../sql.ts';
import { postgresDialect } from './dialect.ts';
import { connectionConfig, openPool, tryLockSql } from './pool.ts';
import { createRunner } from './runner.ts';

/** One for applying; the log is trimmed in between. */
const CONNECTIONS = 1;

/** Notification channel of record changes, and of readers waiting for them. */
const CHANNEL = 'web3_bi_changes';
const AGAIN_MS = 1_000;

/** Opens a database with current schema to follow its changes. */
export function openSource(url: string): LocalSource & { close(): Promise<void> } {
  const pool = openPool(url, CONNECTIONS);
  return { ...changeSourceOf(url, createRunner(pool)), close: () => pool.end() };
}

export const changeSourceOf = (url: string, runner: Runner): LocalSource => ({
  url,
  dialect: postgresDialect,
  runner,
  // Without waiting: while an import waits for another follower, this one goes on.
  delayImports: () => run(`SELECT ${tryLockSql('following')}`),
  listen: (onChange) => listenForChanges(url, onChange),
  urgentNotifySql: `SELECT pg_notify('${CHANNEL}', 'now')`,
});

/**
 * Listens on a separate connection, with reconnection. Notifications in between are lost, so nothing may depend on them.
 * @param onChange called with whether a reader waits for the change
 * @returns closes the connection
 */
function listenForChanges(url: string, onChange: (isUrgent: boolean) => void): () => Promise<void> {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const again = (): void => {
    client = undefined;
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void connect(), AGAIN_MS).unref();
  };
  const connect = async (): Promise<void> => {
    const connecting = new Client(connectionConfig(url));
    client = connecting;
    connecting.on('error', () => {});
    connecting.on('end', again);
    connecting.on('notification', ({ payload }) => onChange(payload === 'now'));
    try {
      await connecting.connect();
      await connecting.query(`LISTEN ${CHANNEL}`);
    } catch {
      // `end` is emitted too, unless the connection was never established.
      await connecting.end().catch(() => {});
      again();
    }
  };
  void connect();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}
