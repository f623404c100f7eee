import { RESTORE_DAYS } from '../../contract/changes.ts';
import { type RecordData, recordNoun } from '../../contract/entities/index.ts';
import { allows } from '../../contract/keys.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { type AuditEntry, fieldsChangedBy } from '../../store/port/audit.ts';
import type { Member } from '../../store/port/members.ts';
import { actionText } from '../action-text.ts';
import { Badge, Card, Link, Notice, PostForm, PrimaryLink, row, Submit, Table, Time } from '../components.tsx';
import { fileReply, pageReply, redirect, type SignedInRequest } from '../page-route.ts';
import { FactsCard } from '../profile/facts.tsx';
import { Profile, type RecordProfile } from '../profile/profile.tsx';
import { ProfileHead } from '../profile/profile-head.tsx';
import { forReader, forRemover, typeOf } from './access-levels.tsx';
import { missingRecord } from './missing-record.tsx';
import { readProfile } from './read-profile.tsx';
import { FieldValue } from './values.tsx';

const PATH = '/account/data/:type/:id';
const HISTORY_MAX = 20;

export const recordRoutes = [
  forReader(PATH, showRecord),
  forRemover(`${PATH}/delete`, (pageRequest) => change(pageRequest, 'delete')),
  forRemover(`${PATH}/restore`, (pageRequest) => change(pageRequest, 'restore')),
];

async function change(pageRequest: SignedInRequest, action: 'delete' | 'restore') {
  const { deps, params, author } = pageRequest;
  const type = typeOf(pageRequest);
  const { id } = await deps.store.records.change({ action, type, target: params['id'] ?? '', author });
  return redirect(`/account/data/${type}/${id}?done=${action}`);
}

async function showRecord(pageRequest: SignedInRequest) {
  const { deps, params, member, query, now } = pageRequest;
  const { records, audit } = deps.store;
  const type = typeOf(pageRequest);
  const [, idOrSlug = '', json] = /^(.*?)(\.json)?$/.exec(params['id'] ?? '') ?? [];
  const live = await records.get(type, idOrSlug);
  if (json && live) return fileReply({ name: `${live.slug}.json`, type: 'json', text: live.json, isShown: true });
  const canRestore = allows(member.level, 'delete');
  const deleted = live === undefined && canRestore ? await records.getDeleted(type, idOrSlug) : undefined;
  const found = live ?? deleted;
  if (found === undefined) {
    const missing = await missingRecord(records, type, idOrSlug);
    if ('moved' in missing) return redirect(`/account/data${missing.moved.replace(/^\/search/, '')}`);
    return pageReply(missing.title, missing.body, { status: 404 });
  }
  const { id } = found;
  const record = JSON.parse(found.json) as RecordData;
  const profile = deleted === undefined ? await readProfile(records, record, now) : { record, related: [] };
  const history = await audit.list({ type, id, limit: HISTORY_MAX });
  const deletion = deleted && { at: deleted.deletedAt, until: deleted.purgeAt };
  const body = (
    <RecordPage {...{ record, profile, history, member, deletion, now }} done={query['done']} url={deps.publicUrl} />
  );
  return pageReply(record.name, body);
}

interface RecordProps {
  readonly record: RecordData;
  readonly profile: RecordProfile;
  readonly history: readonly AuditEntry[];
  readonly member: Member;
  readonly deletion: { readonly at: string; readonly until: string } | undefined;
  readonly done: string | undefined;
  readonly now: Date;
  readonly url: string;
}

const DONE: Readonly<Record<string, string>> = {
  delete: `The record is deleted. It can be restored for ${RESTORE_DAYS} days.`,
  restore: 'The record is restored.',
  saved: 'The record is saved.',
};

function RecordPage(props: RecordProps) {
  const { record, profile, member, deletion, done, now, url } = props;
  const { type, id, slug } = record;
  return (
    <>
      <p class="crumbs">
        <Link to={`/account/data?type=${type}`}>{labelOf(type)}</Link> / <code>{slug}</code>
      </p>
      <ProfileHead
        record={profile.record}
        kind={recordNoun(record)}
        now={now}
        action={
          deletion === undefined && allows(member.level, 'write') ? (
            <PrimaryLink to={`/account/data/${type}/${id}/edit`}>Edit</PrimaryLink>
          ) : null
        }
      />
      {DONE[done ?? ''] ? <Notice tone="good">{DONE[done ?? '']}</Notice> : null}
      {deletion === undefined ? null : (
        <Notice tone="warn">
          Deleted <Time at={deletion.at} />. It can be restored until <Time at={deletion.until} />.
          <PostForm to={`/account/data/${type}/${id}/restore`}>
            <Submit look="small">Restore record</Submit>
          </PostForm>
        </Notice>
      )}
      {deletion === undefined ? (
        <Profile {...profile} {...{ now, url }} />
      ) : (
        <FactsCard record={record} isElsewhere={() => false}>
          {(name, value) => <FieldValue of={type} field={name} value={value} />}
        </FactsCard>
      )}
      <History {...props} />
      {deletion === undefined && allows(member.level, 'delete') ? <Removal record={record} /> : null}
    </>
  );
}

function History({ history, record, member }: RecordProps) {
  return (
    <Card title="History">
      {history.length === 0 ? (
        <p class="muted">
          As it came with the data, <Time at={String(record['created_at'])} />.
        </p>
      ) : (
        <Table label="History" head={['Time', 'What', 'Fields', 'Who']}>
          {history.map((entry) => {
            const fields = fieldsChangedBy(entry).map(labelOf).join(', ');
            const what = <Badge>{actionText(entry.action)}</Badge>;
            return row(entry.id, <Time at={entry.at} />, what, fields, whoOf(entry, member));
          })}
        </Table>
      )}
    </Card>
  );
}

/** Author of a change. People and keys of other accounts are not disclosed. */
function whoOf({ account, person, key_id }: AuditEntry, reader: Member): string {
  if (account === 'operator') return 'operator';
  if (account !== reader.account) return 'another account';
  return person ?? (key_id === null ? account : `key ${key_id}`);
}

function Removal({ record: { type, id } }: { record: RecordData }) {
  return (
    <Card title="Delete">
      <p>It disappears from search, lists and agents at once, and can be restored for {RESTORE_DAYS} days.</p>
      <PostForm to={`/account/data/${type}/${id}/delete`}>
        <Submit look="danger">Delete record</Submit>
      </PostForm>
    </Card>
  );
}
