import type { VNode } from 'preact';
import { entityOf, isRecordType, RECORD_TYPES } from '../../contract/entities/index.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { ListedKey } from '../../store/port/access.ts';
import { type AuditEntry, fieldsChangedBy } from '../../store/port/audit.ts';
import { actionText } from '../action-text.ts';
import { Badge, EmptyCard, Link, PageHead, row, Table, Time, type Tone } from '../components.tsx';
import { undoPath } from '../data/import-undo.tsx';
import { beforeOf, Older, SelectForm } from '../lists.tsx';
import { forMember, type PageAnswer, type PageRoute, pageReply, type SignedInRequest } from '../page-route.ts';

const PAGE_SIZE = 50;
const TYPES = ['keys', 'members', 'invitations', 'sessions', ...RECORD_TYPES];

export const auditRoutes: readonly PageRoute[] = [forMember('get', '/account/audit', showAudit)];

async function showAudit({ deps, member, query }: SignedInRequest): Promise<PageAnswer> {
  const type = TYPES.find((one) => one === query['type']);
  const before = beforeOf(query);
  const [entries, keys] = await Promise.all([
    deps.store.audit.list({ account: member.account, type, before, limit: PAGE_SIZE + 1 }),
    deps.store.keys.list(member.account),
  ]);
  const isMore = entries.length > PAGE_SIZE;
  return pageReply(
    'Audit log',
    <Audit entries={entries.slice(0, PAGE_SIZE)} hasMore={isMore} type={type} keys={keys} />,
  );
}

interface AuditProps {
  readonly entries: readonly AuditEntry[];
  readonly hasMore: boolean;
  readonly type: string | undefined;
  readonly keys: readonly ListedKey[];
}

function Audit({ entries, hasMore, type, keys }: AuditProps): VNode {
  const next = new URLSearchParams({ type: type ?? '', before: String(entries.at(-1)?.id ?? '') });
  return (
    <>
      <PageHead title="Audit log" lead="Actions in the name of your account. Entries cannot be changed or removed." />
      <SelectForm label="About" name="type" all="Everything" options={TYPES.map((one) => [one, one])} chosen={type} />
      {entries.length === 0 ? (
        <EmptyCard title="No entry" />
      ) : (
        <Table label="Audit log" head={['Time', 'What', 'About', 'Who', 'Address', 'Request id']}>
          {entries.map((entry) => entryRow(entry, keys))}
        </Table>
      )}
      <Older what="entries" to={`/account/audit?${next}`} hasMore={hasMore} />
    </>
  );
}

const REFUSED = /refused|forged|stolen|wrong|limited/;
const toneOf = (action: string): Tone =>
  REFUSED.test(action) ? 'bad' : /revoke|delete|remove/.test(action) ? 'warn' : 'plain';

function entryRow(entry: AuditEntry, keys: readonly ListedKey[]): VNode {
  const { id, at, action, person, key_id, address, request_id } = entry;
  const changed = fieldsChangedBy(entry);
  return row(
    id,
    <Time at={at} hasSeconds />,
    <Badge tone={toneOf(action)}>{actionText(action)}</Badge>,
    <>
      <Target entry={entry} />
      {changed.length === 0 ? null : <p class="business">{changed.map(labelOf).join(', ')}</p>}
    </>,
    person ??
      (key_id === null ? (
        ''
      ) : (
        <Link to={`/account/keys/${key_id}`}>{keys.find((key) => key.id === key_id)?.name ?? `key ${key_id}`}</Link>
      )),
    <td class="nowrap">{address}</td>,
    request_id && (
      <>
        <code class="long-id" title={request_id}>
          {request_id}
        </code>
        {action === 'import' ? (
          <>
            {' '}
            <Link to={undoPath(request_id)}>Undo</Link>
          </>
        ) : null}
      </>
    ),
  );
}

/** The object of an entry by its name if it has one, with its kind and number. */
function Target({ entry }: { entry: AuditEntry }): VNode {
  const { target_type: type, target_id: id } = entry;
  const isOfKey = type === 'keys';
  const kind = isRecordType(type) ? entityOf(type).noun : isOfKey ? 'key' : type;
  const numbered = id === null ? kind : `${kind} ${id}`;
  const path = isRecordType(type) ? `/account/data/${type}/${id}` : `/account/keys/${id}`;
  const name = nameOf(entry);
  const canOpen = id !== null && (isOfKey || isRecordType(type));
  return (
    <>
      {canOpen ? <Link to={path}>{name || numbered}</Link> : name || numbered}
      {name === '' ? null : <small class="muted"> {numbered}</small>}
    </>
  );
}

/** Display name of the object of an entry; blank for one without a name. */
function nameOf({ before, after }: AuditEntry): string {
  const state = (after ?? before) as Readonly<Record<string, unknown>> | null;
  const name = state?.['name'] ?? state?.['email'];
  return typeof name === 'string' ? name : '';
}
