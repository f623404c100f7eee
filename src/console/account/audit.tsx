import { entityOf, isRecordType, RECORD_TYPES, type RecordData } from '../../contract/entities/index.ts';
import { isoDate } from '../../contract/fields.ts';
import { DAY_MS, utcDay } from '../../contract/periods.ts';
import { countText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { ListedKey } from '../../store/port/access.ts';
import { type AuditEntry, fieldsChangedBy } from '../../store/port/audit.ts';
import type { Records } from '../../store/port/records.ts';
import { ACTION_TEXTS, actionText } from '../action-text.ts';
import { Badge, EmptyCard, Folded, Link, PageHead, row, Submit, Table, Time, type Tone } from '../components.tsx';
import { undoPath } from '../data/import-undo.tsx';
import { beforeOf, FilterSelect, Older } from '../lists.tsx';
import { csvReply, forMember, pageReply, type SignedInRequest } from '../page-route.ts';
import { keyOptions } from './key-list.tsx';

const PAGE_SIZE = 50;
/** Entries of a downloaded file. */
const FILE_MAX = 10_000;
const ADDRESS_LENGTH_MAX = 64;
const TYPES = ['keys', 'members', 'invitations', 'sessions', ...RECORD_TYPES];

export const auditRoutes = [
  forMember('get', '/account/audit', showAudit),
  forMember('get', '/account/audit.csv', download),
];

async function readQuery({ deps, member: { account }, query }: SignedInRequest) {
  const [keys, members] = await Promise.all([deps.store.keys.list(account), deps.store.members.list(account)]);
  const person = members.find(({ email }) => email === query['who'])?.email;
  const key = keys.find(({ id }) => String(id) === query['who']);
  // Those that are understood, as parameters of the address.
  const filters = {
    type: TYPES.find((one) => one === query['type']),
    action: Object.keys(ACTION_TEXTS).find((one) => one === query['action']),
    /** The e-mail address of a person, or the number of a key. */
    who: person ?? (key && String(key.id)),
    address: query['address']?.trim().slice(0, ADDRESS_LENGTH_MAX) || undefined,
    from: isoDate.safeParse(query['from']).data,
    to: isoDate.safeParse(query['to']).data,
  };
  const { to, who: _, ...stated } = filters;
  const until = to === undefined ? undefined : utcDay(new Date(Date.parse(to) + DAY_MS));
  const asked = { ...stated, account, person, keyId: key?.id, until, before: beforeOf(query) };
  return { filters, keys, members, list: (limit: number) => deps.store.audit.list({ ...asked, limit }) };
}

async function showAudit(request: SignedInRequest) {
  const { list, ...asked } = await readQuery(request);
  const entries = await list(PAGE_SIZE + 1);
  const shown = await withNames(request.deps.store.records, entries.slice(0, PAGE_SIZE));
  return pageReply('Audit log', <Audit {...asked} entries={shown} hasMore={entries.length > PAGE_SIZE} />);
}

/** The newest entries of the filters as a file, without the states before and after. */
async function download(request: SignedInRequest) {
  const { list, keys } = await readQuery(request);
  const rows = (await list(FILE_MAX)).map((entry) => {
    const { id, at, action, target_type, target_id, person, key_id, address, request_id } = entry;
    const key = key_id === null ? null : (keys.find((one) => one.id === key_id)?.name ?? `key ${key_id}`);
    const fields = fieldsChangedBy(entry).join(' ');
    return [id, at, action, target_type, target_id, nameOf(entry), fields, person, key, address, request_id];
  });
  const head = ['entry', 'at', 'action', 'type', 'id', 'name', 'fields', 'person', 'key', 'address', 'request_id'];
  return csvReply(`audit-${utcDay(request.now)}.csv`, [head, ...rows]);
}

/** Entries with the names of their records, which the log does not have of those that an import created. */
const withNames = (records: Records, entries: readonly AuditEntry[]): Promise<AuditEntry[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const { target_type: type, target_id: id } = entry;
      if (id === null || !isRecordType(type) || nameOf(entry) !== '') return entry;
      const found = (await records.get(type, String(id))) ?? (await records.getDeleted(type, String(id)));
      return found === undefined ? entry : { ...entry, after: { name: (JSON.parse(found.json) as RecordData).name } };
    }),
  );

/** Entries that follow each other and are of one request, such as of an import, together. */
function groupRequests(entries: readonly AuditEntry[]): readonly (readonly [AuditEntry, ...AuditEntry[]])[] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const isSame = entry.request_id !== null && last?.[0].request_id === entry.request_id;
    if (isSame && last[0].action === entry.action) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

interface AuditProps extends Omit<Awaited<ReturnType<typeof readQuery>>, 'list'> {
  readonly entries: readonly AuditEntry[];
  readonly hasMore: boolean;
}

function Audit({ entries, hasMore, filters, keys, members }: AuditProps) {
  const given = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const filtered = new URLSearchParams(given);
  const next = new URLSearchParams([...given, ['before', String(entries.at(-1)?.id ?? '')]]);
  const undone = new Set(entries.flatMap(({ action, request_id: id }) => (action === 'import.undo' ? id : [])));
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Actions in the name of your account. Entries cannot be changed or removed."
        action={
          entries.length === 0 ? null : (
            <Link
              to={`/account/audit.csv?${filtered}`}
              class="button"
              download
              title={`The newest ${countText(FILE_MAX)}`}
            >
              Download CSV
            </Link>
          )
        }
      />
      <Filters {...{ filters, keys, members }} />
      {entries.length === 0 ? (
        <EmptyCard title="No entry matches">
          <p>
            <Link to="/account/audit">Show all</Link>
          </p>
        </EmptyCard>
      ) : (
        <Table label="Audit log" head={['Time', 'What', 'About', 'Who', 'Address', 'Request id']}>
          {groupRequests(entries).map((group) => entryRow(group, keys, undone))}
        </Table>
      )}
      <Older what="entries" to={`/account/audit?${next}`} hasMore={hasMore} />
    </>
  );
}

function Filters({ filters, keys, members }: Pick<AuditProps, 'filters' | 'keys' | 'members'>) {
  const { type, action, who, address, from, to } = filters;
  const people = members.map(({ email }) => [email, email] as const);
  const actions = Object.entries(ACTION_TEXTS).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  return (
    <form method="get" class="filters">
      <FilterSelect label="What" name="action" all="Anything" options={actions} chosen={action} />
      <FilterSelect
        label="About"
        name="type"
        all="Everything"
        options={TYPES.map((one) => [one, labelOf(one)])}
        chosen={type}
      />
      <FilterSelect label="Who" name="who" all="Anybody" options={[...people, ...keyOptions(keys)]} chosen={who} />
      <span class="line">
        <label for="address">Address</label>
        <input id="address" name="address" value={address} placeholder="IP address" maxlength={ADDRESS_LENGTH_MAX} />
      </span>
      <span class="line">
        <label for="from">From</label>
        <input id="from" name="from" type="date" value={from} />
      </span>
      <span class="line">
        <label for="to">To</label>
        <input id="to" name="to" type="date" value={to} />
      </span>
      <Submit look="small">Show</Submit>
    </form>
  );
}

const REFUSED = /refused|forged|stolen|wrong|limited/;
const toneOf = (action: string): Tone =>
  REFUSED.test(action) ? 'bad' : /revoke|delete|remove/.test(action) ? 'warn' : 'plain';

/** @param undone the requests of imports whose undo is on the same page */
function entryRow(
  group: readonly [AuditEntry, ...AuditEntry[]],
  keys: readonly ListedKey[],
  undone: ReadonlySet<string | null>,
) {
  const { id, at, action, person, key_id, address, request_id } = group[0];
  return row(
    id,
    <Time at={at} hasSeconds />,
    <Badge tone={toneOf(action)}>{actionText(action)}</Badge>,
    <Folded items={group} shownMax={1} summary={(more) => `and ${countText(more)} more`}>
      {(some) =>
        some.map((one) => (
          <div key={one.id}>
            <Target entry={one} />
          </div>
        ))
      }
    </Folded>,
    person ??
      (key_id === null ? (
        ''
      ) : (
        <Link to={`/account/keys/${key_id}`}>{keys.find((key) => key.id === key_id)?.name ?? `key ${key_id}`}</Link>
      )),
    <td class="nowrap">{address}</td>,
    request_id && (
      <>
        <code class="long-id whole" title={request_id}>
          {request_id}
        </code>
        {action === 'import' ? (
          <>
            {' '}
            <Link to={undoPath(request_id)}>{undone.has(request_id) ? 'Undone' : 'Undo'}</Link>
          </>
        ) : null}
      </>
    ),
  );
}

const FIELDS_MAX = 6;

/** The object of an entry by its name if it has one, with its kind and number, and what was changed of it. */
function Target({ entry }: { entry: AuditEntry }) {
  const { target_type: type, target_id: id, after } = entry;
  const pair = (after as { duplicate?: number } | null)?.duplicate;
  if (pair !== undefined) return <Link to={`/account/duplicates/${pair}`}>pair {pair}</Link>;
  const kind = isRecordType(type) ? entityOf(type).noun : id === null ? type : type.replace(/s$/, '');
  const numbered = id === null ? kind : `${kind} ${id}`;
  const path = isRecordType(type) ? `/account/data/${type}/${id}` : `/account/keys/${id}`;
  const name = nameOf(entry);
  const changed = fieldsChangedBy(entry).map(labelOf);
  const more = changed.length - FIELDS_MAX;
  return (
    <>
      {id !== null && (type === 'keys' || isRecordType(type)) ? (
        <Link to={path}>{name || numbered}</Link>
      ) : (
        name || numbered
      )}
      {name === '' ? null : <small class="muted"> {numbered}</small>}
      {changed.length === 0 ? null : (
        <p class="business">
          {changed.slice(0, FIELDS_MAX).join(', ')}
          {more > 0 ? ` and ${more} more` : ''}
        </p>
      )}
    </>
  );
}

/** Display name of the object of an entry; blank for one without a name. */
function nameOf({ before, after }: AuditEntry): string {
  const state = (after ?? before) as Readonly<Record<string, unknown>> | null;
  const name = state?.['name'] ?? state?.['email'];
  return typeof name === 'string' ? name : '';
}
