import type { Validator } from './http-get.ts';

export interface SyncReport {
  readonly source: string;
  /** stopped: a guard requires a decision. busy: another run is in progress. skipped: the last one has just ended. */
  readonly status: 'done' | 'stopped' | 'failed' | 'interrupted' | 'busy' | 'skipped';
  readonly message: string | null;
  readonly isDryRun: boolean;
  readonly isResumed: boolean;
  readonly started_at: string;
  readonly ended_at: string;
  readonly requests: number;
  readonly not_modified: number;
  readonly bytes: number;
  /** Entries read, and the results of their claims. */
  readonly read: number;
  readonly created: number;
  readonly joined: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly withheld: number;
  readonly refused: number;
  /** Unmatched, and insufficient for a new record. */
  readonly left: number;
  /** Uncertain matches with an existing record. */
  readonly doubtful: number;
  readonly unreadable: number;
  readonly duplicate: number;
  /** Known keys no longer stated. */
  readonly absent: number;
}

export type Counts = {
  -readonly [Name in keyof SyncReport as SyncReport[Name] extends number ? Name : never]: number;
};

export const NO_COUNTS: Counts = {
  ...{ requests: 0, not_modified: 0, bytes: 0, read: 0, created: 0, joined: 0, updated: 0, unchanged: 0 },
  ...{ skipped: 0, withheld: 0, refused: 0, left: 0, doubtful: 0, unreadable: 0, duplicate: 0, absent: 0 },
};

export interface SyncState {
  /** Cursor of an interrupted run, its start and number of changed keys. */
  readonly cut?: { readonly cursor: string; readonly seenAt: string; readonly changed: number };
  readonly validators?: Readonly<Record<string, Validator>>;
  /** Requests of the last two months, by month. */
  readonly months?: Readonly<Record<string, number>>;
  readonly acceptedTermsAt?: string;
  /** Earliest next request, if the source stated it. */
  readonly nextAt?: string | undefined;
  /** Start of the last complete run. */
  readonly completeAt?: string;
  /** Start of the complete run before. Keys not seen since are missing from two complete runs, so their claims are stale. */
  readonly goneBefore?: string;
  readonly last?: SyncReport;
}

/** End of the last run, in ms since 1970. 0 if there was none, or if it was interrupted, because the next one resumes it. */
export function lastRunEndedAt({ last }: SyncState): number {
  return last === undefined || last.status === 'interrupted' ? 0 : Date.parse(last.ended_at);
}
