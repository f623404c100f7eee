import type { KeyLevel, KeyStatus, Overlap } from '../../contract/keys.ts';
import type { Limits, PlanName } from '../../contract/plans.ts';
import type { Author } from './audit.ts';

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: PlanName;
  /** Of each of its keys. */
  readonly limits: Limits;
  readonly created_at: string;
}

/** Changes of accounts are the operator's, and so are their entries in the audit log. */
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
  /** To the minute, so that not every request writes it; it may lie behind what a list of keys says. */
  readonly last_used_at: string | null;
  readonly last_used_ip: string | null;
  /** The key that this one replaces; they share one count. */
  readonly rotated_from: number | null;
  readonly replaced_at: string | null;
  /** A replaced key is as good as revoked from here on. */
  readonly overlap_ends_at: string | null;
  /** The OAuth client that a person gave it to; null for a key with a secret of its own. */
  readonly client_id: string | null;
  /** Of a key that was found by an access token: the resource that the token is for, and is good for alone (RFC 8707). */
  readonly audience?: string;
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
  /** For the audit log; the operator when left out, here and below. */
  readonly author?: Author;
}

/** A key with its secret, which is told this once. */
export type MadeKey = KeyRecord & { readonly secret: string };

export interface Rotation {
  /** How long the old key goes on working. */
  readonly overlap: Overlap;
  readonly created_by?: string;
  readonly author?: Author;
}

/**
 * Each change is written into the audit log with it, without the secret. A change of a key by number can be bound to an account by name: a key of another account is then as one that does
 * not exist.
 */
export interface Keys {
  /** Makes a key. The account must exist and have room for one more. */
  create(key: NewKey): Promise<MadeKey>;
  /** The key of a secret or an OAuth access token, whatever its state; undefined for text that is none of ours. */
  find(secret: string): Promise<KeyRecord | undefined>;
  /**
   * As find for a secret, perhaps as the key was within the last minute: for a request that is counted, because `take` tells when the
   * key has changed since. Nobody may be admitted or refused by it without that.
   */
  recall(secret: string): Promise<KeyRecord | undefined>;
  /** All keys, or those of one account. */
  list(account?: string): Promise<readonly ListedKey[]>;
  /** Replaces a key by one that has another secret, and the same of everything else, also of what is counted. */
  rotate(id: number, rotation: Rotation, account?: string): Promise<MadeKey | undefined>;
  /** Ends a key by number; undefined when there is no such key. */
  revoke(id: number, account?: string, author?: Author): Promise<KeyRecord | undefined>;
}

/** What is counted of a key at a moment, in the UTC day and month of that moment. */
export interface UsageReading {
  readonly at: Date;
  readonly today: number;
  readonly thisMonth: number;
}

/** What is counted of a key, and its last use, to the minute. */
export type KeyUse = UsageReading & Pick<KeyRecord, 'last_used_at' | 'last_used_ip'>;

export interface QuotaTaken extends UsageReading {
  /** False when a limit left no room, so that nothing was counted. */
  readonly isAdmitted: boolean;
  /** True when the key was recalled and has changed since; nothing was counted, and it must be found again. */
  readonly isStale?: boolean;
  /** What the key has written last, in the change log, where searches follow one: what it reads must include that. */
  readonly position?: number;
}

/** Counts of requests, exact for any number of processes on one database. */
export interface Usage {
  /**
   * Counts one request of a key if its limits leave room, and notes when and from where it was used. Settles when the
   * count is durable; rejects with `unavailable` when it cannot be. A full disk is no reason to refuse those who read: the
   * count is then kept in memory and written with the first one that can be.
   */
  take(key: KeyRecord, address: string | null): Promise<QuotaTaken>;
  /** Takes back a request that was counted at a moment; what was counted in a day or month that is over stays. */
  giveBack(key: KeyRecord, countedAt: Date): Promise<UsageReading>;
  read(key: KeyRecord): Promise<UsageReading>;
  /** The same of several keys, in their order, and when they were used last. */
  readAll(keys: readonly KeyRecord[]): Promise<readonly KeyUse[]>;
}
