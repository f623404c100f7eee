import { dayText } from '../../contract/day-text.ts';
import type { Health } from '../../contract/health.ts';
import { counted } from '../../contract/value-text.ts';
import { createHealthCheck } from '../../service/health.ts';
import { Badge, Card, FactList, Link, millisecondsText, namedRow, PageHead, Table, Time } from '../components.tsx';
import { countByKind, newestRoundDate } from '../data/round-statistics.ts';
import { forMember, type PageDeps, pageReply } from '../page-route.ts';

export function healthRoutes(deps: PageDeps) {
  const check = createHealthCheck(deps);
  return [
    forMember('get', '/account/health', async () => {
      const { records } = deps.store;
      const [health, counts, newestRound] = await Promise.all([
        check(true),
        countByKind(records),
        newestRoundDate(records),
      ]);
      const held = Object.entries(counts).map(([kind, count]) => counted(count, kind));
      const newest =
        newestRound === undefined ? (counts.rounds === 0 ? 'None' : 'Date not known') : dayText(newestRound);
      return pageReply('Health', <HealthPage {...{ health, held, newest }} version={deps.version} />);
    }),
  ];
}

const StatusBadge = ({ status }: { status: string }) => (
  <Badge tone={status === 'operational' ? 'good' : 'bad'}>{status}</Badge>
);

interface HealthPageProps {
  readonly health: Health;
  readonly version: string;
  readonly held: readonly string[];
  /** The date of the newest funding round, in words. */
  readonly newest: string;
}

function HealthPage({ health, version, held, newest }: HealthPageProps) {
  const { services, endpoints = [] } = health;
  return (
    <>
      <PageHead title="Health" lead={<StatusBadge status={health.status} />} />
      <Card title="Service">
        <FactList
          isBeside
          facts={[
            [
              'Version',
              <>
                <code>{version}</code> (<Link to="/docs/changes">what changed</Link>)
              </>,
            ],
            [
              'Checked',
              <>
                <Time at={health.timestamp} />, in {millisecondsText(health.responseTime)}
              </>,
            ],
            ['Database', <StatusBadge status={services.database} />],
            ['API', <StatusBadge status={services.api} />],
            ['Records', held.join(', ')],
            ['Newest funding round', newest],
          ]}
        />
      </Card>
      <Table label="Checked endpoints" head={['Endpoint', 'Status', 'Answered in']} numbers={['Answered in']}>
        {endpoints.map(({ name, status, responseTime }) =>
          namedRow(name, name, <StatusBadge status={status} />, millisecondsText(responseTime)),
        )}
      </Table>
      <p class="hint">
        The same for a program: <Link to="/api/health?detailed=true">/api/health?detailed=true</Link>
      </p>
    </>
  );
}
