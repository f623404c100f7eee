import { createHash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import { emailText } from '../../contract/members.ts';
import type { AttemptLimit, KnownMember } from '../../store/port/members.ts';
import { Copyable, Link, Notice, Operator, PostForm, Submit } from '../components.tsx';
import { cookiesOfSession } from '../cookies.ts';
import { EmailField, TextField } from '../fields.tsx';
import { auditRefusal } from '../page-limits.ts';
import { forAnybody, forMember, type PageRequest, pageReply, redirect } from '../page-route.ts';
import { useCommand } from '../program.tsx';

const WINDOW_MS = 15 * 60_000;
/** Attempts per address and member, per address, and per member. */
const TRIES_PAIR = 8;
const TRIES_ADDRESS = 40;
const TRIES_PERSON = 100;

export const signInRoutes = [
  forAnybody('get', '/account/sign-in', async ({ deps, session, query }) => {
    if (session !== undefined) return redirect(nextOf(query));
    const isFirst = (await deps.store.members.count()) === 0;
    return show({ done: query['done'], next: query['next'], isFirst });
  }),
  forAnybody('post', '/account/sign-in', signIn),
  forMember('post', '/account/sign-out', async ({ deps, session, author, form }) => {
    await deps.store.sessions.endById(session.id);
    await deps.store.audit.note({ author, action: 'session.end', type: 'sessions', id: session.member.id });
    const { next } = form.values;
    const query = new URLSearchParams({ done: 'out', ...(next === undefined ? {} : { next }) });
    return redirect(`/account/sign-in?${query}`, [{ name: 'session', value: null }]);
  }),
];

/** Sign-in that continues to a page, with what is done before. */
export function signInPath(next: string, done?: 'ended'): string {
  const query = new URLSearchParams({ ...(done && { done }), ...(next !== '/account' && { next }) });
  return `/account/sign-in${query.size > 0 ? `?${query}` : ''}`;
}

/** The page to continue to: only one of the console, which prevents open redirects. */
const nextOf = ({ next = '' }: Readonly<Record<string, string>>): string =>
  /^\/account([/?]|$)/.test(next) ? next : '/account';

/** Responds equally and in equal time for an unknown address and a wrong password. */
async function signIn(pageRequest: PageRequest) {
  const { deps, form, author, agent } = pageRequest;
  const { store, passwords } = deps;
  const email = form.values['email'] ?? '';
  const password = form.values['password'] ?? '';
  const { next } = form.values;
  const parsed = emailText.safeParse(email);
  const member = parsed.success ? await store.members.find(parsed.data) : undefined;
  const limits = limitsOf(parsed.success ? parsed.data : email, author.address);
  const tooMany = await store.attempts.take(limits);
  if (tooMany !== undefined) {
    if (tooMany.isFirst) await note(pageRequest, member, 'session.limited');
    return show({ email, next, fault: 'Too many tries. Wait 15 minutes, then try again.' }, 429);
  }
  if (!(await passwords.verify(password, member?.password_hash)) || member === undefined) {
    await note(pageRequest, member, 'session.wrong');
    return show({ email, next, fault: 'The email address or the password is not right.' }, 401);
  }
  for (const { subject } of limits.slice(1)) await store.attempts.forget(subject);
  const { address } = author;
  if (pageRequest.session !== undefined) await store.sessions.endById(pageRequest.session.id);
  const { token } = await store.sessions.begin(member.id, { agent, address });
  const who = { ...author, account: member.account, person: member.email };
  await store.audit.note({ author: who, action: 'session.begin', type: 'sessions', id: member.id });
  return redirect(nextOf(form.values), cookiesOfSession(token));
}

/** The address is checked first and counts successes too, so that password lists cannot be tried indefinitely. */
function limitsOf(email: string, address: string | null): readonly AttemptLimit[] {
  const who = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');
  const where = ipKeyGenerator(address ?? '');
  return [
    { subject: `sign-in at ${where}`, max: TRIES_ADDRESS, windowMs: WINDOW_MS },
    { subject: `sign-in ${who} at ${where}`, max: TRIES_PAIR, windowMs: WINDOW_MS },
    { subject: `sign-in ${who}`, max: TRIES_PERSON, windowMs: WINDOW_MS },
  ];
}

/** An unknown email is not recorded, because it may be a password typed into the wrong field. */
async function note({ deps, author }: PageRequest, member: KnownMember | undefined, action: string): Promise<void> {
  const who = member === undefined ? author : { ...author, account: member.account, person: member.email };
  await auditRefusal({ deps, author: who }, action, member?.id);
}

interface SignInProps {
  readonly email?: string;
  readonly fault?: string;
  readonly done?: string | undefined;
  readonly next?: string | undefined;
  readonly isFirst?: boolean;
}

const show = (given: SignInProps, status = 200) => pageReply('Sign in', <SignIn {...given} />, { status });

function SignIn({ email = '', fault, done, next = '', isFirst = false }: SignInProps) {
  return (
    <div class="card narrow">
      <h1>Sign in</h1>
      <p class="lead">To your API keys, usage and data.</p>
      {done === 'out' ? <Notice tone="good">You are signed out.</Notice> : null}
      {done === 'ended' ? (
        <Notice tone="warn">Your session ended, so nothing was saved. Sign in to return to the form.</Notice>
      ) : null}
      {fault === undefined ? null : <Notice tone="bad">{fault}</Notice>}
      {isFirst ? <FirstAccount /> : <SignInForm email={email} next={next} />}
      {isFirst ? null : (
        <p class="hint">
          <strong>No account yet?</strong> Accounts are opened by invitation: ask <Operator /> for a link of{' '}
          <code>web3-bi account invite</code>, or an owner of an account to invite you. Such a link also sets a
          forgotten password. The <Link to="/">start page</Link> and the <Link to="/docs">docs</Link> need no account.
        </p>
      )}
    </div>
  );
}

function FirstAccount() {
  const command = useCommand('web3-bi');
  return (
    <>
      <Notice tone="info">This service has no account yet. Its operator opens it with a link.</Notice>
      <ol class="steps">
        <li>
          Look at the terminal or log of <code>web3-bi serve</code>: each start prints a new link for the first owner.
          It works once, within a day.
        </li>
        <li>
          Or print one without a restart, on the machine and with the settings of the service:
          <Copyable
            id="first-account"
            label="commands"
            text={`${command} account create NAME api_access\n${command} account invite NAME`}
          />
        </li>
      </ol>
      <p class="hint">
        The <Link to="/docs">documentation</Link> needs no account.
      </p>
    </>
  );
}

function SignInForm({ email, next }: { email: string; next: string }) {
  return (
    <PostForm to="/account/sign-in">
      {next === '' ? null : <input type="hidden" name="next" value={next} />}
      <EmailField value={email} maxlength={254} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxlength={256}
      />
      <Submit look="primary wide">Sign in</Submit>
    </PostForm>
  );
}
