import { capitalize } from '../../contract/capitalize.ts';
import { ServiceError } from '../../contract/errors.ts';
import { parseNumber } from '../../contract/fields.ts';
import { KEY_LEVELS } from '../../contract/keys.ts';
import { emailText, ROLES, standing } from '../../contract/members.ts';
import type { Member } from '../../store/port/members.ts';
import {
  Badge,
  Card,
  Copyable,
  Link,
  Notice,
  namedRow,
  PageHead,
  PostForm,
  Submit,
  Table,
  Time,
} from '../components.tsx';
import { ConfirmField, EmailField, FormFaults, Select } from '../fields.tsx';
import { type Faults, readForm, refusedForm } from '../form.ts';
import { forMember, formReply, forOwner, redirect, type SignedInRequest, shownAgain } from '../page-route.ts';
import { LevelBadge } from './key-list.tsx';

const LIFE_MS = 7 * 24 * 3_600_000;
const inviting = standing.extend({ email: emailText });

export const memberRoutes = [
  forMember('get', '/account/members', (pageRequest) => show(pageRequest)),
  forOwner(
    'post',
    '/account/members/invite',
    shownAgain(invite, (pageRequest, faults) => show(pageRequest, { faults })),
  ),
  forOwner('get', '/account/members/:id', async (pageRequest) => showMember(pageRequest)),
  forOwner('post', '/account/members/:id', shownAgain(change, showMember)),
  forOwner('post', '/account/members/:id/remove', shownAgain(remove, showMember)),
  forOwner('post', '/account/invitations/:id/withdraw', async ({ deps, params, member, author }) => {
    const { account } = member;
    const withdrawn = await deps.store.invitations.withdraw(idOf(params), { account, author });
    if (withdrawn === undefined) throw noMember();
    return redirect('/account/members?done=withdrawn');
  }),
];

const idOf = (params: Readonly<Record<string, string>>): number => parseNumber(params['id']) ?? 0;

const noMember = (): ServiceError => new ServiceError('not_found', 'Your account has no such member or invitation.');

async function invite(pageRequest: SignedInRequest) {
  const { deps, form, member, author } = pageRequest;
  const { account } = member;
  const invited = readForm(inviting, form);
  const { email } = invited;
  const members = await deps.store.members.list(account);
  if (members.some((one) => one.email === email)) throw refusedForm({ email: 'is a member already' });
  const made = await deps.store.invitations.create({ ...invited, account, lifeMs: LIFE_MS, author });
  const url = `${deps.publicUrl}/account/invitation/${made.token}`;
  return show(pageRequest, { made: { email, url } });
}

async function change({ deps, form, params, member, author }: SignedInRequest) {
  const { account } = member;
  const given = { account, standing: readForm(standing, form), author };
  if ((await deps.store.members.change(idOf(params), given)) === undefined) throw noMember();
  return redirect('/account/members?done=changed');
}

async function remove(pageRequest: SignedInRequest) {
  const { deps, form, params, member, author } = pageRequest;
  const { email } = await findMember(pageRequest);
  if (form.values['email']?.trim() !== email) throw refusedForm({ email: `type ${email} to remove them` });
  await deps.store.members.remove(idOf(params), { account: member.account, author });
  return redirect('/account/members?done=removed');
}

async function findMember({ deps, params, member }: SignedInRequest): Promise<Member> {
  const members = await deps.store.members.list(member.account);
  const found = members.find(({ id }) => id === idOf(params));
  if (found === undefined) throw noMember();
  return found;
}

interface MembersState {
  readonly faults?: Faults;
  readonly made?: { readonly email: string; readonly url: string };
}

const show = async (pageRequest: SignedInRequest, state: MembersState = {}) =>
  formReply('Members', <Members {...state} {...(await readMembers(pageRequest, state))} />, state.faults);

async function readMembers({ deps, member, form, query }: SignedInRequest, { made }: MembersState) {
  const { store } = deps;
  const [members, invitations] = await Promise.all([
    store.members.list(member.account),
    store.invitations.list(member.account),
  ]);
  return { members, invitations, me: member, values: made === undefined ? form.values : {}, done: query['done'] };
}

type MembersProps = MembersState & Awaited<ReturnType<typeof readMembers>>;

const DONE: Readonly<Record<string, string>> = {
  changed: 'The member is changed.',
  removed: 'The member is removed and signed out. Keys they made remain valid.',
  withdrawn: 'The invitation is withdrawn.',
};

function Members(props: MembersProps) {
  const { members, invitations, me, made, done } = props;
  const isOwner = me.role === 'owner';
  return (
    <>
      <PageHead title="Members" lead="Who can sign in for this account." />
      {DONE[done ?? ''] ? <Notice tone="good">{DONE[done ?? '']}</Notice> : null}
      {made === undefined ? null : (
        <Card title={`Invitation for ${made.email}`}>
          <Notice tone="warn">Send this link yourself. It is shown once, works once, and ends in 7 days.</Notice>
          <Copyable id="invitation" label="invitation link" text={made.url} />
        </Card>
      )}
      <Table label="Members" head={['Email', ROLE, 'Level', 'Last sign-in', 'Since', ...(isOwner ? [''] : [])]}>
        {members.map((member) =>
          namedRow(
            member.id,
            <>
              {member.email} {member.id === me.id ? <span class="muted">(you)</span> : null}
            </>,
            <Badge tone={member.role === 'owner' ? 'info' : 'plain'}>{member.role}</Badge>,
            <LevelBadge level={member.level} />,
            <Time at={member.last_sign_in_at} />,
            <Time at={member.created_at} />,
            ...(isOwner ? [changeLink(member)] : []),
          ),
        )}
      </Table>
      {isOwner ? (
        <Invitations invitations={invitations} />
      ) : (
        <p class="hint">An owner can invite and change members.</p>
      )}
      {isOwner ? <InviteForm {...props} /> : null}
    </>
  );
}

/** Not as the heading of roles of people, which cards leave out. */
const ROLE = 'Account role';

const changeLink = ({ id, email }: Member) => (
  <Link to={`/account/members/${id}`}>
    Change<span class="sr"> {email}</span>
  </Link>
);

function Invitations({ invitations }: Pick<MembersProps, 'invitations'>) {
  if (invitations.length === 0) return null;
  return (
    <Card title="Open invitations">
      <Table label="Open invitations" head={['Email', ROLE, 'Ends', '']}>
        {invitations.map(({ id, email, role, expires_at }) =>
          namedRow(
            id,
            email ?? 'Anyone with the link',
            role,
            <Time at={expires_at} />,
            <PostForm to={`/account/invitations/${id}/withdraw`}>
              <Submit look="small">
                Withdraw<span class="sr"> the invitation of {email}</span>
              </Submit>
            </PostForm>,
          ),
        )}
      </Table>
    </Card>
  );
}

const roleOptions = ROLES.map((role) => ({
  value: role,
  label: role === 'owner' ? 'Owner: also invites and changes members' : 'Member',
}));
const levelOptions = KEY_LEVELS.map((level) => ({
  value: level,
  label: capitalize(level),
}));

function InviteForm({ values, faults }: Pick<MembersProps, 'values' | 'faults'>) {
  return (
    <Card title="Invite someone">
      <FormFaults faults={faults} fields={['email', 'role', 'level']} />
      <PostForm to="/account/members/invite" class="stack">
        <EmailField value={values['email'] ?? ''} faults={faults} autocomplete="off" />
        <Select label="Role" name="role" chosen={values['role'] ?? 'member'} options={roleOptions} />
        <Select
          label="Level"
          name="level"
          chosen={values['level'] ?? 'read'}
          options={levelOptions}
          hint="Their level for records, and the maximum level of their keys. Owners have every level."
        />
        <Submit>Create invitation</Submit>
      </PostForm>
    </Card>
  );
}

async function showMember(pageRequest: SignedInRequest, faults?: Faults) {
  const member = await findMember(pageRequest);
  return formReply(member.email, <MemberForm member={member} faults={faults} />, faults);
}

function MemberForm({ member, faults }: { member: Member; faults: Faults | undefined }) {
  const { id, email, role, level } = member;
  return (
    <>
      <PageHead title={email} />
      <FormFaults faults={faults} fields={['email']} />
      <Card title="Role and level">
        <PostForm to={`/account/members/${id}`} class="stack">
          <Select label="Role" name="role" chosen={role} options={roleOptions} />
          <Select label="Level" name="level" chosen={level} options={levelOptions} />
          <Submit>Save</Submit>
        </PostForm>
      </Card>
      <Card title="Remove">
        <p>They are signed out and cannot sign in again. Keys they made remain valid.</p>
        <PostForm to={`/account/members/${id}/remove`} class="row">
          <ConfirmField name="email" text={email} faults={faults} />
          <Submit look="danger">Remove</Submit>
        </PostForm>
      </Card>
    </>
  );
}
