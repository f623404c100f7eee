import { Client } from 'pg';
import { connectionConfig } from './connections.ts';

/** Where changes of records are announced, and where a reader that waits for them hurries whoever follows. */
const CHANNEL = 'web3_bi_changes';
/** After the connection broke. */
const AGAIN_MS = 1_000;

/** What hurries followers. */
export const HURRY_SQL = `SELECT pg_notify('${CHANNEL}', 'now')`;

/**
 * Listens on a connection of its own, and makes it again when it breaks. What is announced meanwhile is lost: nobody may
 * depend on it.
 * @param heard called with whether somebody waits for the change
 * @returns closes the connection
 */
export function listenForChanges(url: string, heard: (isUrgent: boolean) => void): () => Promise<void> {
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
    connecting.on('notification', ({ payload }) => heard(payload === 'now'));
    try {
      await connecting.connect();
      await connecting.query(`LISTEN ${CHANNEL}`);
    } catch {
      // Its end is told, too, unless there never was a connection.
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
