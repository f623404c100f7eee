import type { SqlProgram } from './program.ts';

/**
 * Scope of the write lock: writes of the same scope are serialized across processes. Records, keys with accounts, members with
 * sessions, the request log, the payments of a payer. `rows` takes no lock, for single-statement changes of rows.
 */
export type Written = 'records' | 'keys' | 'members' | 'requests' | 'rows' | { readonly payer: string };

/** Executes SQL programs on a database. Every method rejects with the error of a failed statement or program. */
export interface Runner {
  /** Runs statements without a common snapshot. */
  query<Result>(program: SqlProgram<Result>): Promise<Result>;
  /** Runs reads in one snapshot. */
  snapshot<Result>(program: SqlProgram<Result>): Promise<Result>;
  /** Runs a program in a transaction under the write lock of `written`. */
  transaction<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, with a longer lock time-out, for work that another process may be doing. */
  longTransaction<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, without waiting for the disk: survives a crash of the process, not a power failure. */
  relaxedTransaction<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, but skipped if the lock is held: returns undefined at once. */
  transactionIfFree<Result>(written: Written, program: SqlProgram<Result>): Promise<Result | undefined>;
  /** A small write; concurrent ones share one fsync (group commit). */
  groupedTransaction<Result>(program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, but always rolled back. */
  dryRun<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
}
