import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rowsOfFolder } from '../store/import/ndjson.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { ConfigError, type Settings } from './config.ts';
import { packageFolder } from './package.ts';

/** Opens the database of the settings, makes it where it is missing, and fills a new one. */
export async function openConfiguredStore({ database_url, data }: Settings): Promise<Store> {
  const store = await opened(database_url);
  try {
    if (data === 'shipped') await store.records.fillOnce(() => rowsOfFolder(join(packageFolder(), 'data')));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function opened(url: string): Promise<Store> {
  const path = url.replace(/^sqlite:/, '');
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return await openStore(url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new ConfigError(
      `The database ${url} cannot be opened (${reason}); set WEB3_BI_DATABASE_URL or WEB3_BI_STATE_DIR to a place that can be written.`,
      { cause },
    );
  }
}
