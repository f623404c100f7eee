import type { VNode } from 'preact';
import * as z from 'zod';
import { PASSWORD_LENGTH_MIN, passwordText } from '../../contract/people.ts';
import type { Person } from '../../store/port/people.ts';
import { Badge, Card, FactList, Notice, PageHead, PostForm, Time } from '../components.tsx';
import { TextField } from '../fields.tsx';
import { type Faults, readForm } from '../form.ts';
import { noteRefusal } from '../page-limits.ts';
import {
  forPerson,
  type PageAnswer,
  type PageRoute,
  pageReply,
  redirect,
  type SignedInRequest,
} from '../page-route.ts';

const TRIES_MAX = 10;
const WINDOW_MS = 15 * 60_000;
const change = z.object({ current: z.string(), password: passwordText });

export const profileRoutes: readonly PageRoute[] = [
  forPerson('get', '/account/profile', async (pageRequest) => show(pageRequest)),
  forPerson('post', '/account/profile', changePassword),
];

async function changePassword(pageRequest: SignedInRequest): Promise<PageAnswer> {
  const { deps, form, author, person, session } = pageRequest;
  const { store, passwords } = deps;
  const read = readForm(change, form);
  if (read.faults !== undefined) return show(pageRequest, read.faults);
  const subject = `password of ${person.id}`;
  if ((await store.attempts.take([{ subject, max: TRIES_MAX, windowMs: WINDOW_MS }])) !== undefined)
    return show(pageRequest, { current: 'too many tries; wait 15 minutes' });
  const known = await store.people.find(person.email);
  if (!(await passwords.verify(read.values.current, known?.password_hash))) {
    await noteRefusal(pageRequest, 'person.password_refused', person.id);
    return show(pageRequest, { current: 'this is not your password' });
  }
  const hash = await passwords.hash(read.values.password);
  await store.people.setPassword(person.id, { hash, keptSession: session.id, author });
  return redirect('/account/profile?done=password');
}

function show({ person, query }: SignedInRequest, faults?: Faults): PageAnswer {
  const body = <Profile person={person} faults={faults} isDone={query['done'] === 'password'} />;
  return pageReply('Your profile', body, { status: faults === undefined ? 200 : 400 });
}

function Profile({ person, faults, isDone }: { person: Person; faults: Faults | undefined; isDone: boolean }): VNode {
  return (
    <>
      <PageHead title="Your profile" lead="Sign-in and access level." />
      {isDone ? <Notice tone="good">Your password is changed. Other sessions of yours are signed out.</Notice> : null}
      <Card title="You">
        <FactList
          isBeside
          facts={[
            ['Email', person.email],
            ['Account', person.account],
            ['Role', <Badge tone={person.role === 'owner' ? 'info' : 'plain'}>{person.role}</Badge>],
            ['Level', <Badge>{person.level}</Badge>],
            ['Last sign-in', <Time at={person.last_sign_in_at} />],
          ]}
        />
      </Card>
      <Card title="Change password">
        <PostForm to="/account/profile" class="stack">
          <input type="hidden" name="email" autocomplete="username" value={person.email} />
          <TextField
            label="Current password"
            name="current"
            type="password"
            autocomplete="current-password"
            faults={faults}
            required
          />
          <TextField
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            faults={faults}
            required
            minlength={PASSWORD_LENGTH_MIN}
            hint={`At least ${PASSWORD_LENGTH_MIN} characters. Your other sessions are signed out.`}
          />
          <button type="submit" class="button primary">
            Change password
          </button>
        </PostForm>
      </Card>
    </>
  );
}
