import type { Standing } from '../../contract/people.ts';
import type { PlanName } from '../../contract/plans.ts';
import type { Author } from './audit.ts';

/** Someone who can sign in for an account. */
export interface Person extends Standing {
  readonly id: number;
  readonly account: string;
  readonly email: string;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
}

/** A person with what a password is compared to. */
export type KnownPerson = Person & { readonly password_hash: string };

export interface People {
  /** How many can sign in; none before the first owner. */
  count(): Promise<number>;
  /** Whether it is the account of the first person who could sign in: who runs the service. */
  isOperator(account: string): Promise<boolean>;
  find(email: string): Promise<KnownPerson | undefined>;
  list(account: string): Promise<readonly Person[]>;
  /** Sets a new password and ends every session of the person but the one that is named. */
  setPassword(id: number, change: { hash: string; keptSession: number | null; author: Author }): Promise<void>;
  /** Undefined when there is no such person in the account; refuses to leave an account without an owner. */
  change(id: number, change: { account: string; standing: Standing; author: Author }): Promise<Person | undefined>;
  /** Takes a person out of the account and ends their sessions. The keys they made stay. */
  remove(id: number, change: { account: string; author: Author }): Promise<Person | undefined>;
}

/** A way to become a person, which works once. */
export interface Invitation extends Standing {
  readonly id: number;
  /** Null for the first owner of a new service, who names the account. */
  readonly account: string | null;
  /** Whom it is for; null is whoever has the link. */
  readonly email: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly expires_at: string;
  readonly status: 'open' | 'used' | 'expired' | 'withdrawn';
}

/** Its secret is told this once. */
type MadeInvitation = Invitation & { readonly token: string };

export interface NewInvitation extends Standing {
  readonly account: string | null;
  readonly email: string | null;
  readonly lifeMs: number;
  readonly author: Author;
}

/** What a person gives who accepts an invitation. */
export interface Joining {
  readonly email: string;
  readonly hash: string;
  /** Of the first owner only. */
  readonly newAccount?: { readonly name: string; readonly plan: PlanName };
  readonly author: Pick<Author, 'requestId' | 'address'>;
}

export interface Invitations {
  create(invitation: NewInvitation): Promise<MadeInvitation>;
  /** The invitation of a secret, whatever its state. */
  find(token: string): Promise<Invitation | undefined>;
  /** Those of an account that can still be accepted. */
  list(account: string): Promise<readonly Invitation[]>;
  withdraw(id: number, change: { account: string; author: Author }): Promise<Invitation | undefined>;
  /** Uses an invitation up and makes the person; of two at once, one is refused. */
  accept(token: string, joining: Joining): Promise<Person>;
}

/** What is seen of the browser that holds a session. */
export interface BrowserInfo {
  readonly agent: string;
  readonly address: string | null;
}

export interface Session {
  readonly id: number;
  readonly person: Person;
  /** What every form of the session carries, so that no other site can forge one. */
  readonly formToken: string;
  readonly created_at: string;
}

/** What became of a session's secret that was shown. */
export type SessionUse =
  /** With a new secret when the old one has been used long enough. */
  | { readonly state: 'open'; readonly session: Session; readonly token?: string }
  /** Signed out, or taken away. */
  | { readonly state: 'ended' | 'expired'; readonly person: Person }
  /** Shown by another browser, or after it was replaced: ended now, for whoever holds it. */
  | { readonly state: 'stolen'; readonly person: Person }
  | { readonly state: 'unknown' };

/** Who is signed in. Only a hash of each secret is kept. */
export interface Sessions {
  begin(personId: number, client: BrowserInfo): Promise<{ readonly token: string; readonly session: Session }>;
  use(token: string, client: BrowserInfo): Promise<SessionUse>;
  /** Ends one session: signing out. */
  endById(id: number): Promise<void>;
}

/** How often something may be tried. */
export interface AttemptLimit {
  /** What is counted, such as an address. */
  readonly subject: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Tries that are counted over all processes and restarts. */
export interface Attempts {
  /** Counts one try of each; the first that has had too many, or undefined when none has. */
  take(limits: readonly AttemptLimit[]): Promise<{ readonly subject: string; readonly isFirst: boolean } | undefined>;
  /** Forgets the tries of a subject, because one was right. */
  forget(subject: string): Promise<void>;
}
