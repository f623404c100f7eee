import type { Standing } from '../../contract/members.ts';
import type { PlanName } from '../../contract/plans.ts';
import type { Author } from './audit.ts';

/** A person who can sign in for an account. */
export interface Member extends Standing {
  readonly id: number;
  readonly account: string;
  readonly email: string;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
}

export type KnownMember = Member & { readonly password_hash: string };

export interface Members {
  /** Number of members; 0 before the first owner. */
  count(): Promise<number>;
  /** Whether the account is the operator's: that of the first member. */
  isOperator(account: string): Promise<boolean>;
  find(email: string): Promise<KnownMember | undefined>;
  list(account: string): Promise<readonly Member[]>;
  /** Sets a new password and ends the member's sessions except the named one. */
  setPassword(id: number, change: { hash: string; keptSession: number | null; author: Author }): Promise<void>;
  /**
   * Changes role and level. Undefined if the account has no such member.
   * @throws ServiceError `invalid_parameter` if no owner would remain
   */
  change(id: number, change: { account: string; standing: Standing; author: Author }): Promise<Member | undefined>;
  /**
   * Removes a member from the account and ends their sessions; their keys remain. Undefined if there is no such member.
   * @throws ServiceError `invalid_parameter` if no owner would remain
   */
  remove(id: number, change: { account: string; author: Author }): Promise<Member | undefined>;
}

/** A single-use invitation to join an account. */
export interface Invitation extends Standing {
  readonly id: number;
  /** Null for the first owner of a new service, who names the account. */
  readonly account: string | null;
  /** Invited email; null for anyone with the link. */
  readonly email: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly expires_at: string;
  readonly status: 'open' | 'used' | 'expired' | 'withdrawn';
}

/** The secret is returned only here. */
type MadeInvitation = Invitation & { readonly token: string };

export interface NewInvitation extends Standing {
  readonly account: string | null;
  readonly email: string | null;
  readonly lifeMs: number;
  readonly author: Author;
}

export interface Joining {
  readonly email: string;
  readonly hash: string;
  /** For the first owner only. */
  readonly newAccount?: { readonly name: string; readonly plan: PlanName };
  readonly author: Pick<Author, 'requestId' | 'address'>;
}

export interface Invitations {
  /** @throws ServiceError `not_found` for an unknown account */
  create(invitation: NewInvitation): Promise<MadeInvitation>;
  /** The invitation of a secret, in any state. Undefined if there is none. */
  find(token: string): Promise<Invitation | undefined>;
  list(account: string): Promise<readonly Invitation[]>;
  /** Undefined if the account has no such invitation. */
  withdraw(id: number, change: { account: string; author: Author }): Promise<Invitation | undefined>;
  /**
   * Accepts an invitation and creates the member; concurrent uses succeed once.
   * @throws ServiceError `forbidden` if it is not open, `missing_parameter` if the first owner names no account,
   * `invalid_parameter` if the account's name or the email address is taken
   */
  accept(token: string, joining: Joining): Promise<Member>;
}

/** Properties of the browser of a session. */
export interface BrowserInfo {
  readonly agent: string;
  readonly address: string | null;
}

export interface Session {
  readonly id: number;
  readonly member: Member;
  /** CSRF token of the session's forms. */
  readonly formToken: string;
  readonly created_at: string;
}

export type SessionUse =
  /** Valid; contains a new secret if it was rotated. */
  | { readonly state: 'open'; readonly session: Session; readonly token?: string }
  /** Signed out, revoked or expired. */
  | { readonly state: 'ended' | 'expired'; readonly member: Member }
  /** Used by another browser or after rotation; the session is ended. */
  | { readonly state: 'stolen'; readonly member: Member }
  | { readonly state: 'unknown' };

/** Sessions of signed-in members. Secrets are stored as hashes. */
export interface Sessions {
  begin(memberId: number, client: BrowserInfo): Promise<{ readonly token: string; readonly session: Session }>;
  use(token: string, client: BrowserInfo): Promise<SessionUse>;
  endById(id: number): Promise<void>;
}

export interface AttemptLimit {
  /** Counted subject, such as an address. */
  readonly subject: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Attempt counters shared by all processes, persistent across restarts. */
export interface Attempts {
  /** Counts an attempt for each limit. Returns the first exceeded one, or undefined. */
  take(limits: readonly AttemptLimit[]): Promise<{ readonly subject: string; readonly isFirst: boolean } | undefined>;
  /** Resets a subject after a success. */
  forget(subject: string): Promise<void>;
}
