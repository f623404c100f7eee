import { rmSync } from 'node:fs';
import { identityOf } from '../access/keys.ts';
import { buildIfCheaper } from '../records/index-build.ts';
import { isBuilding } from '../records/pending-indexing.ts';
import { run } from '../sql.ts';
import { inodeOf } from '../sqlite/driver.ts';
import { applyChanges, type ChangeSource, type Followed } from './apply-changes.ts';
import { buildIndexFile, runnerOf } from './build-index-file.ts';
import {
  completeIndexFile,
  createIndexFile,
  type FolderLock,
  type IndexFile,
  type IndexFolder,
  type IndexSchema,
  indexFolder,
  indexSchema,
  type Origin,
  openToWrite,
} from './index-file.ts';
import { isUnreadable } from './index-reader.ts';
import type { IndexOptions } from './local-index.ts';
import { fetchSnapshot, newTicket } from './snapshot.ts';
import { createWakeSignal, type WakeSignal } from './wake-signal.ts';

/** Minimum interval of applies, unless a reader waits: each invalidates the readers' caches. */
const APPLY_EVERY_MS = 200;
/**
 * Deferred work is done after this time without batches of changes, because successive ones often reference the same records.
 * Where they do not pause for so long, it has a share of the time.
 */
const QUIET_MS = 2_000;
const DEFERRED_MAX_MS = 60_000;
const DEFERRED_SHARE = 0.1;
/** Interval of reading the log without notification, and of trying the lock. */
const POLL_MS = 1_000;

/** Interval of reporting a persistent error. */
const REPORT_EVERY_MS = 60_000;

/** Retention of the change log in days and entries. An index further behind is rebuilt. */
const KEPT_DAYS = 7;
const KEPT_MAX = 2_000_000;
const TRIM_EVERY_MS = 60_000;
const TRIM = `DELETE FROM record_changes WHERE seq IN (
  SELECT seq FROM (SELECT seq, at FROM record_changes ORDER BY seq LIMIT 10000) AS oldest
  WHERE (at < now() - interval '${KEPT_DAYS} days' AND seq < (SELECT max(seq) FROM record_changes))
    OR seq <= (SELECT max(seq) FROM record_changes) - ${KEPT_MAX})`;

interface Following extends Pick<IndexOptions, 'snapshot'> {
  readonly source: ChangeSource;
  readonly root: string;
  /** Whether the folder is removed when this process ends. */
  readonly isTemporary?: boolean;
  /** Called with errors; the work is retried. */
  readonly onFailure?: (error: unknown) => void;
}

interface Parts extends Omit<Required<Following>, 'root'> {
  readonly folder: IndexFolder;
  readonly origin: Origin;
  readonly schema: IndexSchema;
}

export const originOf = async (
  { runner }: Pick<ChangeSource, 'runner'>,
  { version }: IndexSchema,
): Promise<Origin> => ({ source: await runner.query(identityOf()), version });

export type Follower = ReturnType<typeof startFollower>;

class Stopped extends Error {}
/** The log no longer has the changes that follow an index. */
class Gap extends Stopped {}

/**
 * Follows the change log into the index file of a folder. One follower per folder is active; others take over when it
 * ends. A missing, damaged or outdated file is rebuilt beside the old one.
 */
export function startFollower({ source, root, isTemporary = false, snapshot, onFailure = () => {} }: Following) {
  const stop = new AbortController();
  const { signal } = stop;
  const wake = createWakeSignal();
  const lockAndLead = async (): Promise<void> => {
    const schema = indexSchema();
    const origin = await originOf(source, schema);
    const folder = indexFolder(root, origin);
    const lock = folder.tryLock();
    if (lock === undefined) return;
    const stopListening = source.listen(wake.signal);
    try {
      folder.removeOthers();
      await lead({ source, folder, origin, schema, isTemporary, snapshot, onFailure }, { lock, wake, signal });
    } finally {
      await stopListening();
      lock.release();
    }
  };
  let lastReport = { message: '', at: -Infinity };
  const fail = (error: Error): void => {
    const at = performance.now();
    if (error instanceof Stopped || (error.message === lastReport.message && at - lastReport.at < REPORT_EVERY_MS))
      return;
    lastReport = { message: error.message, at };
    onFailure(error);
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      await lockAndLead().catch(fail);
      if (!signal.aborted) await wake.wait(POLL_MS, POLL_MS);
    }
  };
  const ended = work();
  return {
    close: (): Promise<void> => {
      stop.abort(new Stopped());
      wake.signal(true);
      return ended;
    },
  };
}

interface LeaderContext {
  readonly lock: FolderLock;
  readonly wake: WakeSignal;
  /** Aborts with `Stopped` if the work must stop. */
  readonly signal: AbortSignal;
}

async function lead(parts: Parts, { lock, wake, signal }: LeaderContext): Promise<void> {
  const { source, folder } = parts;
  let index: IndexFile | undefined;
  let batchAt = -Infinity;
  let settledAt = performance.now();
  let deferredMs = 0;
  let trimmedAt = -Infinity;
  const buildInBulk = createBulkBuild(source);
  try {
    index = openCurrent(parts);
    for (;;) {
      signal.throwIfAborted();
      if (!lock.isHeld()) return;
      if (index !== undefined && !isCurrent(parts, index)) index = closed(index);
      index ??= await build(parts, signal);
      const startedAt = performance.now();
      const followed = await follow(source, index);
      if (followed === 'gap') {
        index = closed(index);
        folder.discard();
        continue;
      }
      const followedAt = performance.now();
      if (followed === 'batch') batchAt = followedAt;
      const unsettledMs = followedAt - settledAt;
      const isDue = unsettledMs > DEFERRED_MAX_MS && deferredMs < unsettledMs * DEFERRED_SHARE;
      const isQuiet = followedAt - batchAt > QUIET_MS;
      if (isDue || isQuiet) {
        const leading = {
          isLeading: () => lock.isHeld() && !signal.aborted,
          onBatch: () => {
            batchAt = performance.now();
          },
        };
        if ((isQuiet && (await buildInBulk(index, leading))) || compact(index)) {
          wake.signal(false);
          deferredMs += performance.now() - followedAt;
        } else {
          settledAt = followedAt;
          deferredMs = 0;
        }
      }
      if (startedAt - trimmedAt > TRIM_EVERY_MS) {
        trimmedAt = startedAt;
        await source.runner.transactionIfFree('rows', run(TRIM));
      }
      await wake.wait(startedAt + APPLY_EVERY_MS - performance.now(), POLL_MS);
    }
  } catch (error) {
    if (isUnreadable(error) || error instanceof Gap) folder.discard();
    throw error;
  } finally {
    index?.close();
  }
}

function closed(index: IndexFile): undefined {
  index.close();
}

/** The current file, if it exists and is intact. */
function openCurrent({ folder, origin, isTemporary }: Parts): IndexFile | undefined {
  const file = folder.current();
  if (file === undefined || inodeOf(file) === undefined) return undefined;
  return openToWrite(file, origin, isTemporary);
}

/** Whether an open file is still the current one; it or the folder may have been deleted. */
const isCurrent = ({ folder }: Parts, { database }: IndexFile): boolean =>
  folder.current() === database.name && inodeOf(database.name) !== undefined;

/** Creates an index from a snapshot or the records, and publishes it. */
async function build(parts: Parts, signal: AbortSignal): Promise<IndexFile> {
  const { source, folder, origin, schema } = parts;
  const begun = await beginFromSnapshot(parts, signal);
  if (begun !== undefined) return begun;
  const file = folder.newFile();
  const made = createIndexFile(file, origin, schema);
  try {
    await buildIndexFile(source, made, () => signal.throwIfAborted());
  } finally {
    // Connections of the build would prevent the switch to WAL mode.
    made.close();
  }
  return publish(parts, file);
}

/** Publishes a file once it includes every change up to then. Of a snapshot, the log must have all later changes. */
async function publish(parts: Parts, file: string, snapshot?: string): Promise<IndexFile> {
  const { source, folder, origin, isTemporary } = parts;
  const index = openToWrite(file, origin, isTemporary);
  try {
    completeIndexFile(index, isTemporary);
    const followed = await follow(source, index);
    if (followed === 'gap' && snapshot !== undefined) throw new Error(`${snapshot} is older than the change log`);
    folder.publish(file);
    return index;
  } catch (error) {
    index.close();
    throw error;
  }
}

/** A copy of the snapshot that can continue from its position; undefined if there is none. */
async function beginFromSnapshot(parts: Parts, signal: AbortSignal): Promise<IndexFile | undefined> {
  const { source, folder, snapshot, onFailure } = parts;
  if (snapshot === undefined) return undefined;
  const file = folder.newFile();
  try {
    await fetchSnapshot(snapshot, file, { signal, ticket: () => source.runner.query(newTicket()) });
    return await publish(parts, file, snapshot);
  } catch (error) {
    rmSync(file, { force: true });
    signal.throwIfAborted();
    onFailure(error);
    return undefined;
  }
}

async function follow(source: ChangeSource, index: IndexFile): Promise<Exclude<Followed, 'behind'>> {
  let isBatch = false;
  for (;;) {
    const followed = await followNext(source, index);
    if (followed !== 'behind') return isBatch && followed !== 'gap' ? 'batch' : followed;
    isBatch = true;
  }
}

/** In one snapshot of the source and one transaction of the index. */
async function followNext(source: ChangeSource, index: IndexFile): Promise<Followed> {
  const { database } = index;
  database.exec('BEGIN IMMEDIATE');
  try {
    const followed = await source.runner.snapshot(applyChanges(source, index));
    database.exec(followed === 'current' || followed === 'gap' ? 'ROLLBACK' : 'COMMIT');
    return followed;
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
  }
}

const compact = ({ database, runProgram, model }: IndexFile): boolean =>
  database.transaction(() => runProgram(model.index.compact()))();

/** Changes that a first build applies at its end, for which readers of newer ones wait; with more it is given up. */
const CHANGED_MAX = 3_000;

interface Leading {
  /** Whether to go on, or else the build throws Stopped. */
  isLeading(): boolean;
  /** Called when a batch of changes was followed. */
  onBatch(): void;
}

/**
 * Builds the index in bulk where that is cheaper than `compact`, and follows meanwhile. After a build that was given up, because
 * changes did not pause, the next one applies as many as there are.
 */
function createBulkBuild(source: ChangeSource): (index: IndexFile, leading: Leading) => Promise<boolean> {
  let changedMax = CHANGED_MAX;
  return async (index, { isLeading, onBatch }) => {
    let followedAt = performance.now();
    const keepUp = async (): Promise<void> => {
      if (!isLeading()) throw new Stopped();
      if (performance.now() - followedAt < APPLY_EVERY_MS) return;
      const followed = await follow(source, index);
      if (followed === 'gap') throw new Gap();
      if (followed === 'batch') onBatch();
      followedAt = performance.now();
    };
    const isBuilt = await buildIfCheaper(runnerOf(index, keepUp), index.model.fullText, changedMax);
    const isGivenUp = !isBuilt && index.runProgram(isBuilding());
    changedMax = isGivenUp ? Infinity : CHANGED_MAX;
    return isBuilt;
  };
}
