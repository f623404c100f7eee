import { ServiceError } from '../contract/errors.ts';
import type { Engine } from './engine.ts';
import type { Follower } from './index-replication/follower.ts';
import type { IndexOptions } from './index-replication/local-index.ts';
import type { Store } from './store.ts';

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(?:ql)?:\/\/./;

export interface StoreOptions {
  /** PostgreSQL: a read replica for single records; may lag. */
  readonly readUrl?: string | undefined;
  /** PostgreSQL: a replica with a longer lag is treated as unavailable. */
  readonly replicaLagMaxSeconds?: number | undefined;
  /** PostgreSQL: maximum connections per server. */
  readonly connections?: number | undefined;
  /** PostgreSQL: the local index that serves searches and lists. */
  readonly index?: IndexOptions | undefined;
  /** SQLite: the built checkpoint-worker; without it, SQLite checkpoints in commits, which then wait for the disk. */
  readonly checkpointWorker?: string | undefined;
  /** The built analytics-worker, which computes aggregates, connections and long searches; without it, this thread does. */
  readonly analyticsWorker?: string | undefined;
  /** Whether to precompute aggregates, as in a serving process. */
  readonly isServing?: boolean | undefined;
}

/**
 * Opens the store of a database URL and migrates its schema. Engines are loaded on demand.
 * @param url `sqlite:PATH`, `sqlite::memory:` or `postgres://...`
 * @param now clock of all timestamps
 * @throws ServiceError `invalid_parameter` for another URL, `unavailable` if the database cannot be opened
 */
export async function openStore(
  url: string,
  now: () => Date = () => new Date(),
  options: StoreOptions = {},
): Promise<Store> {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) {
    const { openSqliteStore } = await import('./sqlite/store.ts');
    return openSqliteStore(url.slice(SQLITE.length), now, options);
  }
  if (POSTGRES.test(url)) {
    const { openPostgresStore } = await import('./postgres/store.ts');
    return openPostgresStore(url, now, options);
  }
  throw new ServiceError(
    'invalid_parameter',
    'The database URL must be sqlite:PATH, sqlite::memory: or postgres://...',
  );
}

/** Follows a change log into the local index files, for reading processes. Undefined for engines without one. */
export async function startFollowing(url: string, options: IndexOptions): Promise<Follower | undefined> {
  const { folder, worker, snapshot, onFailure } = options;
  if (!POSTGRES.test(url) || folder === undefined || worker === undefined) return undefined;
  const { followInThread } = await import('./index-replication/follower-thread.ts');
  return followInThread(worker, { url, root: folder, snapshot }, onFailure);
}

/** Opens a database like openStore, for copying whole tables. */
export async function openEngine(url: string): Promise<Engine> {
  if (POSTGRES.test(url)) return (await import('./postgres/store.ts')).openPostgresEngine(url);
  const { openSqliteEngine } = await import('./sqlite/store.ts');
  const engine = await openSqliteEngine(url.slice(SQLITE.length), () => new Date());
  await engine.counts.fold();
  return engine;
}
