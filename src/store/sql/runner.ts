import type { SqlProgram } from './program.ts';

/**
 * What is written one after the other, by all processes together: records, keys with their accounts, people with their
 * sessions, the log of requests, the payments of a payer. Rows are what each statement changes whole, so that nobody has
 * to wait for anybody else.
 */
export type Written = 'records' | 'keys' | 'people' | 'requests' | 'rows' | { readonly payer: string };

/** Takes the steps of operations over one database. */
export interface Runner {
  /** A few statements that need not be of one moment. */
  query<Result>(steps: SqlProgram<Result>): Promise<Result>;
  /** Reads of one moment: what goes in between is not seen. */
  snapshot<Result>(steps: SqlProgram<Result>): Promise<Result>;
  /** All of it or nothing, while nobody else writes the same. */
  transaction<Result>(written: Written, steps: SqlProgram<Result>): Promise<Result>;
  /** As write, for what another process may be doing now, and takes it longer than other writes. */
  longTransaction<Result>(written: Written, steps: SqlProgram<Result>): Promise<Result>;
  /** As write, without waiting for the disk: a power cut may take it back, the end of a process does not. */
  relaxedTransaction<Result>(written: Written, steps: SqlProgram<Result>): Promise<Result>;
  /** As write, for what can be left out: undefined, at once, when another process holds the lock. */
  transactionIfFree<Result>(written: Written, steps: SqlProgram<Result>): Promise<Result | undefined>;
  /** A small write of rows; those that come at once may wait for the disk together. */
  groupedTransaction<Result>(steps: SqlProgram<Result>): Promise<Result>;
  /** As write, and takes everything back. */
  dryRun<Result>(written: Written, steps: SqlProgram<Result>): Promise<Result>;
}
