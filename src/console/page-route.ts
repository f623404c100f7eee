import type { VNode } from 'preact';
import type { ServiceDeps } from '../service/deps.ts';
import type { Imports } from '../service/imports/imports.ts';
import type { Passwords } from '../service/passwords/passwords.ts';
import { csvText } from '../store/csv.ts';
import type { Author } from '../store/port/audit.ts';
import type { Member, Session } from '../store/port/members.ts';
import type { SiteContext } from './assets.ts';
import type { Cookie } from './cookies.ts';
import { type Faults, type Form, faultsOf } from './form.ts';
import type { PageQuery } from './query.ts';

export interface PageDeps extends ServiceDeps, SiteContext {
  readonly passwords: Passwords;
  readonly imports: Imports;
}

export interface PageRequest {
  readonly deps: PageDeps;
  readonly params: Readonly<Record<string, string>>;
  readonly query: PageQuery;
  readonly form: Form;
  /** The raw query including `?`. */
  readonly search: string;
  readonly formToken: string;
  readonly session: Session | undefined;
  /** The member of the session as author of changes. */
  readonly author: Author;
  readonly agent: string;
  readonly now: Date;
}

export type SignedInRequest = PageRequest & { readonly session: Session; readonly member: Member };

interface PageReply {
  readonly kind: 'page';
  readonly title: string;
  readonly body: VNode;
  readonly status?: number;
  /** Hides the menu on pages with a single decision. */
  readonly isAlone?: boolean;
  /** Additional form-action sources, such as `https:`. */
  readonly formTargets?: readonly string[];
  readonly scripts?: readonly string[];
  readonly cookies?: readonly Cookie[];
  /** Large HTML (UTF-8) inserted at a placeholder without rendering, made while it is sent. */
  readonly filling?: { readonly place: string; readonly html: Iterable<Buffer> };
}

interface RedirectReply {
  readonly kind: 'redirect';
  /** Path below the base. */
  readonly to: string;
  readonly cookies?: readonly Cookie[];
}

interface LeaveReply {
  readonly kind: 'leave';
  readonly to: string;
}

interface FileReply {
  readonly kind: 'file';
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Whether browsers display it instead of downloading. */
  readonly isShown?: boolean;
}

export const fileReply = (file: Omit<FileReply, 'kind'>): PageAnswer => ({ kind: 'file', ...file });

export const csvReply = (name: string, rows: Parameters<typeof csvText>[0]): PageAnswer =>
  fileReply({ name, type: 'text/csv', text: csvText(rows) });

/** A redirect to another site. */
export const leave = (to: string): PageAnswer => ({ kind: 'leave', to });

export type PageAnswer = PageReply | RedirectReply | LeaveReply | FileReply;

export const pageReply = (title: string, body: VNode, more: Partial<PageReply> = {}): PageAnswer => ({
  kind: 'page',
  title,
  body,
  ...more,
});

/** A page with a form, which has faults if it was sent. */
export const formReply = (title: string, body: VNode, faults: Faults | undefined): PageAnswer =>
  pageReply(title, body, { status: faults === undefined ? 200 : 400 });

export const redirect = (to: string, cookies: readonly Cookie[] = []): PageAnswer => ({
  kind: 'redirect',
  to,
  cookies,
});

/** Handles a form; one that is refused is shown again, with its faults. */
export const shownAgain =
  <Request extends PageRequest>(
    run: (pageRequest: Request) => Promise<PageAnswer>,
    show: (pageRequest: Request, faults: Faults) => PageAnswer | Promise<PageAnswer>,
  ) =>
  (pageRequest: Request): Promise<PageAnswer> =>
    run(pageRequest).catch((error) => show(pageRequest, faultsOf(error)));

export type Audience = 'anybody' | 'member' | 'owner';

export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly access: Audience;
  /** Whether its form may contain a file. */
  readonly takesFile?: boolean;
  /** Refuses a request before its form is parsed. */
  readonly checkAccess?: (pageRequest: PageRequest) => Promise<PageAnswer | undefined>;
  readonly run: (pageRequest: PageRequest) => Promise<PageAnswer>;
}

export type PageHandler = (pageRequest: SignedInRequest) => Promise<PageAnswer>;

const signed =
  (access: Audience) =>
  (method: PageRoute['method'], path: string, run: PageHandler): PageRoute => ({
    method,
    path,
    access,
    // The route requires sign-in.
    run: (pageRequest) => run({ ...pageRequest, member: pageRequest.session?.member } as SignedInRequest),
  });

export const forMember = signed('member');
export const forOwner = signed('owner');
export const forAnybody = (method: PageRoute['method'], path: string, run: PageRoute['run']): PageRoute => ({
  method,
  path,
  access: 'anybody',
  run,
});
