import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLazy } from '../../contract/lazy.ts';
import type { ReadModel } from '../records/record-index.ts';
import { type ReplicationLag, watchReplicationLag } from '../replication-lag.ts';
import { atOnce, run } from '../sql.ts';
import type { AnalyticsSource } from '../sqlite/analytics/analytics-thread.ts';
import { backUp } from '../sqlite/backup.ts';
import type { IndexStatus, MachineIndex } from '../store.ts';
import { type ChangeSource, isFollowable, newestPosition } from './apply-changes.ts';
import { type Follower, originOf, startFollower } from './follower.ts';
import { followInThread } from './follower-thread.ts';
import { indexFolder, indexSchema } from './index-file.ts';
import { createIndexReader, indexBehind, readAtPosition } from './index-reader.ts';
import { acceptsTicket, createSnapshotReader } from './snapshot.ts';

export interface IndexOptions {
  /** Folder of the index files of this machine; without it, the index is private and temporary. */
  readonly folder?: string | undefined;
  /** The built follower-worker; without it, this thread follows. */
  readonly worker?: string | undefined;
  /** Whether this process may become the follower. */
  readonly isFollower?: boolean | undefined;
  /** How long a search waits for the index to reach its position. */
  readonly waitMs?: number | undefined;
  /** An initial index: a file of the same database, or the URL of an instance that has one. */
  readonly snapshot?: string | undefined;
  /** Called with errors of the follower, which retries. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Long enough to build an index of a million records. */
const WAIT_MS = 600_000;
/** Interval of urgent notifications while readers wait. */
const NOTIFY_EVERY_MS = 50;

export interface LocalIndex extends ReadModel, MachineIndex, AnalyticsSource {
  /** @throws ServiceError `unavailable` while a followed index has not reached the position at the time of `follow` */
  check(): void;
  status(): IndexStatus;
  close(): Promise<void>;
}

export interface LocalSource extends ChangeSource {
  readonly url: string;
  /** Statement that notifies the follower urgently. */
  readonly urgentNotifySql: string;
}

/** The read model of a database on this machine, opened by the first search or by `keep`. */
export function createLocalIndex(source: LocalSource, options: IndexOptions = {}): LocalIndex {
  const { waitMs = WAIT_MS } = options;
  const closing = new AbortController();
  let opened: Awaited<ReturnType<typeof openIndex>> | undefined;
  let watched: { readonly lag: ReplicationLag; readonly wanted: number } | undefined;
  const index = createLazy(async () => {
    opened = await openIndex(source, options);
    return opened;
  });
  const newest = async (): Promise<number> => (await source.runner.query(newestPosition())).seq;
  const openedDatabase = async () => {
    const database = (await index.get()).reader.database();
    if (database === undefined) throw indexBehind();
    return database;
  };
  const notifyUrgently = createUrgentNotifier(source);
  const snapshots = createSnapshotReader();
  const read: ReadModel['read'] = async (program, atLeast) => {
    const { reader } = await index.get();
    const target = atLeast ?? (await newest());
    return readAtPosition(reader, program, { atLeast: target, waitMs, notifyUrgently, closing: closing.signal });
  };
  return {
    read,
    task: async () => (await index.get()).task,
    reach: async (atLeast) => {
      const target = atLeast ?? (await newest());
      await read(() => atOnce(() => {}), target);
      return target;
    },
    follow: async () => {
      const { reader } = await index.get();
      watched ??= { wanted: await newest(), lag: watchReplicationLag(newest, () => reader.position()?.seq) };
    },
    report: async () => {
      const { reader } = await index.get();
      const position = reader.position()?.seq;
      const file = reader.database()?.name;
      const bytes = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
      return { file, bytes, position, newest: await newest() };
    },
    copy: async (file) => {
      await read(() => atOnce(() => {}));
      return backUp(await openedDatabase(), file);
    },
    readSnapshot: async (ticket) => {
      if (!(await source.runner.query(acceptsTicket(ticket)))) return undefined;
      return snapshots.readCopy((await openedDatabase()).name);
    },
    check: () => {
      if (watched !== undefined && (opened?.reader.position()?.seq ?? -1) < watched.wanted) throw indexBehind();
    },
    status: () => ({
      lagSeconds: watched?.lag.seconds(),
      lagChanges: watched?.lag.positions(),
    }),
    close: async () => {
      closing.abort();
      watched?.lag.close();
      await (await index.peek())?.close();
    },
  };
}

async function openIndex(source: LocalSource, options: IndexOptions) {
  const { folder, worker, snapshot, onFailure, isFollower = true } = options;
  const root = folder ?? mkdtempSync(join(tmpdir(), 'web3-bi-index-'));
  const origin = await originOf(source, indexSchema());
  const reader = createIndexReader(indexFolder(root, origin), origin);
  const position = reader.position();
  if (position !== undefined && !(await source.runner.query(isFollowable(position)))) reader.discard();
  let follower: Follower | undefined;
  if (isFollower)
    follower =
      worker === undefined
        ? startFollower({ source, root, isTemporary: folder === undefined, snapshot, ...(onFailure && { onFailure }) })
        : followInThread(worker, { url: source.url, root, snapshot }, onFailure);
  return {
    reader,
    /** How the analytics thread reads it. */
    task: { root, origin },
    close: async (): Promise<void> => {
      await follower?.close();
      reader.close();
      if (folder === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Notifies the follower urgently, on any machine; concurrent calls are combined. */
function createUrgentNotifier({ runner, urgentNotifySql }: LocalSource): () => void {
  let notifiedAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - notifiedAt < NOTIFY_EVERY_MS) return;
    notifiedAt = now;
    // Without the notification, the follower is only later.
    runner.query(run(urgentNotifySql)).catch(() => {});
  };
}
