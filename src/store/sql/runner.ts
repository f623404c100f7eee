import type { Steps } from './steps.ts';

/**
 * What is written one after the other, by all processes together: records, keys with their accounts, people with their
 * sessions, the log of requests, the payments of a payer. Rows are what each statement changes whole, so that nobody has
 * to wait for anybody else.
 */
export type Written = 'records' | 'keys' | 'people' | 'requests' | 'rows' | { readonly payer: string };

/** Takes the steps of operations over one database. */
export interface Runner {
  /** A few statements that need not be of one moment. */
  ask<Result>(steps: Steps<Result>): Promise<Result>;
  /** Reads of one moment: what goes in between is not seen. */
  read<Result>(steps: Steps<Result>): Promise<Result>;
  /** All of it or nothing, while nobody else writes the same. */
  write<Result>(written: Written, steps: Steps<Result>): Promise<Result>;
  /** As write, for what another process may be doing now, and takes it longer than other writes. */
  writeLong<Result>(written: Written, steps: Steps<Result>): Promise<Result>;
  /** As write, without waiting for the disk: a power cut may take it back, the end of a process does not. */
  writeRelaxed<Result>(written: Written, steps: Steps<Result>): Promise<Result>;
  /** As write, for what can be left out: undefined, at once, when another process holds the lock. */
  writeIfFree<Result>(written: Written, steps: Steps<Result>): Promise<Result | undefined>;
  /** A small write of rows; those that come at once may wait for the disk together. */
  writeShared<Result>(steps: Steps<Result>): Promise<Result>;
  /** As write, and takes everything back. */
  tryOut<Result>(written: Written, steps: Steps<Result>): Promise<Result>;
}
