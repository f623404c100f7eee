import type { RecordAction } from '../contract/changes.ts';
import type { RecordType, SearchedType } from '../contract/entities/index.ts';
import type { Fault } from '../contract/errors.ts';
import type { Filters, Sort } from '../contract/filters.ts';
import type { GivenFields } from '../contract/input.ts';
import type { KeyLevel, KeyStatus, Overlap } from '../contract/keys.ts';
import type { Limits, PlanName } from '../contract/plans.ts';
import type { RelatedList } from '../contract/relations.ts';

/** The port to storage. Every method is one whole operation: no caller ever holds a transaction open. */
export interface Store {
  readonly records: Records;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly usage: Usage;
  /** Answers when the database can be read; throws when it cannot. */
  ping(): Promise<void>;
  /** Copies the database as of one moment to a new or empty file, and verifies the copy; others go on using it. */
  backUp(file: string): Promise<BackupReport>;
  close(): Promise<void>;
}

/** What a copy holds, which is what the database held. */
export interface BackupReport {
  readonly bytes: number;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** A record as JSON text of its whole contract shape, so that an answer can be put together without parsing it. */
export type RecordJson = string;

/** A record that was asked for, under the slug that it has now. */
export interface FoundRecord {
  readonly id: number;
  readonly slug: string;
  /** Grows with every change of the record. */
  readonly version: number;
  readonly json: RecordJson;
}

/** A record that is deleted, and until when it can be restored. */
export interface DeletedRecord extends FoundRecord {
  readonly deletedAt: string;
  readonly purgeAt: string;
}

/** The part of a result that is asked for. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

export interface Found {
  readonly results: readonly RecordJson[];
  readonly total: number;
  readonly totals: Partial<Record<SearchedType, number>>;
}

export interface SearchRequest {
  readonly types: readonly SearchedType[];
  /** Any text; blank lists the types. */
  readonly text: string;
  readonly filters?: Filters;
  /** An order instead of relevance. */
  readonly sort?: Sort | undefined;
  readonly window: Window;
}

/** A record to keep: a new one, or an existing one by its slug or number, whose given fields are replaced. */
export interface Row {
  readonly type: RecordType;
  readonly input: GivenFields;
  /** Number of an existing record; beside a name it counts only when that record bears the name. */
  readonly id?: number;
  /** Name for a record that is new and that the input does not name. */
  readonly nameWhenNew?: string;
}

/** What became of a row. */
export interface Kept {
  readonly id: number;
  readonly slug: string;
  readonly change: 'created' | 'updated' | 'unchanged';
}

/** Why a row was not kept; each fault is at `body.FIELD`. */
export interface Refused {
  readonly change: 'refused';
  readonly faults: readonly Fault[];
}

/** Who changes something, for the audit log. */
export interface Author {
  /** Account of the key, or `operator` for a person at the command line. */
  readonly account: string;
  readonly keyId: number | null;
  readonly requestId: string | null;
  readonly address: string | null;
}

/** The person at the command line, who needs no key. */
export const OPERATOR: Author = { account: 'operator', keyId: null, requestId: null, address: null };

/** Makes a change that is sent again under the same key happen once. */
export interface Once {
  /** Whose key it is and what it is for: two accounts or two paths may use one key. */
  readonly scope: string;
  readonly key: string;
  /** Tells another request under the same key apart. */
  readonly fingerprint: string;
}

/** One change of one record. */
export interface Change {
  readonly action: RecordAction;
  readonly type: RecordType;
  /** Number or slug of the record; a new one has none. */
  readonly target?: string;
  /** Body as it was sent, not checked. */
  readonly input?: unknown;
  /** Versions that the record may have; others are refused with `precondition_failed`. */
  readonly expected?: readonly number[] | undefined;
  readonly once?: Once | undefined;
  readonly author: Author;
}

/** The record after a change. */
export interface Changed extends FoundRecord {
  /** Set by a deletion. */
  readonly deletedAt: string | null;
  readonly purgeAt: string | null;
  /** Whether this is the answer of an earlier request that was sent again. */
  readonly isReplay: boolean;
}

export interface Records {
  /** One record by number or slug, also one it had before; undefined when there is none. */
  get(type: RecordType, idOrSlug: string): Promise<FoundRecord | undefined>;
  /** A deleted record that can still be restored, by number or slug; of several, the one deleted last. */
  getDeleted(type: RecordType, idOrSlug: string): Promise<DeletedRecord | undefined>;
  /** Makes one change with all that follows from it, or none; throws a ServiceError that says what stands against it. */
  change(change: Change): Promise<Changed>;
  /** Records of a type that is not searched, the newest first. */
  list(type: RecordType, window: Window): Promise<Found>;
  /** Records that match a text, the best first; pages of one text are disjoint and complete. */
  search(request: SearchRequest): Promise<Found>;
  /** Records of a related list of the record with this number. */
  related(list: RelatedList, id: number, window: Window): Promise<Found>;
  /** Every record of a type in the order of their numbers. */
  walk(type: RecordType): AsyncIterable<RecordJson>;
  /** Keeps all rows or none, and tells of each, in order, what became of it. */
  putAll(rows: Iterable<Row>): Promise<readonly Kept[]>;
  /** Keeps the rows that are right, and tells of each, in order, what became of it. */
  putEach(rows: readonly Row[], author?: Author): Promise<readonly (Kept | Refused)[]>;
  /** Tells what `putEach` would do, and changes nothing. */
  tryEach(rows: readonly Row[]): Promise<readonly (Kept | Refused)[]>;
  /** Keeps all rows when the database has never been filled; tells whether it did. Safe with many processes at once. */
  fillOnce(rows: () => Iterable<Row>): Promise<boolean>;
  /** Keeps the rows of the shipped data set, marked as such, so that they can be dropped again. */
  addShipped(rows: () => Iterable<Row>, author?: Author): Promise<readonly Kept[]>;
  /** Removes for good what the shipped data set brought and nobody has changed since; tells how many records. */
  dropShipped(author?: Author): Promise<number>;
}

/** One line of the audit log. */
export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly account: string;
  readonly key_id: number | null;
  /** What was done: `create`, `import`, `key.revoke` and the like. */
  readonly action: string;
  readonly target_type: string;
  readonly target_id: number | null;
  readonly request_id: string | null;
  readonly address: string | null;
  /** The state before and after, where there was one. */
  readonly before: unknown;
  readonly after: unknown;
}

interface AuditQuery {
  readonly type?: string | undefined;
  readonly id?: number | undefined;
  /** Only entries with a smaller number, for the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Who changed what. Entries are written with the changes themselves and can neither be changed nor removed. */
export interface Audit {
  /** Entries, the newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: PlanName;
  /** Of each of its keys. */
  readonly limits: Limits;
  readonly created_at: string;
}

export interface Accounts {
  /** Makes an account. Only an enterprise account may have limits of its own; without them it has none. */
  create(name: string, plan: PlanName, limits?: Limits): Promise<Account>;
  find(name: string): Promise<Account | undefined>;
  list(): Promise<readonly Account[]>;
  /** Changes plan and limits at once; undefined when there is no such account. */
  setPlan(name: string, plan: PlanName, limits?: Limits): Promise<Account | undefined>;
}

/** A key without its secret. */
export interface KeyRecord {
  readonly id: number;
  readonly account: string;
  readonly plan: PlanName;
  readonly limits: Limits;
  readonly name: string;
  readonly level: KeyLevel;
  /** The secret with its middle left out, to tell keys apart. */
  readonly display: string;
  readonly created_at: string;
  /** Who made it, where that is known. */
  readonly created_by: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Addresses and ranges it may be used from; empty is from everywhere. */
  readonly allowed_cidrs: readonly string[];
  /** To the minute, so that not every request writes it. */
  readonly last_used_at: string | null;
  readonly last_used_ip: string | null;
  /** The key that this one replaces; they share one count. */
  readonly rotated_from: number | null;
  readonly replaced_at: string | null;
  /** A replaced key is as good as revoked from here on. */
  readonly overlap_ends_at: string | null;
}

export interface ListedKey extends KeyRecord {
  readonly status: KeyStatus;
  readonly requests_today: number;
  readonly requests_this_month: number;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly level: KeyLevel;
  readonly expires_at: string | null;
  readonly allowed_cidrs?: readonly string[];
  readonly created_by?: string | null;
}

/** A key with its secret, which is told this once. */
export type MadeKey = KeyRecord & { readonly secret: string };

export interface Rotation {
  /** How long the old key goes on working. */
  readonly overlap: Overlap;
  readonly created_by?: string;
}

/**
 * A change of a key by number can be bound to an account by name: a key of another account is then as one that does
 * not exist.
 */
export interface Keys {
  /** Makes a key. The account must exist and have room for one more. */
  create(key: NewKey): Promise<MadeKey>;
  /** Makes a key of a given secret, or finds the one that has it already; no bound on their number applies. */
  adopt(key: NewKey, secret: string): Promise<KeyRecord>;
  /** The key of a secret, whatever its state; undefined for text that is none of ours. */
  find(secret: string): Promise<KeyRecord | undefined>;
  /** All keys, or those of one account. */
  list(account?: string): Promise<readonly ListedKey[]>;
  /** Replaces a key by one that has another secret, and the same of everything else, also of what is counted. */
  rotate(id: number, rotation: Rotation, account?: string): Promise<MadeKey | undefined>;
  /** Ends a key by number; undefined when there is no such key. */
  revoke(id: number, account?: string): Promise<KeyRecord | undefined>;
}

/** What is counted of a key at a moment, in the UTC day and month of that moment. */
export interface UsageReading {
  readonly at: Date;
  readonly today: number;
  readonly thisMonth: number;
}

interface Taken extends UsageReading {
  /** False when a limit left no room, so that nothing was counted. */
  readonly isAdmitted: boolean;
}

/** Counts of requests, exact for any number of processes on one database. */
export interface Usage {
  /**
   * Counts one request of a key if its limits leave room, and notes when and from where it was used. Settles when the
   * count is durable; rejects with `unavailable` when it cannot be.
   */
  take(key: KeyRecord, address: string | null): Promise<Taken>;
  /** Takes back a request that was counted at a moment; what was counted in a day or month that is over stays. */
  giveBack(key: KeyRecord, countedAt: Date): Promise<UsageReading>;
  read(key: KeyRecord): Promise<UsageReading>;
}
