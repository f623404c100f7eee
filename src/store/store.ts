import type { Readable } from 'node:stream';
import type { Accounts, Keys, Usage } from './port/access.ts';
import type { Audit } from './port/audit.ts';
import type { Claims } from './port/claims.ts';
import type { Duplicates } from './port/duplicates.ts';
import type { OAuth } from './port/oauth.ts';
import type { Payments } from './port/payments.ts';
import type { Attempts, Invitations, People, Sessions } from './port/people.ts';
import type { Records } from './port/records.ts';
import type { RequestLog } from './port/request-log.ts';

/** The port to storage. Every method is one whole operation: no caller ever holds a transaction open. */
export interface Store {
  readonly records: Records;
  readonly duplicates: Duplicates;
  readonly claims: Claims;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly oauth: OAuth;
  readonly people: People;
  readonly invitations: Invitations;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly requests: RequestLog;
  readonly payments: Payments;
  /** Answers when the database can be read, and has the schema of this program; throws when not. */
  ping(): Promise<void>;
  /** The index file of this machine that searches are answered from; without it they are answered from the database. */
  readonly index?: MachineIndex;
  /** What the store knows of its database at this moment, without asking it. */
  status(): StoreStatus;
  /**
   * Does what `records.upsertMany` left for later, when its last rows were kept: until then, records that those rows name keep the rank
   * that they had, and the rows of a large import are not searched.
   */
  compactIndex(): Promise<void>;
  /** Copies the database as of one moment to a new or empty file, and verifies the copy; others go on using it. */
  backUp(file: string): Promise<BackupReport>;
  close(): Promise<void>;
}

/** What there is to watch of a database; nothing of one that is a file. */
export interface StoreStatus {
  readonly connections?: { readonly primary: ConnectionCounts; readonly replica?: ConnectionCounts };
  /** How far the replica that is read from lies behind, where there is one and it is known. */
  readonly replicaLagSeconds?: number | undefined;
  /** The index of this machine, where it is kept. */
  readonly index?: IndexStatus;
}

/** An index file that follows the changes of the database. */
export interface MachineIndex {
  /** Opens it, for a process that serves: from then on ping throws until it has every change that there is at this call. */
  keep(): Promise<void>;
  report(): Promise<IndexReport>;
  /** Copies it, when it has every change that there is at this call, to a new or empty file, and verifies the copy. */
  copy(file: string): Promise<BackupReport>;
  /**
   * A copy of its file as it is, for another machine that shows a ticket of the same database; undefined for any other.
   * @throws `unavailable` while there is no file, or another machine is given one
   */
  lend(ticket: string): Promise<Readable | undefined>;
}

export interface IndexReport {
  /** Where it is; undefined while there is none. */
  readonly file: string | undefined;
  readonly bytes: number;
  /** The last change that is in it, and the last that there is. */
  readonly position: number | undefined;
  readonly newest: number;
}

/** How far an index lies behind the records; undefined before that is known. */
export interface IndexStatus {
  readonly lagSeconds: number | undefined;
  /** Changes of records that are not in it yet. */
  readonly lagChanges: number | undefined;
}

export interface ConnectionCounts {
  readonly open: number;
  readonly inUse: number;
  /** Operations that wait for a connection of this process. */
  readonly waiting: number;
}

/** What a copy holds, which is what the database held. */
export interface BackupReport {
  readonly bytes: number;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}
