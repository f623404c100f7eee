import { statedText } from '../../contract/day-text.ts';
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
      return pageReply('Health', <HealthPage {...{ health, counts, newestRound }} version={deps.version} />);
    }),
  ];
}

const StatusBadge = ({ status }: { status: string }) => (
  <Badge tone={status === 'operational' ? 'good' : 'bad'}>{status}</Badge>
);

interface HealthPageProps {
  readonly health: Health;
  readonly version: string;
  readonly counts: Awaited<ReturnType<typeof countByKind>>;
  readonly newestRound: string | undefined;
}

function HealthPage({ health, version, counts, newestRound }: HealthPageProps) {
  const { services, endpoints = [] } = health;
  const held = Object.entries(counts).map(([kind, count]) => counted(count, kind));
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
            ['Newest funding round', statedText(newestRound ?? (counts.rounds === 0 ? 'None' : 'Date not known'))],
          ]}
        />
      </Card>
      <Table label="Checked endpoints" head={['Endpoint', 'Status', 'Answered in']} numbers={['Answered in']}>
        {endpoints.map(({ name, status, responseTime }) =>
          namedRow(name, name, <StatusBadge status={status} />, millisecondsText(responseTime)),
        )}
      </Table>
      <p class="hint">
        Events, rounds, aggregates and connections are not tried: they use the same database and index.
      </p>
      <p class="hint">
        The same for a program: <Link to="/api/health?detailed=true">/api/health?detailed=true</Link>
      </p>
    </>
  );
}
