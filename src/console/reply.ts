import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import type { ServiceDeps } from '../service/deps.ts';
import type { Imports } from '../service/imports/imports.ts';
import type { Passwords } from '../service/passwords/passwords.ts';
import type { Author } from '../store/port/audit.ts';
import type { Person, Session } from '../store/port/people.ts';
import type { Form } from './form.ts';
import type { SiteContext } from './site.ts';

/** What pages for signed-in people are made of. */
export interface PageDeps extends ServiceDeps, SiteContext {
  readonly passwords: Passwords;
  readonly imports: Imports;
}

/** One request for a page. */
export interface PageRequest {
  readonly deps: PageDeps;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Form;
  /** The query as it came, with its question mark. */
  readonly search: string;
  /** Carried by every form of the page. */
  readonly formToken: string;
  readonly session: Session | undefined;
  /** The person of the session, for the audit log. */
  readonly author: Author;
  readonly agent: string;
  readonly now: Date;
}

/** A visit of someone who is signed in. */
export type SignedInRequest = PageRequest & { readonly session: Session; readonly person: Person };

/** A cookie to set, or with null to take away. */
export interface Cookie {
  readonly name: 'session' | 'form';
  readonly value: string | null;
}

interface PageReply {
  readonly kind: 'page';
  readonly title: string;
  readonly body: VNode;
  readonly status?: number;
  /** Leaves the menu out: there is one thing to decide on the page. */
  readonly isAlone?: boolean;
  /** Sources that forms of the page may lead to besides ours, such as `https:`. */
  readonly formTargets?: readonly string[];
  /** Libraries that this page needs besides the common ones. */
  readonly scripts?: readonly string[];
  readonly cookies?: readonly Cookie[];
  /** What stands at a place of the page and is too large to be rendered with it: HTML in UTF-8. */
  readonly filling?: { readonly place: string; readonly html: Uint8Array };
}

interface RedirectReply {
  readonly kind: 'redirect';
  /** Below the base. */
  readonly to: string;
  readonly cookies?: readonly Cookie[];
}

/** Sends the browser to an address of another site. */
interface LeaveReply {
  readonly kind: 'leave';
  readonly to: string;
}

interface FileReply {
  readonly kind: 'file';
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Whether a browser shows it instead of keeping it. */
  readonly isShown?: boolean;
}

export type PageAnswer = PageReply | RedirectReply | LeaveReply | FileReply;

export const pageReply = (title: string, body: VNode, more: Partial<PageReply> = {}): PageAnswer => ({
  kind: 'page',
  title,
  body,
  ...more,
});

export const redirect = (to: string, cookies: readonly Cookie[] = []): PageAnswer => ({
  kind: 'redirect',
  to,
  cookies,
});

/** Who may come in. */
export type Audience = 'anybody' | 'person' | 'owner';

/** One address of the pages. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly access: Audience;
  /** Whether its form may carry a file. */
  readonly takesFile?: boolean;
  /** Refuses a visit, before its form is read. */
  readonly admit?: (visit: PageRequest) => Promise<PageAnswer | undefined>;
  readonly run: (visit: PageRequest) => Promise<PageAnswer>;
}

const signed =
  (access: Audience) =>
  (method: PageRoute['method'], path: string, run: (visit: SignedInRequest) => Promise<PageAnswer>): PageRoute => ({
    method,
    path,
    access,
    // The mount lets nobody in who is not signed in.
    run: (visit) => run({ ...visit, person: visit.session?.person } as SignedInRequest),
  });

export const forPerson = signed('person');
export const forOwner = signed('owner');
export const forAnybody = (method: PageRoute['method'], path: string, run: PageRoute['run']): PageRoute => ({
  method,
  path,
  access: 'anybody',
  run,
});

const NAMES: Readonly<Record<Cookie['name'], string>> = { session: 'web3-bi-session', form: 'web3-bi-form' };
const SESSION_LIFE_SECONDS = 7 * 24 * 3_600;

/** How the cookies of a service are called: with https, no other host of the domain can set one of this name. */
const nameOf = (name: Cookie['name'], isSecure: boolean): string => (isSecure ? `__Host-${NAMES[name]}` : NAMES[name]);

export function readCookie(request: Request, name: Cookie['name'], isSecure: boolean): string | undefined {
  const wanted = nameOf(name, isSecure);
  for (const pair of (request.get('cookie') ?? '').split(';')) {
    const split = pair.indexOf('=');
    if (split > 0 && pair.slice(0, split).trim() === wanted) return pair.slice(split + 1).trim();
  }
  return undefined;
}

/** Nothing that runs in a page can read them, and no form of another site sends them. */
export function setCookie(response: Response, { name, value }: Cookie, isSecure: boolean): void {
  const sameSite = name === 'session' ? 'lax' : 'strict';
  const maxAge = name === 'session' ? { maxAge: SESSION_LIFE_SECONDS * 1_000 } : {};
  const options = { path: '/', httpOnly: true, secure: isSecure, sameSite } as const;
  if (value === null) response.clearCookie(nameOf(name, isSecure), options);
  else response.cookie(nameOf(name, isSecure), value, { ...options, ...maxAge, encode: String });
}
