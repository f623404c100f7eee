import { createAccounts } from '../access/accounts.ts';
import { createKeys, readPepper } from '../access/keys.ts';
import type { Engine } from '../engine.ts';
import { withFaultsTold } from '../faults.ts';
import { createPayments } from '../journal/payments.ts';
import { createAudit } from '../records/audit.ts';
import { createRecords } from '../records/records.ts';
import type { Store } from '../store.ts';
import { backUp } from './backup.ts';
import { openDatabase, type Sqlite } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { isSqliteFault } from './faults.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createPing } from './ping.ts';
import { createRunner } from './runner.ts';
import { createUsage } from './usage.ts';
import { createWords } from './words.ts';

/** Opens the database of a file, with what stores are built on. */
export function openSqliteEngine(path: string, now: () => Date): Engine & { database: Sqlite; commit: GroupCommit } {
  const database = openDatabase(path);
  const commit = createGroupCommit(database, now);
  const runner = createRunner(database, commit);
  const close = async (): Promise<void> => void database.close();
  return { dialect: sqliteDialect, words: createWords(database), reader: runner, runner, close, database, commit };
}

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export async function openSqliteStore(path: string, now: () => Date): Promise<Store> {
  const engine = openSqliteEngine(path, now);
  const { database, commit, runner } = engine;
  const told = <Port extends object>(port: Port): Port => withFaultsTold(port, isSqliteFault);
  return told({
    records: told(createRecords(engine, now)),
    accounts: told(createAccounts(runner, now)),
    keys: told(createKeys(runner, await runner.ask(readPepper()), now)),
    audit: told(createAudit(runner)),
    usage: told(createUsage(database, commit, now)),
    payments: told(createPayments(runner, now)),
    ping: createPing(database),
    backUp: (file: string) => backUp(database, file),
    close: engine.close,
  });
}
