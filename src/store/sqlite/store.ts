import type { Store } from '../store.ts';
import { createAccounts } from './accounts.ts';
import { createAudit } from './audit.ts';
import { backUp } from './backup.ts';
import { openDatabase } from './database.ts';
import { withFaultsTold } from './faults.ts';
import { createKeys } from './keys.ts';
import { createPayments } from './payments.ts';
import { createPing } from './ping.ts';
import { createRecords } from './records.ts';
import { createUsage } from './usage.ts';

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export function openSqliteStore(path: string, now: () => Date): Store {
  const database = openDatabase(path);
  return withFaultsTold({
    records: withFaultsTold(createRecords(database, now)),
    accounts: withFaultsTold(createAccounts(database, now)),
    keys: withFaultsTold(createKeys(database, now)),
    audit: withFaultsTold(createAudit(database)),
    usage: withFaultsTold(createUsage(database, now)),
    payments: withFaultsTold(createPayments(database, now)),
    ping: createPing(database),
    backUp: (file: string) => backUp(database, file),
    close: async () => void database.close(),
  });
}
