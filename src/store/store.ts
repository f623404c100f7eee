import type { RecordType, SearchedType } from '../contract/entities/index.ts';
import type { Fault } from '../contract/errors.ts';
import type { Filters, Sort } from '../contract/filters.ts';
import type { GivenFields } from '../contract/input.ts';
import type { KeyLevel } from '../contract/keys.ts';
import type { PlanName } from '../contract/plans.ts';
import type { RelatedList } from '../contract/relations.ts';

/** The port to storage. Every method is one whole operation: no caller ever holds a transaction open. */
export interface Store {
  readonly records: Records;
  readonly accounts: Accounts;
  readonly keys: Keys;
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

export interface KeptRecord {
  readonly id: number;
  /** Grows with every change of the record. */
  readonly version: number;
  readonly json: RecordJson;
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

export interface Records {
  /** One record by number or slug; undefined when there is none. */
  get(type: RecordType, idOrSlug: string): Promise<KeptRecord | undefined>;
  /** Records that match a text, the best first; pages of one text are disjoint and complete. */
  search(request: SearchRequest): Promise<Found>;
  /** Records of a related list of the record with this number. */
  related(list: RelatedList, id: number, window: Window): Promise<Found>;
  /** Every record of a type in the order of their numbers. */
  walk(type: RecordType): AsyncIterable<RecordJson>;
  /** Keeps all rows or none, and tells of each, in order, what became of it. */
  putAll(rows: Iterable<Row>): Promise<readonly Kept[]>;
  /** Keeps the rows that are right, and tells of each, in order, what became of it. */
  putEach(rows: readonly Row[]): Promise<readonly (Kept | Refused)[]>;
  /** Tells what `putEach` would do, and changes nothing. */
  tryEach(rows: readonly Row[]): Promise<readonly (Kept | Refused)[]>;
  /** Keeps all rows when the database has never been filled; tells whether it did. Safe with many processes at once. */
  fillOnce(rows: () => Iterable<Row>): Promise<boolean>;
  /** Keeps the rows of the shipped data set, marked as such, so that they can be dropped again. */
  addShipped(rows: () => Iterable<Row>): Promise<readonly Kept[]>;
  /** Removes for good what the shipped data set brought and nobody has changed since; tells how many records. */
  dropShipped(): Promise<number>;
}

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: PlanName;
  readonly created_at: string;
}

export interface Accounts {
  create(name: string, plan: PlanName): Promise<Account>;
  find(name: string): Promise<Account | undefined>;
  list(): Promise<readonly Account[]>;
  setPlan(name: string, plan: PlanName): Promise<Account | undefined>;
}

/** A key without its secret. */
export interface KeyRecord {
  readonly id: number;
  readonly account: string;
  readonly plan: PlanName;
  readonly name: string;
  readonly level: KeyLevel;
  /** The secret with its middle left out, to tell keys apart. */
  readonly display: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly level: KeyLevel;
  readonly expires_at: string | null;
}

export interface Keys {
  /** Makes a key; the secret is in the answer and nowhere else. The account must exist. */
  create(key: NewKey): Promise<KeyRecord & { readonly secret: string }>;
  /** Makes a key of a given secret, or finds the one that has it already. */
  adopt(key: NewKey, secret: string): Promise<KeyRecord>;
  /** The key of a secret, whatever its state; undefined for text that is none of ours. */
  find(secret: string): Promise<KeyRecord | undefined>;
  list(): Promise<readonly KeyRecord[]>;
  /** Ends a key by number; undefined when there is no such key. */
  revoke(id: number): Promise<KeyRecord | undefined>;
}
