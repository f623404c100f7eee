import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Express, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../contract/errors.ts';
import { groupBy } from '../contract/group-by.ts';
import { PAGES_MAX } from '../contract/plans.ts';
import { refuseMethod } from '../service/middleware/error-handler.ts';
import { anonymousAuthor } from '../service/middleware/request-id.ts';
import { pageHeaders } from '../service/middleware/security-headers.ts';
import type { Member, Session } from '../store/port/members.ts';
import { newToken } from '../store/tokens.ts';
import { signInPath } from './account/sign-in.tsx';
import { siteContextOf } from './assets.ts';
import { ButtonLink, PrimaryLink } from './components.tsx';
import { type Cookie, readCookie, setCookie } from './cookies.ts';
import { type Form, hasToken, isSentFromHere, NO_FORM, receiveForm } from './form.ts';
import { ErrorBody, renderPage } from './layout.tsx';
import { answerPageErrors, nameInPath } from './page-errors.ts';
import { auditRefusal, createPageLimit } from './page-limits.ts';
import type { PageAnswer, PageDeps, PageRequest, PageRoute } from './page-route.ts';
import { queryOf, withoutEmpty } from './query.ts';

const isSecure = ({ publicUrl }: PageDeps): boolean => publicUrl.startsWith('https:');

/** Mounts the console: sessions are cookies, and state changes require forms with a CSRF token. */
export function mountPages(app: Express, deps: PageDeps, routes: readonly PageRoute[]): void {
  const headers = pageHeaders(deps.publicUrl);
  const limit = createPageLimit(
    PAGES_MAX,
    'in one session. Programs use the API, where the plan of a key sets the limit.',
  );
  app.get(/^\/account(\/|$)/, withoutEmpty(deps));
  const pages = new Set(routes.flatMap(({ method, path }) => (method === 'get' ? path : [])));
  for (const route of routes) app[route.method](route.path, headers, serve(deps, { route, pages }, limit));
  for (const [path, known] of groupBy(routes, (route) => route.path)) {
    const allowed = known.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']));
    app.route(path).all(headers, refuseMethod([...allowed, 'OPTIONS']));
  }
  app.use('/account', headers, async (request, response) => {
    await openSession(deps, request, response);
    throw new ServiceError('not_found', 'There is no such page.');
  });
  app.use('/account', answerPageErrors(deps, drawError(deps)));
}

/** A route, with the paths of all that show a page. */
interface ServedRoute {
  readonly route: PageRoute;
  readonly pages: ReadonlySet<string>;
}

function serve(deps: PageDeps, { route, pages }: ServedRoute, limit: (key: string) => Promise<void>): RequestHandler {
  const form = pageOfForm(route.path, pages);
  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const session = await openSession(deps, request, response);
    if (session === undefined && route.access !== 'anybody') {
      if (route.method === 'get') return void response.redirect(303, deps.base + signInPath(request.url));
      await auditRefusal({ deps, author: anonymousAuthor(request, response) }, 'form.forged');
      const next = form.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(request.params[name])));
      return void response.redirect(303, deps.base + signInPath(next, 'ended'));
    }
    const pageRequest = pageRequestOf(deps, request, response, session);
    if (session !== undefined) await limit(String(session.id));
    if (route.access === 'owner' && session?.member.role !== 'owner') {
      await auditRefusal(pageRequest, 'page.refused');
      throw new ServiceError('forbidden', 'Only an owner of the account may do this; ask one of them.');
    }
    const refusal = await route.checkAccess?.(pageRequest);
    const reply =
      refusal ?? (await route.run({ ...pageRequest, form: await formOf(pageRequest, route, { request, response }) }));
    send(deps, { request, response, pageRequest, reply });
  };
}

/** The path of the page with the form that is sent to a path: of a new one, the same, or the nearest above it. */
const pageOfForm = (path: string, pages: ReadonlySet<string>): string =>
  [`${path}/new`, path].find((each) => pages.has(each)) ??
  pageOfForm(path.slice(0, path.lastIndexOf('/')) || '/account', pages);

/** What the frame of a page shows of who is signed in. */
interface SignedInFrame {
  readonly member: Member;
  readonly seesPayments: boolean;
  readonly formToken: string;
  readonly menu: 'account';
}

/** Reads the session and keeps its frame for the page, which may be that of an error. */
async function openSession(deps: PageDeps, request: Request, response: Response): Promise<Session | undefined> {
  const session = await readSession(deps, request, response);
  if (session === undefined) return undefined;
  const { member, formToken } = session;
  const seesPayments = deps.isSelling && (await deps.store.members.isOperator(member.account));
  response.locals['frame'] = { member, seesPayments, formToken, menu: 'account' } satisfies SignedInFrame;
  return session;
}

const frameOf = ({ locals }: Response): SignedInFrame | undefined => locals['frame'] as SignedInFrame | undefined;

/** Reads the session. An expired secret or one from another browser is recorded. */
async function readSession(deps: PageDeps, request: Request, response: Response): Promise<Session | undefined> {
  const token = readCookie(request, 'session', isSecure(deps));
  if (token === undefined) return undefined;
  const client = { agent: request.get('user-agent') ?? '', address: request.ip ?? null };
  const used = await deps.store.sessions.use(token, client);
  if (used.state === 'open') {
    if (used.token !== undefined) setCookie(response, { name: 'session', value: used.token }, isSecure(deps));
    return used.session;
  }
  setCookie(response, { name: 'session', value: null }, isSecure(deps));
  if (used.state === 'stolen' || used.state === 'ended') {
    const { account, email, id } = used.member;
    const author = { ...anonymousAuthor(request, response), account, person: email };
    await auditRefusal({ deps, author }, used.state === 'stolen' ? 'session.stolen' : 'session.refused', id);
  }
  return undefined;
}

function pageRequestOf(
  deps: PageDeps,
  request: Request,
  response: Response,
  session: Session | undefined,
): PageRequest {
  const knownToken = formTokenOf(deps, request, session);
  const formToken = knownToken ?? newToken();
  if (knownToken === undefined) setCookie(response, { name: 'form', value: formToken }, isSecure(deps));
  const author = anonymousAuthor(request, response);
  const member = session?.member;
  return {
    deps,
    session,
    formToken,
    form: NO_FORM,
    search: request.url.replace(/^[^?]*/, ''),
    params: request.params as Record<string, string>,
    query: queryOf(request.url),
    author: member === undefined ? author : { ...author, account: member.account, person: member.email },
    agent: request.get('user-agent') ?? '',
    now: deps.clock(),
  };
}

/** The CSRF token; before sign-in, that of a cookie (double submit). */
const formTokenOf = (deps: PageDeps, request: Request, session: Session | undefined): string | undefined =>
  session?.formToken ?? readCookie(request, 'form', isSecure(deps));

/** Parses a form of our pages. Headers are checked before the body is read. */
async function formOf(
  pageRequest: PageRequest,
  { method, access, takesFile = false }: PageRoute,
  { request, response }: { request: Request; response: Response },
): Promise<Form> {
  if (method === 'get') return NO_FORM;
  const { deps, session } = pageRequest;
  const token = formTokenOf(deps, request, session);
  if (token === undefined || !isSentFromHere(request)) throw await forged(pageRequest);
  const kind = takesFile ? 'upload' : access === 'anybody' ? 'open' : 'signed';
  const form = await receiveForm(kind, request, response);
  if (!hasToken(form, token)) throw await forged(pageRequest);
  const { form_token: _, ...values } = form.values;
  return { ...form, values };
}

async function forged(pageRequest: PageRequest): Promise<ServiceError> {
  await auditRefusal(pageRequest, 'form.forged', pageRequest.session?.member.id);
  const message = 'The form did not come from a page of this service, or it is too old. Open the page again.';
  return new ServiceError('forbidden', message);
}

interface PageResponse {
  readonly request: Request;
  readonly response: Response;
  readonly pageRequest: PageRequest;
  readonly reply: PageAnswer;
}

function send(deps: PageDeps, { request, response, pageRequest, reply }: PageResponse): void {
  const cookies: readonly Cookie[] = 'cookies' in reply ? (reply.cookies ?? []) : [];
  for (const cookie of cookies) setCookie(response, cookie, isSecure(deps));
  if (reply.kind === 'redirect') return void response.redirect(303, deps.base + reply.to);
  if (reply.kind === 'leave') return void response.redirect(303, reply.to);
  if (reply.kind === 'file') {
    if (!reply.isShown) response.attachment(reply.name);
    response.type(reply.type);
    return void response.send(reply.text);
  }
  const frame = frameOf(response);
  if (reply.formTargets !== undefined) allowFormTargets(response, reply.formTargets);
  const html = renderPage({
    ...reply,
    ...siteContextOf(deps),
    formToken: pageRequest.formToken,
    path: request.path,
    ...frame,
    menu: reply.isAlone === true ? 'none' : (frame?.menu ?? 'none'),
  });
  response.status(reply.status ?? 200).type('html');
  const { filling } = reply;
  if (filling === undefined) return void response.send(html);
  const [head = '', tail = ''] = html.split(filling.place);
  Readable.from(joined(head, filling.html, tail), { objectMode: false }).pipe(response);
}

/** A client that reads fast would otherwise get all parts in one turn of the event loop. */
async function* joined(head: string, parts: Iterable<Buffer>, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  for (const part of parts) {
    yield part;
    await turn();
  }
  yield Buffer.from(tail);
}

/** Browsers apply form-action to redirects after a form, too. */
function allowFormTargets(response: Response, targets: readonly string[]): void {
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.set('Content-Security-Policy', policy.replace(/form-action/, `$& ${targets.join(' ')}`));
}

function drawError(deps: PageDeps): Parameters<typeof answerPageErrors>[1] {
  return (error, response) => {
    const { status, requestId, path } = error;
    const words = status === 404 ? nameInPath(path) : '';
    const body = (
      <ErrorBody {...error}>
        <p class="muted">
          Request <code>{requestId}</code>
        </p>
        <p class="actions">
          {words === '' ? null : (
            <PrimaryLink to={`/account/data?${new URLSearchParams({ query: words })}`}>
              Search for “{words}”
            </PrimaryLink>
          )}
          <ButtonLink to="/account/data">Browse records</ButtonLink>
          <ButtonLink to="/account">To your account</ButtonLink>
        </p>
      </ErrorBody>
    );
    const frame = frameOf(response) ?? { formToken: '', menu: 'none' };
    return renderPage({ ...siteContextOf(deps), title: String(status), body, path, ...frame });
  };
}
