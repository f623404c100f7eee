import type { VNode } from 'preact';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { AuditEntry } from '../../store/port/audit.ts';
import { Badge, Card, Empty, Link, PageHead, row, Table, Time, type Tone } from '../components.tsx';
import { beforeOf, Older, SelectForm } from '../lists.tsx';
import { forMember, type PageAnswer, type PageRoute, pageReply, type SignedInRequest } from '../page-route.ts';

const PAGE_SIZE = 50;
const TYPES = ['keys', 'members', 'invitations', 'sessions', ...RECORD_TYPES];

export const auditRoutes: readonly PageRoute[] = [forMember('get', '/account/audit', showAudit)];

async function showAudit({ deps, member, query }: SignedInRequest): Promise<PageAnswer> {
  const type = TYPES.find((one) => one === query['type']);
  const before = beforeOf(query);
  const entries = await deps.store.audit.list({ account: member.account, type, before, limit: PAGE_SIZE + 1 });
  const body = <Audit entries={entries.slice(0, PAGE_SIZE)} hasMore={entries.length > PAGE_SIZE} type={type} />;
  return pageReply('Audit log', body);
}

function Audit({
  entries,
  hasMore,
  type,
}: {
  entries: readonly AuditEntry[];
  hasMore: boolean;
  type: string | undefined;
}): VNode {
  const next = new URLSearchParams({ type: type ?? '', before: String(entries.at(-1)?.id ?? '') });
  return (
    <>
      <PageHead title="Audit log" lead="Actions in the name of your account. Entries cannot be changed or removed." />
      <SelectForm label="About" name="type" all="Everything" options={TYPES.map((one) => [one, one])} chosen={type} />
      {entries.length === 0 ? (
        <Card>
          <Empty title="No entry" />
        </Card>
      ) : (
        <Table label="Audit log" head={['Time', 'What', 'About', 'Who', 'Address', 'Request id']}>
          {entries.map(entryRow)}
        </Table>
      )}
      <Older what="entries" to={`/account/audit?${next}`} hasMore={hasMore} />
    </>
  );
}

const REFUSED = /refused|forged|stolen|wrong|limited/;
const toneOf = (action: string): Tone =>
  REFUSED.test(action) ? 'bad' : /revoke|delete|remove/.test(action) ? 'warn' : 'plain';

/** Texts of actions whose name does not explain them. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'account.set-plan': 'Plan set',
  'duplicates.merge': 'Records merged',
  'duplicates.reject': 'Records kept apart',
  'duplicates.scan': 'Records compared',
  'duplicates.undo': 'Merge undone',
  'form.forged': 'Forged form refused',
  'import.undo': 'Import undone',
  'oauth.consent': 'Access granted',
  'oauth.replay': 'Used token refused',
  'oauth.revoke': 'Access revoked',
  'person.join': 'Person joined',
  'person.password': 'Password changed',
  'person.password_refused': 'Wrong password refused',
  'session.begin': 'Signed in',
  'session.end': 'Signed out',
  'session.limited': 'Too many sign-ins',
  'session.wrong': 'Wrong password',
};
const PAST: Readonly<Record<string, string>> = {
  create: 'created',
  add: 'added',
  drop: 'dropped',
  change: 'changed',
  remove: 'removed',
  revoke: 'revoked',
  rotate: 'rotated',
  withdraw: 'withdrawn',
};

function actionText(action: string): string {
  const known = ACTION_TEXTS[action];
  if (known !== undefined) return known;
  const [subject = '', verb] = action.split('.');
  if (verb === undefined) return action;
  const text = `${subject} ${PAST[verb] ?? verb.replace(/[_-]/g, ' ')}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function entryRow(entry: AuditEntry): VNode {
  const { id, at, action, target_type, target_id, person, key_id, address, request_id } = entry;
  return row(
    id,
    <Time at={at} />,
    <Badge tone={toneOf(action)}>{actionText(action)}</Badge>,
    <>
      <Target type={target_type} id={target_id} />
      <small class="muted"> {summaryOf(entry)}</small>
    </>,
    person ?? (key_id === null ? '' : <Link to={`/account/keys/${key_id}`}>key {key_id}</Link>),
    <td class="nowrap">{address}</td>,
    request_id && (
      <code class="long-id" title={request_id}>
        {request_id}
      </code>
    ),
  );
}

function Target({ type, id }: { type: string; id: number | null }): VNode {
  if (id === null) return <>{type}</>;
  if (type === 'keys') return <Link to={`/account/keys/${id}`}>key {id}</Link>;
  if ((RECORD_TYPES as readonly string[]).includes(type)) {
    return (
      <Link to={`/account/data/${type}/${id}`}>
        {type} {id}
      </Link>
    );
  }
  return (
    <>
      {type} {id}
    </>
  );
}

/** Display name of the object of an entry. */
function summaryOf({ before, after }: AuditEntry): string {
  const state = (after ?? before) as Readonly<Record<string, unknown>> | null;
  const name = state?.['name'] ?? state?.['email'];
  return typeof name === 'string' ? name : '';
}
