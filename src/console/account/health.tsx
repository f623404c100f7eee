import type { VNode } from 'preact';
import type { Health } from '../../contract/health.ts';
import { createHealthCheck } from '../../service/health.ts';
import { Badge, Card, FactList, Link, PageHead, Table, Time } from '../components.tsx';
import { forPerson, type PageDeps, type PageRoute, pageReply } from '../page-route.ts';

export function healthRoutes(deps: PageDeps): readonly PageRoute[] {
  const check = createHealthCheck(deps);
  return [
    forPerson('get', '/account/health', async () => {
      const health = await check(true);
      return pageReply('Health', <HealthPage health={health} version={deps.version} />);
    }),
  ];
}

const StatusBadge = ({ status }: { status: string }): VNode => (
  <Badge tone={status === 'operational' ? 'good' : 'bad'}>{status}</Badge>
);

function HealthPage({ health, version }: { health: Health; version: string }): VNode {
  const { services, endpoints = [] } = health;
  const rows = [
    ['Database', services.database, null],
    ['API', services.api, null],
    ...endpoints.map(({ name, status, responseTime }) => [name, status, responseTime] as const),
  ] as const;
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
                <Time at={health.timestamp} />, in {health.responseTime} ms
              </>,
            ],
          ]}
        />
      </Card>
      <Table label="Parts of the service" head={['Part', 'Status', 'ms']} numbers={['ms']}>
        {rows.map(([name, status, ms]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <StatusBadge status={status} />
            </td>
            <td class="number">{ms ?? ''}</td>
          </tr>
        ))}
      </Table>
      <p class="hint">
        The same for a program: <Link to="/api/health?detailed=true">/api/health?detailed=true</Link>
      </p>
    </>
  );
}
