import type { Store } from '../store.ts';
import { createAccounts } from './accounts.ts';
import { createAudit } from './audit.ts';
import { openDatabase } from './database.ts';
import { createKeys } from './keys.ts';
import { createRecords } from './records.ts';
import { createUsage } from './usage.ts';

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export function openSqliteStore(path: string, now: () => Date): Store {
  const database = openDatabase(path);
  const probe = database.prepare('SELECT 1 FROM settings LIMIT 1');
  return {
    records: createRecords(database, now),
    accounts: createAccounts(database, now),
    keys: createKeys(database, now),
    audit: createAudit(database),
    usage: createUsage(database, now),
    ping: async () => void probe.get(),
    close: async () => void database.close(),
  };
}
