import { ServiceError } from '../../contract/errors.ts';
import { assembleStore } from '../assemble.ts';
import type { Engine } from '../engine.ts';
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
  const { runner, reader } = engine;
  const own = {
    usage: createUsage(runner, now),
    ping: async () => {
      for (const each of new Set([runner, reader])) await each.ask(value('SELECT 1 FROM settings LIMIT 1'));
    },
    backUp: async () => {
      throw new ServiceError('invalid_parameter', BACK_UP_WITH);
    },
  };
  return assembleStore({ engine, isFault: isPostgresFault, ...own }, now);
}

const BACK_UP_WITH =
  'A PostgreSQL database is backed up with its own tools, while it is in use: pg_dump --format=custom --file=FILE URL.';
