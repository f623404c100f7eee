import type { Readable } from 'node:stream';
import type { Accounts, Keys, Usage } from './port/access.ts';
import type { Audit } from './port/audit.ts';
import type { Claims } from './port/claims.ts';
import type { Duplicates } from './port/duplicates.ts';
import type { Attempts, Invitations, Members, Sessions } from './port/members.ts';
import type { OAuth } from './port/oauth.ts';
import type { Payments } from './port/payments.ts';
import type { Records } from './port/records.ts';
import type { RequestLog } from './port/request-log.ts';

/**
 * The storage port. Every method is one complete operation; callers never hold a transaction. Every method rejects with
 * ServiceError `unavailable` if the database cannot be used at the moment; further errors are named at the methods.
 */
export interface Store {
  readonly records: Records;
  readonly duplicates: Duplicates;
  readonly claims: Claims;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly oauth: OAuth;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly requests: RequestLog;
  readonly payments: Payments;
  /**
   * Resolves if the database is readable and has this program's schema.
   * @throws ServiceError `unavailable` otherwise
   */
  ping(): Promise<void>;
  /** The local index file that serves searches; without it, the database does. */
  readonly index?: MachineIndex;
  /** Known state of the database, without a query. */
  status(): StoreStatus;
  /** Applies what `records.upsertMany` deferred: ranks of referenced records, and rows of a large import. */
  compactIndex(): Promise<void>;
  /**
   * Copies a snapshot of the database to a new or empty file and verifies it, while the database stays in use.
   * @throws ServiceError `invalid_parameter` for a database in memory, `unavailable` if the copy differs
   */
  backUp(file: string): Promise<BackupReport>;
  close(): Promise<void>;
}

/** Monitoring data of a database server; empty for a file. */
export interface StoreStatus {
  readonly connections?: { readonly primary: ConnectionCounts; readonly replica?: ConnectionCounts };
  readonly replicaLagSeconds?: number | undefined;
  readonly index?: IndexStatus;
}

/** An index file that follows the change log of the database. */
export interface MachineIndex {
  /** Opens it for serving: ping rejects until it includes every change up to this call. */
  follow(): Promise<void>;
  report(): Promise<IndexReport>;
  /**
   * Copies it, once it includes every change up to this call, to a new or empty file, and verifies the copy.
   * @throws ServiceError `unavailable` if it does not include them in time, or the copy differs
   */
  copy(file: string): Promise<BackupReport>;
  /**
   * A stream of its file, for another machine with a valid ticket of the same database. Undefined for an invalid ticket.
   * @throws ServiceError `unavailable` while there is no file, or another copy is in progress
   */
  readSnapshot(ticket: string): Promise<Readable | undefined>;
}

export interface IndexReport {
  /** Path; undefined while there is no file. */
  readonly file: string | undefined;
  readonly bytes: number;
  /** Last included change, and last change of the database. */
  readonly position: number | undefined;
  readonly newest: number;
}

/** Lag of an index; undefined until it is known. */
export interface IndexStatus {
  readonly lagSeconds: number | undefined;
  /** Number of changes not yet included. */
  readonly lagChanges: number | undefined;
}

export interface ConnectionCounts {
  readonly open: number;
  readonly inUse: number;
  readonly waiting: number;
}

export interface BackupReport {
  readonly bytes: number;
  readonly rows: Readonly<Record<string, number>>;
}
