import { PLANS } from '../../contract/plans.ts';
import { countText } from '../../contract/value-text.ts';
import type { Account } from '../../store/port/access.ts';
import type { DayCount } from '../../store/port/request-log.ts';
import {
  Badge,
  Card,
  Copyable,
  Link,
  millisecondsText,
  Notice,
  PageHead,
  PrimaryLink,
  SmallLink,
} from '../components.tsx';
import { curlCommand } from '../curl.ts';
import { countAll } from '../data/search.ts';
import { Figures } from '../lists.tsx';
import { forMember, pageReply, type SignedInRequest } from '../page-route.ts';
import { works } from './key-list.tsx';
import { RequestTable } from './requests.tsx';
import { Alerts } from './usage.tsx';
import { classSeries, DayChart, daysBack } from './usage-charts.tsx';

const DAYS = 30;
const REQUESTS_SHOWN = 6;

export const overviewRoutes = [
  forMember('get', '/account', async (pageRequest) =>
    pageReply('Overview', <Overview {...(await readOverview(pageRequest))} />),
  ),
];

async function readOverview({ deps: { store, publicUrl }, member, now, query }: SignedInRequest) {
  const days = daysBack(now, DAYS);
  const [account, keys, counts, requests, records] = await Promise.all([
    store.accounts.find(member.account),
    store.keys.list(member.account),
    store.requests.perDay(member.account, days[0] ?? ''),
    store.requests.list({ account: member.account, limit: REQUESTS_SHOWN }),
    countAll(store.records),
  ]);
  const isNew = query['done'] === 'welcome';
  return { account: account as Account, keys, counts, requests, days, records, publicUrl, isNew };
}

type OverviewProps = Awaited<ReturnType<typeof readOverview>>;

function Overview(props: OverviewProps) {
  const { account, keys, counts, requests, records, isNew } = props;
  const good = keys.filter(works);
  const isUnused = counts.length === 0 && requests.length === 0;
  return (
    <>
      <PageHead
        title="Overview"
        lead={
          <>
            {account.name}{' '}
            <Badge tone={PLANS[account.plan].hasApi ? 'info' : 'warn'}>{PLANS[account.plan].label}</Badge>
          </>
        }
        action={good.length === 0 ? null : <PrimaryLink to="/account/keys/new">Create key</PrimaryLink>}
      />
      {isNew ? <Notice tone="good">Welcome. Your account is ready.</Notice> : null}
      <Alerts keys={good} />
      {good.length === 0 || isUnused ? <Start {...props} hasKey={good.length > 0} /> : null}
      {isUnused ? <Next isEmpty={records === 0} /> : <Activity {...props} />}
    </>
  );
}

function Activity(props: OverviewProps) {
  const { counts, requests, days } = props;
  return (
    <>
      <Summary {...props} />
      {counts.length === 0 ? null : (
        <Card title={`Requests, last ${DAYS} days`} action={<SmallLink to="/account/usage">Usage</SmallLink>}>
          <DayChart id="overview-chart" label="Requests by response class" days={days} series={classSeries(counts)} />
        </Card>
      )}
      <Card title="Latest requests" action={<SmallLink to="/account/requests">All requests</SmallLink>}>
        <RequestTable requests={requests} hasKey />
      </Card>
    </>
  );
}

function Summary({ keys, counts, days }: OverviewProps) {
  const good = keys.filter(works);
  const today = days.at(-1);
  const sum = (some: readonly DayCount[]): number => some.reduce((total, { requests }) => total + requests, 0);
  const total = sum(counts);
  const failed = sum(counts.filter(({ status_class }) => status_class >= 4));
  const ms = counts.reduce((all, one) => all + one.ms, 0);
  const figures = [
    { label: 'Requests today', value: countText(sum(counts.filter(({ day }) => day === today))) },
    { label: `Last ${DAYS} days`, value: countText(total) },
    {
      label: 'Refused or failed',
      value: total === 0 ? '–' : `${((failed / total) * 100).toFixed(1)}%`,
      note: '4xx: refused or not found, and most are counted; 5xx: failed, not counted',
    },
    { label: 'Mean time', value: total === 0 ? '–' : millisecondsText(Math.round(ms / total)) },
    { label: 'Active keys', value: countText(good.length) },
  ];
  return <Figures figures={figures} />;
}

function Start({ publicUrl, hasKey }: OverviewProps & { hasKey: boolean }) {
  return (
    <Card title="Start here">
      <ol class="steps">
        <li>
          {hasKey ? 'You have a key. Its secret was shown once; rotate the key for a new one.' : 'Create a key.'}
          <p class="step">
            <Link to={hasKey ? '/account/keys' : '/account/keys/new'} class={hasKey ? 'button' : 'button primary'}>
              {hasKey ? 'Your keys' : 'Create your first key'}
            </Link>
          </p>
        </li>
        <li>
          Search with it:
          <Copyable
            id="start-curl"
            label="curl command"
            text={curlCommand({ url: publicUrl, path: '/api/v1/search?type=companies&query=defi' })}
          />
        </li>
        <li>
          Or give it to an agent: <Link to="/docs/mcp">MCP in two minutes</Link>. Requests show here within a few
          seconds.
        </li>
      </ol>
    </Card>
  );
}

const NEXT = [
  ['/account/data', 'Browse the data', 'Search, filter and export without using the quota.'],
  ['/account/data/aggregate', 'Chart it', 'Count and sum by year, stage, chain or country.'],
  ['/account/import', 'Add your own', 'CSV, JSON or NDJSON, with a preview of every row.'],
] as const;

/** What to do next; on an instance without records, only to add some. */
const Next = ({ isEmpty }: { isEmpty: boolean }) => (
  <div class="tiles">
    {(isEmpty ? NEXT.slice(-1) : NEXT).map(([to, title, about]) => (
      <Link key={to} to={to} class="tile">
        <strong>{title}</strong>
        <span>{about}</span>
      </Link>
    ))}
  </div>
);
