import * as z from 'zod';
import { passwordText } from '../../contract/members.ts';
import type { Member } from '../../store/port/members.ts';
import { Badge, Card, FactList, Notice, PageHead, PostForm, Submit, Time } from '../components.tsx';
import { NewPasswordField, TextField } from '../fields.tsx';
import { type Faults, readForm, refusedForm } from '../form.ts';
import { auditRefusal } from '../page-limits.ts';
import { forMember, formReply, redirect, type SignedInRequest, shownAgain } from '../page-route.ts';
import { LevelBadge } from './key-list.tsx';

const TRIES_MAX = 10;
const WINDOW_MS = 15 * 60_000;
const change = z.object({ current: z.string(), password: passwordText });

export const profileRoutes = [
  forMember('get', '/account/profile', async (pageRequest) => show(pageRequest)),
  forMember('post', '/account/profile', shownAgain(changePassword, show)),
];

async function changePassword(pageRequest: SignedInRequest) {
  const { deps, form, author, member, session } = pageRequest;
  const { store, passwords } = deps;
  const { current, password } = readForm(change, form);
  const subject = `password of ${member.id}`;
  if ((await store.attempts.take([{ subject, max: TRIES_MAX, windowMs: WINDOW_MS }])) !== undefined)
    throw refusedForm({ current: 'too many tries; wait 15 minutes' });
  const known = await store.members.find(member.email);
  if (!(await passwords.verify(current, known?.password_hash))) {
    await auditRefusal(pageRequest, 'person.password_refused', member.id);
    throw refusedForm({ current: 'this is not your password' });
  }
  const hash = await passwords.hash(password);
  await store.members.setPassword(member.id, { hash, keptSession: session.id, author });
  return redirect('/account/profile?done=password');
}

function show({ member, query }: SignedInRequest, faults?: Faults) {
  const body = <Profile member={member} faults={faults} isDone={query['done'] === 'password'} />;
  return formReply('Your profile', body, faults);
}

function Profile({ member, faults, isDone }: { member: Member; faults: Faults | undefined; isDone: boolean }) {
  return (
    <>
      <PageHead title="Your profile" lead="Sign-in and access level." />
      {isDone ? <Notice tone="good">Your password is changed. Other sessions of yours are signed out.</Notice> : null}
      <Card title="You">
        <FactList
          isBeside
          facts={[
            ['Email', member.email],
            ['Account', member.account],
            ['Role', <Badge tone={member.role === 'owner' ? 'info' : 'plain'}>{member.role}</Badge>],
            ['Level', <LevelBadge level={member.level} />],
            ['Last sign-in', <Time at={member.last_sign_in_at} />],
          ]}
        />
      </Card>
      <Card title="Change password">
        <PostForm to="/account/profile" class="stack">
          <input type="hidden" name="email" autocomplete="username" value={member.email} />
          <TextField
            label="Current password"
            name="current"
            type="password"
            autocomplete="current-password"
            faults={faults}
            required
          />
          <NewPasswordField label="New password" faults={faults} hint="Your other sessions are signed out." />
          <Submit>Change password</Submit>
        </PostForm>
      </Card>
    </>
  );
}
