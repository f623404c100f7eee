import type { Validator } from './get.ts';

/** What became of a run. */
export interface SyncReport {
  readonly source: string;
  /** stopped: a guard asks a person. busy: another run is under way. */
  readonly status: 'done' | 'stopped' | 'failed' | 'interrupted' | 'busy';
  /** Why it is not done. */
  readonly message: string | null;
  readonly isDryRun: boolean;
  readonly isResumed: boolean;
  readonly started_at: string;
  readonly ended_at: string;
  readonly requests: number;
  /** Answers that said that nothing has changed. */
  readonly not_modified: number;
  readonly bytes: number;
  /** Entries that were read, and what became of their claims. */
  readonly read: number;
  readonly created: number;
  readonly joined: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly withheld: number;
  readonly refused: number;
  /** Too little for a record of their own, and about none that is there. */
  readonly left: number;
  /** Likely about a record that is there, and not surely. */
  readonly doubtful: number;
  readonly unreadable: number;
  readonly duplicate: number;
  /** Known keys that the source no longer states. */
  readonly absent: number;
}

export type Counts = {
  -readonly [Name in keyof SyncReport as SyncReport[Name] extends number ? Name : never]: number;
};

export const NO_COUNTS: Counts = {
  ...{ requests: 0, not_modified: 0, bytes: 0, read: 0, created: 0, joined: 0, updated: 0, unchanged: 0 },
  ...{ skipped: 0, withheld: 0, refused: 0, left: 0, doubtful: 0, unreadable: 0, duplicate: 0, absent: 0 },
};

/** What is kept of a source between its runs. */
export interface SyncState {
  /** Where a run was cut off, when it began, and how many keys it had changed. */
  readonly cut?: { readonly cursor: string; readonly seenAt: string; readonly changed: number };
  readonly validators?: Readonly<Record<string, Validator>>;
  /** Requests by month, of the last two. */
  readonly months?: Readonly<Record<string, number>>;
  readonly acceptedTermsAt?: string;
  /** When it may be asked again, where it said so. */
  readonly nextAt?: string | undefined;
  /** When the last run that read all of it began. */
  readonly completeAt?: string;
  /** When the one before it began. A key not seen since is missing from two complete runs: what it states is stale. */
  readonly goneBefore?: string;
  readonly last?: SyncReport;
}
