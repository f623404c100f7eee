import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rowsOfFolder } from '../store/import/ndjson.ts';
import { openStore } from '../store/open.ts';
import type { Row } from '../store/port/records.ts';
import type { Store } from '../store/store.ts';
import { ConfigError, type Settings } from './config.ts';
import { packageFolder } from './package.ts';
import { placeReadyMade } from './ready-made.ts';

const SQLITE = 'sqlite:';
const IN_MEMORY = `${SQLITE}:memory:`;

/** Opens the database of the settings, makes it where it is missing, and fills a new one. */
export async function openConfiguredStore({ database_url, data }: Settings): Promise<Store> {
  const store = await opened(database_url, data);
  try {
    // A database that was made without the data set must not be given it by the next command.
    const rows = () => (data === 'shipped' ? shippedRows() : []);
    await store.records.fillOnce(rows);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The rows of the data set that comes with the package. */
export const shippedRows = (): Iterable<Row> => rowsOfFolder(join(packageFolder(), 'data'));

/** As openConfiguredStore, for what must outlive the command. */
export async function openLastingStore(settings: Settings): Promise<Store> {
  refuseMemory(settings);
  return openConfiguredStore(settings);
}

function refuseMemory({ database_url }: Settings): void {
  if (database_url !== IN_MEMORY) return;
  throw new ConfigError(`${IN_MEMORY} is gone when the command ends; name a file with --database sqlite:PATH.`);
}

/** The file of the database, which must be there: a command that only reads must not make an empty one. */
export function databaseFile(settings: Settings): string {
  refuseMemory(settings);
  const { database_url } = settings;
  const file = database_url.slice(SQLITE.length);
  if (existsSync(file)) return file;
  throw new ConfigError(`There is no database ${database_url}; name another with --database.`);
}

async function opened(url: string, data: Settings['data']): Promise<Store> {
  try {
    if (url !== IN_MEMORY) makeFolder(dirname(url.slice(SQLITE.length)));
    if (url !== IN_MEMORY && data === 'shipped') placeReadyMade(url.slice(SQLITE.length));
    return await openStore(url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new ConfigError(
      `The database ${url} cannot be opened (${reason}); set WEB3_BI_DATABASE_URL or WEB3_BI_STATE_DIR to a place that can be written.`,
      { cause },
    );
  }
}

/** Makes a folder of the user's own, and those above it. Node's own recursive way never ends where nothing can be made. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
