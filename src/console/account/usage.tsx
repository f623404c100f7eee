import { endOfDay, endOfMonth, periodOf } from '../../contract/periods.ts';
import { countText } from '../../contract/value-text.ts';
import type { ListedKey } from '../../store/port/access.ts';
import { Card, Empty, Link, Notice, PageHead, Time } from '../components.tsx';
import { SelectForm } from '../lists.tsx';
import { csvReply, forMember, pageReply, type SignedInRequest } from '../page-route.ts';
import { keyOptions, NoKey, Status, works } from './key-list.tsx';
import { classSeries, DayChart, daysBack, keySeries } from './usage-charts.tsx';

const DAYS = 30;

export const usageRoutes = [
  forMember('get', '/account/usage', async (pageRequest) =>
    pageReply('Usage', <Usage {...(await readUsage(pageRequest))} />, { scripts: ['htmx.js'] }),
  ),
  forMember('get', '/account/usage.csv', download),
];

async function readUsage({ deps, member, now, query }: SignedInRequest) {
  const [keys, counts] = await Promise.all([
    deps.store.keys.list(member.account),
    deps.store.requests.perDay(member.account, daysBack(now, DAYS)[0] ?? ''),
  ]);
  const chosen = keys.find(({ id }) => String(id) === query['key']);
  const shown = chosen === undefined ? counts : counts.filter(({ key_id }) => key_id === chosen.id);
  // Bars are stacked by key instead of response class.
  const isByKey = chosen === undefined && query['by'] === 'key';
  return { keys, counts: shown, now, chosen, isByKey };
}

type UsageProps = Awaited<ReturnType<typeof readUsage>>;

async function download({ deps, member, now }: SignedInRequest) {
  const counts = await deps.store.requests.perDay(member.account, daysBack(now, DAYS)[0] ?? '');
  const rows = counts.map((row) => [row.day, row.key_id, row.key_name, `${row.status_class}xx`, row.requests, row.ms]);
  const heading = ['day', 'key_id', 'key', 'status', 'requests', 'milliseconds'];
  return csvReply(`usage-${periodOf(now).day}.csv`, [heading, ...rows]);
}

function Usage({ keys, counts, now, chosen, isByKey }: UsageProps) {
  const good = keys.filter(works);
  const total = counts.reduce((sum, { requests }) => sum + requests, 0);
  const isEmpty = keys.length === 0 && total === 0;
  return (
    <>
      <PageHead
        title="Usage"
        lead={
          <>
            Requests counted against the quota of each key, also those answered with 400 or 404. Requests refused before
            counting, and server errors, are free: <Link to="/docs/limits">what counts</Link>.
          </>
        }
        action={
          isEmpty ? null : (
            <Link to="/account/usage.csv" class="button" download>
              Download CSV
            </Link>
          )
        }
      />
      <Alerts keys={good} />
      {good.length === 0 ? (
        <NoKey>Each key has a quota of its own, which shows here.</NoKey>
      ) : (
        <KeyMeters keys={good} now={now} />
      )}
      {isEmpty ? null : (
        <Card title={chosen === undefined ? `Requests, last ${DAYS} days` : `${chosen.name}, last ${DAYS} days`}>
          <KeyFilter keys={keys} chosen={chosen} />
          {total === 0 ? (
            <Empty title="No request in this time">
              <p>Requests show here within a few seconds.</p>
            </Empty>
          ) : (
            <>
              {chosen === undefined ? <Division isByKey={isByKey} /> : null}
              <DayChart
                id={isByKey ? 'by-key' : 'by-class'}
                label={isByKey ? 'Requests by key' : 'Requests by response class'}
                days={daysBack(now, DAYS)}
                series={isByKey ? keySeries(counts) : classSeries(counts)}
              />
            </>
          )}
        </Card>
      )}
    </>
  );
}

function Division({ isByKey }: { isByKey: boolean }) {
  return (
    <nav class="kinds" aria-label="Bars divided by">
      <Link to="/account/usage" aria-current={isByKey ? undefined : 'page'}>
        By response class
      </Link>
      <Link to="/account/usage?by=key" aria-current={isByKey ? 'page' : undefined}>
        By key
      </Link>
    </nav>
  );
}

export function Alerts({ keys }: { keys: readonly ListedKey[] }) {
  // A replaced key counts with the one that replaced it.
  const current = keys.filter(({ status }) => status === 'active');
  const alerts = current.flatMap((key) => {
    const windows = [
      ['daily', key.requests_today, key.limits.daily],
      ['monthly', key.requests_this_month, key.limits.monthly],
    ] as const;
    return windows
      .filter(([, used, limit]) => limit !== null && limit > 0 && used >= limit * 0.8)
      .map(([name, used, limit]) => ({
        key,
        name,
        isOver: used >= (limit ?? 0),
        share: Math.floor((used / (limit ?? 1)) * 100),
      }));
  });
  return (
    <>
      {alerts.map(({ key, name, isOver, share }) => (
        <Notice key={`${key.id} ${name}`} tone={isOver ? 'bad' : 'warn'}>
          <strong>{key.name}</strong> <code>{key.display}</code>{' '}
          {isOver
            ? `has used up its ${name} quota; requests are answered with 429.`
            : `has used ${share}% of its ${name} quota.`}
        </Notice>
      ))}
    </>
  );
}

/** Refreshed periodically by script. */
function KeyMeters({ keys, now }: { keys: readonly ListedKey[]; now: Date }) {
  return (
    <div
      class="meters"
      id="meters"
      hx-get=""
      hx-trigger="every 10s"
      hx-select="#meters"
      hx-target="#meters"
      hx-swap="outerHTML"
    >
      {keys.map((key) => (
        <div class="card" key={key.id}>
          <h2>
            <Link to={`/account/keys/${key.id}`}>{key.name}</Link>
          </h2>
          <p class="hint">
            <code>{key.display}</code> {key.status === 'replaced' ? <Status listed={key} now={now} /> : null}
          </p>
          <Meter label="Today" used={key.requests_today} limit={key.limits.daily} resetsAt={endOfDay(now)} />
          <Meter
            label="This month"
            used={key.requests_this_month}
            limit={key.limits.monthly}
            resetsAt={endOfMonth(now)}
          />
        </div>
      ))}
    </div>
  );
}

function KeyFilter({ keys, chosen }: Pick<UsageProps, 'keys' | 'chosen'>) {
  return (
    <SelectForm label="Key" name="key" all="All keys" options={keyOptions(keys)} chosen={chosen && String(chosen.id)}>
      <span class="muted">{chosen === undefined ? null : `${countText(chosen.requests_this_month)} this month`}</span>
    </SelectForm>
  );
}

function Meter(props: { label: string; used: number; limit: number | null; resetsAt: Date }) {
  const { label, used, limit, resetsAt } = props;
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
  return (
    <div class="meter">
      <div class="meter-head">
        <span>{label}</span>
        <span class="number">
          <strong>{countText(used)}</strong> {limit === null ? 'no limit' : `of ${countText(limit)}`}
        </span>
      </div>
      {/* Not <meter>, which browsers render differently; the text above has the same value. */}
      {limit === null ? null : (
        <svg class={`bar ${tone}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={share * 100} height={1} />
        </svg>
      )}
      <p class="hint">
        Resets <Time at={resetsAt} />
      </p>
    </div>
  );
}
