import type { Sqlite } from './database.ts';

/** Runs a write in a transaction of its own that does not wait for the disk. */
export type Relaxed = <Result>(write: (now: Date) => Result) => Result;

/**
 * For writes that may be lost in a power cut, as if they had not been made yet. The end of the process, however it ends,
 * loses none of them; and the next durable commit of any connection makes them durable too.
 */
export function createRelaxed(database: Sqlite, now: () => Date): Relaxed {
  const relax = database.prepare('PRAGMA synchronous = NORMAL');
  const restore = database.prepare('PRAGMA synchronous = FULL');
  const run = database.transaction((write: (now: Date) => unknown) => write(now()));
  return <Result>(write: (now: Date) => Result): Result => {
    relax.run();
    try {
      // The transaction's result is the one of its write.
      return run.immediate(write) as Result;
    } finally {
      restore.run();
    }
  };
}
