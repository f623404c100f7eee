import type { KeyLevel, KeyStatus, KeyTimes, Overlap } from '../../contract/keys.ts';
import type { Limits, PlanName } from '../../contract/plans.ts';
import type { Author } from './audit.ts';

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: PlanName;
  readonly limits: Limits;
  readonly created_at: string;
}

/** Accounts. Changes are attributed to the operator in the audit log. */
export interface Accounts {
  /**
   * Creates an account. Custom limits are for enterprise accounts only, which are unlimited without them.
   * @throws ServiceError `invalid_parameter` if the name is taken, or the limits are not allowed
   */
  create(name: string, plan: PlanName, limits?: Limits): Promise<Account>;
  find(name: string): Promise<Account | undefined>;
  list(): Promise<readonly Account[]>;
  /**
   * Changes plan and limits. Undefined if there is no such account.
   * @throws ServiceError `invalid_parameter` if the limits are not allowed
   */
  setPlan(name: string, plan: PlanName, limits?: Limits): Promise<Account | undefined>;
}

export interface KeyRecord extends KeyTimes {
  readonly id: number;
  readonly account: string;
  readonly plan: PlanName;
  readonly limits: Limits;
  readonly name: string;
  readonly level: KeyLevel;
  /** The abbreviated secret, to distinguish keys. */
  readonly display: string;
  readonly created_at: string;
  readonly created_by: string | null;
  /** Allowed addresses and ranges; empty allows all. */
  readonly allowed_cidrs: readonly string[];
  /** Minute precision, so that not every request writes it; may lag behind `list`. */
  readonly last_used_at: string | null;
  readonly last_used_ip: string | null;
  /** The predecessor; both share one quota. */
  readonly rotated_from: number | null;
  readonly replaced_at: string | null;
  /** The OAuth client that it was granted to; null for a key with a secret. */
  readonly client_id: string | null;
  /** The resource of the access token by which the key was found (RFC 8707). */
  readonly audience?: string;
}

export interface ListedKey extends KeyRecord {
  readonly status: KeyStatus;
  readonly requests_today: number;
  readonly requests_this_month: number;
}

export interface NewKey
  extends Pick<KeyRecord, 'account' | 'name' | 'level' | 'expires_at'>,
    Partial<Pick<KeyRecord, 'allowed_cidrs' | 'created_by'>> {
  /** Author for the audit log; the operator by default, here and below. */
  readonly author?: Author;
}

/** A new key with its secret, which is returned only here. */
export type MadeKey = KeyRecord & { readonly secret: string };

export interface Rotation {
  /** How long the old key remains valid. */
  readonly overlap: Overlap;
  readonly created_by?: string;
  readonly author?: Author;
}

/** API keys. Each change is audited, without the secret. With an account name, keys of other accounts are treated as missing. */
export interface Keys {
  /**
   * Creates a key.
   * @throws ServiceError `not_found` for an unknown account, and `invalid_parameter` if the account has too many keys
   * or `expires_at` is in the past
   */
  create(key: NewKey): Promise<MadeKey>;
  /** The key of a secret or an OAuth access token, in any state. Undefined for unknown text. */
  find(secret: string): Promise<KeyRecord | undefined>;
  /**
   * Like find, but may return the state of up to a minute ago. Only for requests that are counted next, because `take`
   * detects stale keys. Neither admit nor refuse by it alone.
   */
  recall(secret: string): Promise<KeyRecord | undefined>;
  list(account?: string): Promise<readonly ListedKey[]>;
  /**
   * Replaces the secret of a key, keeping its properties and quota. Undefined if there is no such key.
   * @throws ServiceError `invalid_parameter` if it cannot be rotated
   */
  rotate(id: number, rotation: Rotation, account?: string): Promise<MadeKey | undefined>;
  /** Revokes a key. Undefined if there is no such key. */
  revoke(id: number, account?: string, author?: Author): Promise<KeyRecord | undefined>;
}

/** Counters of a key for the UTC day and month of a time. */
export interface UsageReading {
  readonly at: Date;
  readonly today: number;
  readonly thisMonth: number;
}

/** Counters and last use of a key, with minute precision. */
export type KeyUse = UsageReading & Pick<KeyRecord, 'last_used_at' | 'last_used_ip'>;

export interface QuotaTaken extends UsageReading {
  /** False if a limit was reached; nothing was counted then. */
  readonly isAdmitted: boolean;
  /** True if a recalled key has changed; nothing was counted, and the key must be looked up again. */
  readonly isStale?: boolean;
  /** Change-log position of the key's last write, which its reads must include. Absent for engines without a change log. */
  readonly position?: number;
}

/** Interval of recording the last use of a key. */
export const USE_RECORDED_EVERY_MS = 60_000;

/** Request counters, exact across the processes of a database. */
export interface Usage {
  /**
   * Counts a request if the limits allow, and records its time and address. Resolves when the count is durable.
   * @throws ServiceError `unavailable` if that is impossible; with a full disk, the count is kept in memory instead and
   * written later, so that reads continue
   */
  take(key: KeyRecord, address: string | null): Promise<QuotaTaken>;
  /** Refunds a counted request. Counts of a past day or month remain. */
  giveBack(key: KeyRecord, countedAt: Date): Promise<UsageReading>;
  read(key: KeyRecord): Promise<UsageReading>;
  /** Counters and last use of several keys, in their order. */
  readAll(keys: readonly KeyRecord[]): Promise<readonly KeyUse[]>;
}
