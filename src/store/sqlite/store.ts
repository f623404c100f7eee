import type { Store } from '../store.ts';
import { createAccounts } from './accounts.ts';
import { createAttempts } from './attempts.ts';
import { createAudit } from './audit.ts';
import { backUp } from './backup.ts';
import { openDatabase } from './database.ts';
import { withFaultsTold } from './faults.ts';
import { createInvitations } from './invitations.ts';
import { createKeys } from './keys.ts';
import { createPayments } from './payments.ts';
import { createPeople } from './people.ts';
import { createPing } from './ping.ts';
import { createRecords } from './records.ts';
import { createRequestLog } from './request-log.ts';
import { createSessions } from './sessions.ts';
import { createUsage } from './usage.ts';

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export function openSqliteStore(path: string, now: () => Date): Store {
  const database = openDatabase(path);
  return withFaultsTold({
    records: withFaultsTold(createRecords(database, now)),
    accounts: withFaultsTold(createAccounts(database, now)),
    keys: withFaultsTold(createKeys(database, now)),
    audit: withFaultsTold(createAudit(database, now)),
    usage: withFaultsTold(createUsage(database, now)),
    people: withFaultsTold(createPeople(database, now)),
    invitations: withFaultsTold(createInvitations(database, now)),
    sessions: withFaultsTold(createSessions(database, now)),
    attempts: withFaultsTold(createAttempts(database, now)),
    requests: withFaultsTold(createRequestLog(database)),
    payments: withFaultsTold(createPayments(database, now)),
    ping: createPing(database),
    backUp: (file: string) => backUp(database, file),
    close: async () => void database.close(),
  });
}
