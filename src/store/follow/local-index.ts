import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lag, watchLag } from '../lag.ts';
import type { Searching } from '../records/searching.ts';
import { atOnce, run } from '../sql/program.ts';
import type { AnswersSource, AnswersTask } from '../sqlite/answers/answer-thread.ts';
import { backUp } from '../sqlite/backup.ts';
import type { IndexStatus, MachineIndex } from '../store.ts';
import { isFollowable, newestPosition } from './apply.ts';
import type { ChangeSource } from './change-source.ts';
import { type Follower, originOf, startFollower } from './follower.ts';
import { followInThread } from './follower-thread.ts';
import { indexFolder } from './index-folder.ts';
import { behind, createIndexReader, type IndexReader, readWhenThere } from './index-reader.ts';
import { indexSchema } from './index-schema.ts';
import { acceptsTicket, createLender } from './snapshot.ts';

/** How a process has the index of a database on its machine. */
export interface IndexOptions {
  /** Folder of the index files of this machine; without it, the index is this process's own and gone with it. */
  readonly folder?: string | undefined;
  /** The built follower-worker; without it, this thread follows. */
  readonly worker?: string | undefined;
  /** Whether this process follows when no other one does. */
  readonly isFollower?: boolean | undefined;
  /** How long a search waits for the index to come to the position that it asks for. */
  readonly waitMs?: number | undefined;
  /** An index file of the same database, or the address of an instance that has one, to begin from where there is none. */
  readonly snapshot?: string | undefined;
  /** Told why the index does not get on; it is tried again. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Long enough for an index of a million records to be built. */
const WAIT_MS = 600_000;
/** How often those who wait hurry whoever follows. */
const HURRY_EVERY_MS = 50;

/** The index of a database on this machine. */
export interface LocalIndex extends Searching, MachineIndex, AnswersSource {
  /** Throws when it is kept, and not yet as new as the database was then. */
  check(): void;
  status(): IndexStatus;
  close(): Promise<void>;
}

/** Where the index comes from, and how it is followed in another thread. */
export interface LocalSource extends ChangeSource {
  readonly url: string;
  /** Hurries whoever follows. */
  readonly hurrySql: string;
}

/** The read model of a database on this machine. It is opened by the first search, or when it is to be kept. */
export function createLocalIndex(source: LocalSource, options: IndexOptions = {}): LocalIndex {
  const { waitMs = WAIT_MS } = options;
  let opening: Promise<OpenIndex> | undefined;
  let opened: OpenIndex | undefined;
  let watched: { readonly lag: Lag; readonly wanted: number } | undefined;
  const open = async (): Promise<OpenIndex> => {
    opening ??= openIndex(source, options);
    try {
      opened = await opening;
      return opened;
    } catch (error) {
      // The next search tries again.
      opening = undefined;
      throw error;
    }
  };
  const newest = async (): Promise<number> => (await source.runner.query(newestPosition())).seq;
  const hurry = createHurry(source);
  const lender = createLender();
  const read: Searching['read'] = async (program, atLeast) => {
    const { reader } = await open();
    const wanted = atLeast ?? (await newest());
    return readWhenThere(reader, program, { atLeast: wanted, waitMs, hurry });
  };
  return {
    read,
    task: async () => (await open()).task,
    reach: async (atLeast) => {
      const wanted = atLeast ?? (await newest());
      await read(() => atOnce(() => {}), wanted);
      return wanted;
    },
    keep: async () => {
      const { reader } = await open();
      watched ??= { wanted: await newest(), lag: watchLag(newest, () => reader.position()?.seq) };
    },
    report: async () => {
      const { reader } = await open();
      const position = reader.position()?.seq;
      const file = reader.database()?.name;
      const bytes = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
      return { file, bytes, position, newest: await newest() };
    },
    copy: async (file) => {
      await read(() => atOnce(() => {}));
      const database = (await open()).reader.database();
      if (database === undefined) throw behind();
      return backUp(database, file);
    },
    lend: async (ticket) => {
      if (!(await source.runner.query(acceptsTicket(ticket)))) return undefined;
      const database = (await open()).reader.database();
      if (database === undefined) throw behind();
      return lender.lend(database.name);
    },
    check: () => {
      if (watched !== undefined && (opened?.reader.position()?.seq ?? -1) < watched.wanted) throw behind();
    },
    status: () => ({
      lagSeconds: watched?.lag.seconds(),
      lagChanges: watched?.lag.positions(),
    }),
    close: async () => {
      watched?.lag.close();
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/** The index of a folder, and whoever follows into it here. */
interface OpenIndex {
  readonly reader: IndexReader;
  /** Where another thread can read it. */
  readonly task: AnswersTask;
  close(): Promise<void>;
}

async function openIndex(source: LocalSource, options: IndexOptions): Promise<OpenIndex> {
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
    task: { root, origin },
    close: async () => {
      await follower?.close();
      reader.close();
      if (folder === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Hurries whoever follows, on whichever machine; called as often as one likes. */
function createHurry({ runner, hurrySql }: LocalSource): () => void {
  let hurriedAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - hurriedAt < HURRY_EVERY_MS) return;
    hurriedAt = now;
    // Without it, the follower comes by itself a little later.
    runner.query(run(hurrySql)).catch(() => {});
  };
}
