import * as z from 'zod';
import { accountName, emailText, passwordText } from '../../contract/members.ts';
import { PLANS } from '../../contract/plans.ts';
import type { Invitation } from '../../store/port/members.ts';
import { ButtonLink, PostForm, PrimaryLink, Submit } from '../components.tsx';
import { cookiesOfSession } from '../cookies.ts';
import { Choices, EmailField, FormFaults, NewPasswordField, TextField } from '../fields.tsx';
import { type Faults, type Form, readForm, refusedForm } from '../form.ts';
import { ErrorBody } from '../layout.tsx';
import { auditRefusal } from '../page-limits.ts';
import { forAnybody, formReply, type PageRequest, pageReply, redirect, shownAgain } from '../page-route.ts';

const PATH = '/account/invitation/:token';

const joining = z.object({ email: emailText, password: passwordText });
const founding = joining.extend({ account: accountName, plan: z.enum(['api_access', 'enterprise']) });

export const invitationRoutes = [
  forAnybody('get', PATH, (pageRequest) => show(pageRequest)),
  forAnybody('post', PATH, shownAgain(accept, show)),
];

async function accept(pageRequest: PageRequest) {
  const { deps, form, author, agent, params } = pageRequest;
  const { store, passwords } = deps;
  const invitation = await findInvitation(pageRequest);
  if (invitation === undefined) return refused();
  const isFirst = invitation.account === null;
  const fixed = invitation.email === null ? {} : { email: invitation.email };
  const given: Form = { ...form, values: { ...form.values, ...fixed } };
  const { email, password, ...named }: z.output<typeof joining> & Partial<z.output<typeof founding>> = readForm(
    isFirst ? founding : joining,
    given,
  );
  if (password.toLowerCase().includes(email)) throw refusedForm({ password: 'something else than the address' });
  const newAccount = named.account && named.plan && { name: named.account, plan: named.plan };
  const hash = await passwords.hash(password);
  const joined = { email, hash, author, ...(newAccount && { newAccount }) };
  const member = await store.invitations.accept(params['token'] ?? '', joined);
  const { token } = await store.sessions.begin(member.id, { agent, address: author.address });
  return redirect('/account?done=welcome', cookiesOfSession(token));
}

/** The valid invitation of the URL. Its secret has 256 bits, so guessing is infeasible; reuse is recorded. */
async function findInvitation(pageRequest: PageRequest): Promise<Invitation | undefined> {
  const { deps, params, author } = pageRequest;
  const invitation = await deps.store.invitations.find(params['token'] ?? '');
  if (invitation?.status === 'open') return invitation;
  const account = invitation?.account ?? author.account;
  await auditRefusal({ deps, author: { ...author, account } }, 'invitation.refused', invitation?.id);
  return undefined;
}

const refused = () =>
  pageReply(
    'Invitation',
    <ErrorBody
      status={410}
      title="This invitation does not work any more"
      message="It was used already, withdrawn, or is too old. Each works once; if you have joined with it, sign in."
    >
      <p class="muted">
        For a new one, ask an owner of the account. Who runs the service makes one with{' '}
        <code>web3-bi account invite</code>.
      </p>
      <p class="actions">
        <PrimaryLink to="/account">Sign in</PrimaryLink>
        <ButtonLink to="/">To the start page</ButtonLink>
      </p>
    </ErrorBody>,
    { status: 410 },
  );

async function show(pageRequest: PageRequest, faults?: Faults) {
  const invitation = await findInvitation(pageRequest);
  if (invitation === undefined) return refused();
  const { form } = pageRequest;
  return formReply('Invitation', <Accept invitation={invitation} form={form} faults={faults} />, faults);
}

interface AcceptProps {
  readonly invitation: Invitation;
  readonly form: Form;
  readonly faults: Faults | undefined;
}

function Accept({ invitation, form: { values }, faults }: AcceptProps) {
  const { account, email, role } = invitation;
  return (
    <div class="card narrow">
      <h1>{account === null ? 'Set up this service' : `Join ${account}`}</h1>
      <p class="lead">
        {account === null
          ? 'You are the first here: name your account and choose how you sign in.'
          : `You are invited as ${role === 'owner' ? 'an owner' : 'a member'}. Choose how you sign in.`}
      </p>
      <FormFaults faults={faults} fields={['account', 'email', 'password']} />
      <PostForm to="">
        {account === null ? (
          <TextField
            label="Account name"
            name="account"
            value={values['account'] ?? ''}
            faults={faults}
            required
            maxlength={60}
            autocomplete="organization"
            hint="Your company or team."
          />
        ) : null}
        <EmailField value={email ?? values['email'] ?? ''} readonly={email !== null} faults={faults} />
        <NewPasswordField faults={faults} hint="A few words are easy to remember." />
        {account === null ? (
          <Choices
            legend="Plan"
            name="plan"
            chosen={values['plan'] ?? 'api_access'}
            options={[
              { value: 'api_access', label: PLANS.api_access.label, hint: '1,000 requests a day for each key.' },
              { value: 'enterprise', label: PLANS.enterprise.label, hint: 'No limits, or your own.' },
            ]}
          />
        ) : null}
        <Submit look="primary wide">{account === null ? 'Create account' : 'Join'}</Submit>
      </PostForm>
    </div>
  );
}
