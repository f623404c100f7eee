import { createAccounts } from '../access/accounts.ts';
import { createKeys, readPepper } from '../access/keys.ts';
import { withFaultsTold } from '../faults.ts';
import { createPayments } from '../payments/journal.ts';
import { createAudit } from '../records/audit.ts';
import { createRecords } from '../records/records.ts';
import type { Store } from '../store.ts';
import { backUp } from './backup.ts';
import { openDatabase } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { isSqliteFault } from './faults.ts';
import { createGroupCommit } from './group-commit.ts';
import { createPing } from './ping.ts';
import { createRunner } from './runner.ts';
import { createUsage } from './usage.ts';
import { createWords } from './words.ts';

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export async function openSqliteStore(path: string, now: () => Date): Promise<Store> {
  const database = openDatabase(path);
  const commit = createGroupCommit(database, now);
  const runner = createRunner(database, commit);
  const records = { dialect: sqliteDialect, words: createWords(database), reader: runner, runner };
  const told = <Port extends object>(port: Port): Port => withFaultsTold(port, isSqliteFault);
  return told({
    records: told(createRecords(records, now)),
    accounts: told(createAccounts(runner, now)),
    keys: told(createKeys(runner, await runner.ask(readPepper()), now)),
    audit: told(createAudit(runner)),
    usage: told(createUsage(database, commit, now)),
    payments: told(createPayments(runner, now)),
    ping: createPing(database),
    backUp: (file: string) => backUp(database, file),
    close: async () => void database.close(),
  });
}
