import { ServiceError } from '../../contract/errors.ts';
import { allows, KEY_LEVELS, OVERLAPS, type Overlap, readKeyFields } from '../../contract/keys.ts';
import { DAY_MS } from '../../contract/periods.ts';
import { PLANS } from '../../contract/plans.ts';
import type { ListedKey, MadeKey } from '../../store/port/access.ts';
import { type Faults, refusedForm } from '../form.ts';
import { forMember, formReply, pageReply, redirect, type SignedInRequest, shownAgain } from '../page-route.ts';
import { KeyList, works } from './key-list.tsx';
import { EXPIRIES, KeyPage, MadeKeyPage, NewKeyPage } from './key-pages.tsx';

/** How long submitted forms are remembered. */
const SENT_MS = DAY_MS;

export const keyRoutes = [
  forMember('get', '/account/keys', async ({ deps, member, now, query }) => {
    const keys = await deps.store.keys.list(member.account);
    const hasApi = await accountHasApi({ deps, member });
    return pageReply('API keys', <KeyList keys={keys} now={now} hasApi={hasApi} done={query['done']} />);
  }),
  forMember('get', '/account/keys/new', async (pageRequest) => showNew(pageRequest)),
  forMember('post', '/account/keys', shownAgain(create, showNew)),
  forMember('get', '/account/keys/:id', async (pageRequest) => showKey(pageRequest)),
  forMember('post', '/account/keys/:id/rotate', shownAgain(rotate, showKey)),
  forMember('post', '/account/keys/:id/revoke', shownAgain(revoke, showKey)),
];

export async function accountHasApi({ deps, member }: Pick<SignedInRequest, 'deps' | 'member'>): Promise<boolean> {
  const account = await deps.store.accounts.find(member.account);
  return account !== undefined && PLANS[account.plan].hasApi;
}

async function create(pageRequest: SignedInRequest) {
  const { deps, form, author, member, now } = pageRequest;
  const { values } = form;
  if (await isSentAgain(pageRequest)) return redirect('/account/keys?done=again');
  const fields = readKeyFields({
    name: values['name'] ?? '',
    level: values['level'] ?? 'read',
    expires_at: expiryOf(values, now),
    allowed_cidrs: addressesIn(values).map(({ text }) => text),
  });
  if (!allows(member.level, fields.level)) throw refusedForm({ level: `you may give at most ${member.level}` });
  const made = await deps.store.keys.create({ ...fields, account: member.account, created_by: member.email, author });
  return showMade(pageRequest, made, undefined);
}

/** Detects resubmission by a reload, which must neither create another key nor show the secret again. */
async function isSentAgain({ deps, form, session }: SignedInRequest): Promise<boolean> {
  const once = form.values['once'] ?? '';
  const subject = `form ${session.id} ${once.slice(0, 64)}`;
  return (await deps.store.attempts.take([{ subject, max: 1, windowMs: SENT_MS }])) !== undefined;
}

function expiryOf(values: Readonly<Record<string, string>>, now: Date): string | null {
  const choice = EXPIRIES.find(({ value }) => value === values['expires']);
  if (choice === undefined || choice.days === null) return null;
  return new Date(now.getTime() + choice.days * DAY_MS).toISOString();
}

/** The allowed addresses of the form, each with the line it is in. */
const addressesIn = ({ addresses = '' }: Readonly<Record<string, string>>) =>
  addresses
    .split('\n')
    .flatMap((line, index) => line.split(/[\s,]+/).flatMap((text) => (text === '' ? [] : [{ line: index + 1, text }])));

/** Errors by the inputs of the form, in its words; the first of each. */
function formFields(faults: Faults, values: Readonly<Record<string, string>>): Faults {
  const worded: Record<string, string> = {};
  for (const [at, message] of Object.entries(faults)) {
    const [field = '', place] = at.split('.');
    const item = place === undefined ? undefined : addressesIn(values)[Number(place)];
    const subject = item === undefined ? 'Allowed addresses' : `Line ${item.line}, ${item.text},`;
    if (field === 'allowed_cidrs') worded['addresses'] ??= message.replace(at, subject);
    else worded[field] ??= message;
  }
  return worded;
}

function showMade({ deps }: SignedInRequest, made: MadeKey, rotated: ListedKey | undefined) {
  const body = <MadeKeyPage made={made} rotated={rotated} publicUrl={deps.publicUrl} />;
  return pageReply(rotated === undefined ? 'Key created' : 'Key rotated', body);
}

async function rotate(pageRequest: SignedInRequest) {
  const { deps, form, author, member } = pageRequest;
  const key = await findManaged(pageRequest);
  if (await isSentAgain(pageRequest)) return redirect('/account/keys?done=again');
  const overlap = OVERLAPS.find((name) => name === form.values['overlap']) ?? ('24h' satisfies Overlap);
  const made = await deps.store.keys.rotate(key.id, { overlap, created_by: member.email, author }, member.account);
  if (made === undefined) throw noKey();
  return showMade(pageRequest, made, key);
}

async function revoke(pageRequest: SignedInRequest) {
  const { deps, form, author, member } = pageRequest;
  const key = await findManaged(pageRequest);
  if (form.values['name']?.trim() !== key.name) throw refusedForm({ name: `type ${key.name} to revoke it` });
  if (!works(key)) return redirect('/account/keys');
  await deps.store.keys.revoke(key.id, member.account, author);
  return redirect('/account/keys?done=revoked');
}

/** The key of the URL. Throws not_found for a key of another account. */
async function findKey({ deps, params, member }: SignedInRequest): Promise<ListedKey> {
  const keys = await deps.store.keys.list(member.account);
  const key = keys.find(({ id }) => String(id) === params['id']);
  if (key === undefined) throw noKey();
  return key;
}

/** The key of the URL, if its level does not exceed the member's own. Throws forbidden otherwise. */
async function findManaged(pageRequest: SignedInRequest): Promise<ListedKey> {
  const key = await findKey(pageRequest);
  if (allows(pageRequest.member.level, key.level)) return key;
  throw new ServiceError('forbidden', `This key has the level ${key.level}, which is above yours; ask an owner.`);
}

const noKey = (): ServiceError => new ServiceError('not_found', 'Your account has no such key.');

function showNew({ form, member }: SignedInRequest, found?: Faults) {
  const levels = KEY_LEVELS.filter((level) => allows(member.level, level));
  const faults = found && formFields(found, form.values);
  const body = <NewKeyPage values={form.values} faults={faults} levels={levels} />;
  return formReply('Create key', body, faults);
}

/** The page of the key of the URL. */
async function showKey(pageRequest: SignedInRequest, faults?: Faults) {
  const { now, deps, member } = pageRequest;
  const key = await findKey(pageRequest);
  const requests = await deps.store.requests.list({ account: member.account, keyId: key.id, limit: 5 });
  const isManaged = allows(member.level, key.level);
  const body = <KeyPage listed={key} isManaged={isManaged} now={now} faults={faults} requests={requests} />;
  return formReply(key.name, body, faults);
}
