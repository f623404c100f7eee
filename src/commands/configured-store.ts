import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, constants as zlib } from 'node:zlib';
import { ServiceError } from '../contract/errors.ts';
import { createLog } from '../service/logging.ts';
import type { IndexOptions } from '../store/index-replication/local-index.ts';
import { openStore, type StoreOptions } from '../store/open.ts';
import { OWNER_ONLY } from '../store/sqlite/driver.ts';
import type { Store } from '../store/store.ts';
import { ConfigError, type Settings } from './config.ts';
import { gapsFileOf, storeCoverageGaps } from './coverage-gaps.ts';
import { fileOf, IN_MEMORY, refuseMissingFile, shownUrl } from './database-url.ts';
import { logDestination } from './log-lines.ts';
import { printToStderr } from './output.ts';
import { packageFolder, prebuiltDatabase } from './package.ts';
import { shippedEdition, shippedRows, updateShippedData } from './shipped-data.ts';

type ServedStoreOptions = Pick<StoreOptions, 'checkpointWorker' | 'analyticsWorker' | 'index'>;

const builtStore = (...path: string[]): string => join(packageFolder(), 'dist', 'store', ...path);

export const analyticsWorkerFile = (): string => builtStore('sqlite', 'analytics', 'analytics-worker.mjs');

/** Opens the database of the settings, creating and filling it if it is missing. */
export async function openConfiguredStore(settings: Settings, serving?: ServedStoreOptions): Promise<Store> {
  const { data, database_url } = settings;
  const store = await opened(settings, serving);
  try {
    // A database created without the data set must stay without it.
    const rows = () => (data === 'shipped' ? shippedRows() : []);
    await store.records.fillOnce(rows, data === 'shipped' ? shippedEdition() : undefined);
    // A database server may have other versions of this program, so its operator decides.
    const isLocal = fileOf(database_url) !== undefined;
    const updateText = data === 'shipped' && isLocal ? await updateShippedData(store) : undefined;
    if (updateText !== undefined && serving?.checkpointWorker === undefined) printToStderr(updateText);
    else if (updateText !== undefined) createLog(logDestination(), settings.log_level).info({}, updateText);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Like openConfiguredStore, for a long-running process. Several processes cannot share an in-memory database. */
export async function openServedStore(settings: Settings): Promise<Store> {
  if (settings.workers > 1) refuseMemory(settings);
  const store = await openConfiguredStore(settings, {
    checkpointWorker: builtStore('sqlite', 'checkpoint-worker.mjs'),
    analyticsWorker: analyticsWorkerFile(),
    // With several workers, the supervising process follows.
    index: { ...servedIndex(settings), waitMs: SEARCH_WAIT_MS, isFollower: settings.workers === 1 },
  });
  await store.index?.follow();
  return store;
}

/** Maximum wait of a request until the index includes a required change. */
const SEARCH_WAIT_MS = 2_000;

export function servedIndex(settings: Settings): IndexOptions {
  const log = createLog(logDestination(), settings.log_level);
  return {
    ...indexOptions(settings),
    onFailure: (error) => log.error({ err: error }, 'the search index makes no progress'),
  };
}

const indexOptions = ({ state_dir, index_snapshot: snapshot }: Settings): IndexOptions => ({
  folder: join(state_dir, 'index'),
  worker: builtStore('index-replication', 'follower-worker.mjs'),
  snapshot,
});

function refuseMemory({ database_url }: Settings): void {
  if (database_url !== IN_MEMORY) return;
  throw new ConfigError(`${IN_MEMORY} is gone when the command ends; name a file with --database sqlite:PATH.`);
}

/** Runs work with a persistent store and closes it. Refuses an in-memory database, which would not outlive the command. */
export async function withStore<Result>(
  settings: Settings,
  work: (store: Store) => Promise<Result>,
  serving?: ServedStoreOptions,
): Promise<Result> {
  refuseMemory(settings);
  const store = await openConfiguredStore(settings, serving);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The database file. Throws if it does not exist. */
export function databaseFile(settings: Settings): string {
  refuseMemory(settings);
  const file = fileOf(settings.database_url);
  if (file === undefined) throw new ConfigError(BACK_UP_POSTGRES);
  refuseMissingFile(settings.database_url);
  return file;
}

const BACK_UP_POSTGRES =
  'backup is for SQLite; back PostgreSQL up with its own tools: pg_dump --format=custom --file=FILE URL';

async function opened(
  settings: Settings,
  { checkpointWorker, analyticsWorker, index }: ServedStoreOptions = {},
): Promise<Store> {
  const { database_url: url, data } = settings;
  const file = fileOf(url);
  try {
    if (file !== undefined) makeFolder(dirname(file));
    if (file !== undefined && data === 'shipped') copyPrebuiltDatabase(file);
    const store = await openStore(url, undefined, {
      readUrl: settings.database_read_url,
      connections: settings.database_connections,
      replicaLagMaxSeconds: settings.replica_lag_max_seconds,
      checkpointWorker,
      isServing: checkpointWorker !== undefined,
      analyticsWorker,
      index: { ...indexOptions(settings), ...index },
    });
    if (file === undefined) return store;
    const close = async (): Promise<void> => {
      await storeCoverageGaps(store, file);
      await store.close();
    };
    return { ...store, close };
  } catch (cause) {
    // An error with a remedy is not about the database itself.
    if (cause instanceof ServiceError && cause.remedy !== undefined) throw cause;
    if (cause instanceof ServiceError)
      throw new ConfigError(`The database ${shownUrl(url)} cannot be opened: ${cause.message}`, { cause });
    const remedy =
      file === undefined
        ? 'set WEB3_BI_DATABASE_URL to an existing database in which its user may create tables'
        : isDamage(cause)
          ? 'restore the file from a backup, or name another'
          : 'set WEB3_BI_DATABASE_URL or WEB3_BI_STATE_DIR to a writable place';
    throw new ConfigError(`The database ${shownUrl(url)} cannot be opened (${reasonOf(cause)})`, { cause, remedy });
  }
}

const isDamage = (cause: unknown): boolean =>
  String((cause as NodeJS.ErrnoException).code).startsWith('SQLITE_CORRUPT');

/** An AggregateError of several failed addresses has a code but no message. */
function reasonOf(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException;
  return message || code || 'unknown reason';
}

/** Creates a private folder and its parents. Node's recursive mode hangs where creation is impossible. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** More than the prefilled database has, which then comes in one piece: joining thousands takes as long as unpacking them. */
const UNPACKED_BYTES_MAX = 2 ** 26;
const UNPACKING = { chunkSize: UNPACKED_BYTES_MAX, params: { [zlib.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } };

/** Unpacks the prefilled database of the build if the file is missing. On failure nothing is left; of concurrent processes one wins. */
function copyPrebuiltDatabase(file: string): void {
  const unpacked = prebuiltDatabase();
  const prebuilt = `${unpacked}.br`;
  // The leftover write-ahead log of a deleted database would be replayed into the new one.
  if (existsSync(file) || existsSync(`${file}-wal`) || !existsSync(prebuilt)) return;
  const copy = `${file}.${process.pid}.new`;
  try {
    // A checkout has it unpacked, too.
    if (existsSync(unpacked)) copyFileSync(unpacked, copy, constants.COPYFILE_FICLONE);
    else writeFileSync(copy, brotliDecompressSync(readFileSync(prebuilt), UNPACKING));
    chmodSync(copy, OWNER_ONLY);
    // Before the database, so that a host never sees other tools at the first start than later.
    copyFileSync(gapsFileOf(unpacked), gapsFileOf(file));
    linkSync(copy, file);
  } catch {
    // Another process won, or linking failed; opening the database reports real problems.
  } finally {
    rmSync(copy, { force: true });
  }
}
