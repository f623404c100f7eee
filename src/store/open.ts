import { ServiceError } from '../contract/errors.ts';
import type { Store } from './store.ts';

const SQLITE = 'sqlite:';

/**
 * Opens the store that a database URL names and brings its schema up to date.
 * @param url `sqlite:PATH` or `sqlite::memory:`; anything else throws `invalid_parameter`.
 * @param now the clock of everything the store dates
 */
export async function openStore(url: string, now: () => Date = () => new Date()): Promise<Store> {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) {
    const { openSqliteStore } = await import('./sqlite/store.ts');
    return openSqliteStore(url.slice(SQLITE.length), now);
  }
  throw new ServiceError('invalid_parameter', 'The database URL must be sqlite:PATH or sqlite::memory:');
}
