import type { VNode } from 'preact';
import type { ConnectionsData } from '../../contract/connections.ts';
import { Badge, Card, Empty, RecordLink } from '../components.tsx';
import { startApp } from './host.ts';

type Path = ConnectionsData['paths'][number];

startApp<ConnectionsData>(({ answer: { paths, complete } }) => (
  <>
    {paths.length === 0 ? (
      <Card>
        <Empty title="No path within these hops" />
      </Card>
    ) : null}
    {paths.map((path, index) => (
      <PathCard key={index} path={path} />
    ))}
    {complete ? null : <p class="muted">The search was cut at its bound: there may be other paths.</p>}
  </>
));

function PathCard({ path: { nodes, edges, hops } }: { path: Path }): VNode {
  const ends = [nodes[0], nodes.at(-1)].map((node) => node?.name).join(' to ');
  return (
    <Card title={`${ends}: ${hops} ${hops === 1 ? 'hop' : 'hops'}`}>
      <ol class="path">
        {nodes.map((node, place) => {
          const edge = edges[place - 1];
          return (
            <li key={place}>
              {edge === undefined ? null : (
                <p class="muted">
                  <Badge tone="info">{edge.kind}</Badge> {edge.label}: {edge.record.name}
                  {edge.date === null ? '' : `, ${edge.date}`}
                </p>
              )}
              <RecordLink to={node}>
                <strong>{node.name}</strong>
              </RecordLink>{' '}
              <span class="muted">{node.type}</span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
