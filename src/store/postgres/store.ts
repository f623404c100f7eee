import { ServiceError } from '../../contract/errors.ts';
import { createAccounts } from '../access/accounts.ts';
import { createKeys, readPepper } from '../access/keys.ts';
import type { Engine } from '../engine.ts';
import { withFaultsTold } from '../faults.ts';
import { createPayments } from '../journal/payments.ts';
import { createAudit } from '../records/audit.ts';
import { createRecords } from '../records/records.ts';
import type { Runner } from '../sql/runner.ts';
import { value } from '../sql/steps.ts';
import type { Store } from '../store.ts';
import { openPool } from './connections.ts';
import { postgresDialect } from './dialect.ts';
import { isPostgresFault } from './faults.ts';
import { createRunner } from './runner.ts';
import { migrate } from './schema.ts';
import { postgresWords } from './search/words.ts';
import { createUsage } from './usage.ts';

/**
 * Opens a PostgreSQL database, with what stores are built on, and brings its schema up to date.
 * @param readUrl a replica that records are read from and searched in; it may lie behind
 */
export async function openPostgresEngine(url: string, readUrl?: string): Promise<Engine & { reader: Runner }> {
  const pool = openPool(url);
  const readPool = readUrl === undefined ? pool : openPool(readUrl);
  const pools = [...new Set([pool, readPool])];
  const close = async (): Promise<void> => {
    await Promise.all(pools.filter(({ ending }) => !ending).map((each) => each.end()));
  };
  try {
    await migrate(pool);
  } catch (error) {
    await close();
    throw error;
  }
  const runner = createRunner(pool);
  const reader = readPool === pool ? runner : createRunner(readPool);
  return { dialect: postgresDialect, words: postgresWords, reader, runner, close };
}

/** Opens a store in a PostgreSQL database; `readUrl` as for the engine. */
export async function openPostgresStore(url: string, now: () => Date, readUrl?: string): Promise<Store> {
  const engine = await openPostgresEngine(url, readUrl);
  const { runner, reader, close } = engine;
  const told = <Port extends object>(port: Port): Port => withFaultsTold(port, isPostgresFault);
  const pepper = await runner.ask(readPepper());
  return told({
    records: told(createRecords(engine, now)),
    accounts: told(createAccounts(runner, now)),
    keys: told(createKeys(runner, pepper, now)),
    audit: told(createAudit(runner)),
    usage: told(createUsage(runner, now)),
    payments: told(createPayments(runner, now)),
    ping: async () => {
      for (const each of new Set([runner, reader])) await each.ask(value('SELECT 1 FROM settings LIMIT 1'));
    },
    backUp: async () => {
      throw new ServiceError('invalid_parameter', BACK_UP_WITH);
    },
    close,
  });
}

const BACK_UP_WITH =
  'A PostgreSQL database is backed up with its own tools, while it is in use: pg_dump --format=custom --file=FILE URL.';
