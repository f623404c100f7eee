import { ServiceError } from '../contract/errors.ts';
import type { Engine } from './engine.ts';
import type { Follower } from './follow/follower.ts';
import type { IndexOptions } from './follow/local-index.ts';
import type { Store } from './store.ts';

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(?:ql)?:\/\/./;

/** What only one engine can be given. */
export interface StoreOptions {
  /** PostgreSQL: a replica that records are read from, one by one; it may lie behind. */
  readonly readUrl?: string | undefined;
  /** PostgreSQL: beyond this, it is as if the replica were away. */
  readonly replicaLagMaxSeconds?: number | undefined;
  /** PostgreSQL: connections to each server at once. */
  readonly connections?: number | undefined;
  /** PostgreSQL: the index of this machine that searches and lists are answered from. */
  readonly index?: IndexOptions | undefined;
  /** SQLite: the built checkpoint-worker, where nobody may wait for the disk; without it SQLite checkpoints inside a commit. */
  readonly checkpointWorker?: string | undefined;
  /** The built answers-worker, where aggregates and connections are computed; without it this thread computes them. */
  readonly answersWorker?: string | undefined;
  /** Whether aggregates are computed ahead, as by a process that answers many people. */
  readonly isServing?: boolean | undefined;
}

/**
 * Opens the store that a database URL names and brings its schema up to date. Each engine is loaded when it is used.
 * @param url `sqlite:PATH`, `sqlite::memory:` or `postgres://...`; anything else throws `invalid_parameter`.
 * @param now the clock of everything the store dates
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

/**
 * Follows the changes of a database into the index files of this machine, for processes that only read those; undefined where
 * there is nothing to follow.
 */
export async function startFollowing(
  url: string,
  { folder, worker, snapshot, onFailure }: IndexOptions,
): Promise<Follower | undefined> {
  if (!POSTGRES.test(url) || folder === undefined || worker === undefined) return undefined;
  const { followInThread } = await import('./follow/follower-thread.ts');
  return followInThread(worker, { url, root: folder, snapshot }, onFailure);
}

/** Opens a database as openStore does, for what moves whole tables. */
export async function openEngine(url: string, now: () => Date = () => new Date()): Promise<Engine> {
  if (POSTGRES.test(url)) return (await import('./postgres/store.ts')).openPostgresEngine(url);
  const { openSqliteEngine } = await import('./sqlite/store.ts');
  const engine = await openSqliteEngine(url.slice(SQLITE.length), now);
  await engine.counts.fold();
  return engine;
}
