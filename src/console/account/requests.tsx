import { type RequestEntry, STATUS_CLASSES } from '../../store/port/request-log.ts';
import {
  Badge,
  Card,
  Empty,
  Link,
  millisecondsText,
  PageHead,
  row,
  Submit,
  Table,
  Time,
  type Tone,
} from '../components.tsx';
import { beforeOf, FilterSelect, Older } from '../lists.tsx';
import { forMember, pageReply, type SignedInRequest } from '../page-route.ts';
import { keyOptions, NoKey } from './key-list.tsx';

const PAGE_SIZE = 30;
const ID_LENGTH_MAX = 64;

export const requestRoutes = [
  forMember('get', '/account/requests', async (pageRequest) =>
    pageReply('Requests', <Requests {...(await readRequests(pageRequest))} />, { scripts: ['htmx.js'] }),
  ),
];

async function readRequests({ deps, member, query }: SignedInRequest) {
  const keys = await deps.store.keys.list(member.account);
  const key = keys.find(({ id }) => String(id) === query['key']);
  const statusClass = STATUS_CLASSES.find((one) => String(one) === query['status']);
  const requestId = (query['id'] ?? '').trim().slice(0, ID_LENGTH_MAX) || undefined;
  const before = beforeOf(query);
  const found = await deps.store.requests.list({
    account: member.account,
    keyId: key?.id,
    statusClass,
    requestId,
    before,
    limit: PAGE_SIZE + 1,
  });
  const filters = { key: String(key?.id ?? ''), status: String(statusClass ?? ''), id: requestId ?? '' };
  return { requests: found.slice(0, PAGE_SIZE), hasMore: found.length > PAGE_SIZE, keys, filters };
}

type RequestsProps = Awaited<ReturnType<typeof readRequests>>;

function Requests({ requests, hasMore, keys, filters }: RequestsProps) {
  const head = (
    <PageHead
      title="Requests"
      lead="Requests with your keys in the last 30 days, shown within seconds. Queries, headers and bodies are not stored."
    />
  );
  if (keys.length === 0)
    return (
      <>
        {head}
        <NoKey>Requests with a key show here within a few seconds.</NoKey>
      </>
    );
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const table = <RequestTable requests={requests} hasKey />;
  const next = new URLSearchParams({ ...filters, before: String(requests.at(-1)?.id ?? '') });
  return (
    <>
      {head}
      <Filters keys={keys} filters={filters} />
      <div id="results" aria-live="polite">
        {requests.length > 0 ? (
          table
        ) : (
          <Card>
            {isFiltered ? (
              <Empty title="No request matches">
                <p>
                  <Link to="/account/requests">Show all</Link>
                </p>
              </Empty>
            ) : (
              table
            )}
          </Card>
        )}
        <Older what="requests" to={`/account/requests?${next}`} hasMore={hasMore} />
      </div>
    </>
  );
}

function Filters({ keys, filters }: Pick<RequestsProps, 'keys' | 'filters'>) {
  return (
    <form
      method="get"
      class="filters"
      hx-get=""
      hx-select="#results"
      hx-target="#results"
      hx-swap="outerHTML"
      hx-push-url="true"
    >
      <FilterSelect label="Key" name="key" all="All keys" options={keyOptions(keys)} chosen={filters.key} />
      <FilterSelect
        label="Status"
        name="status"
        all="All"
        options={STATUS_CLASSES.map((one) => [String(one), `${one}xx`])}
        chosen={filters.status}
      />
      <label for="id">Request id</label>
      <input id="id" name="id" value={filters.id} placeholder="req_…" maxlength={64} spellcheck={false} />
      <Submit look="small">Filter</Submit>
    </form>
  );
}

const TONES: readonly Tone[] = ['plain', 'plain', 'good', 'info', 'warn', 'bad'];

const keyOf = ({ key_id, key_name }: RequestEntry) => (
  <Link to={`/account/keys/${key_id}`} class="long-item" title={key_name}>
    {key_name}
  </Link>
);

export function RequestTable({ requests, hasKey }: { requests: readonly RequestEntry[]; hasKey: boolean }) {
  if (requests.length === 0)
    return (
      <Empty title="No request yet">
        <p>Requests with your keys show here within a few seconds.</p>
      </Empty>
    );
  const head = ['Time', 'Status', 'Request', ...(hasKey ? ['Key'] : []), 'Took', 'Address'];
  return (
    <Table label="Requests" head={head} numbers={['Took']}>
      {requests.map((request) =>
        row(
          request.id,
          <Time at={request.at} hasSeconds />,
          <td class="nowrap">
            <Badge tone={TONES[Math.floor(request.status / 100)] ?? 'plain'}>{request.status}</Badge>
            {request.code === null ? null : (
              <Link to={`/docs/errors/${request.code}`} class="error-code">
                {request.code}
              </Link>
            )}
          </td>,
          <>
            <code>
              {request.method} {request.route}
            </code>
            <small class="muted request-id">{request.request_id}</small>
          </>,
          ...(hasKey ? [keyOf(request)] : []),
          millisecondsText(request.ms),
          <td class="address">{request.address}</td>,
        ),
      )}
    </Table>
  );
}
