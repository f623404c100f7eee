import type { VNode } from 'preact';
import { connectedRoles } from '../contract/connection-roles.ts';
import type { ConnectionsData } from '../contract/connections.ts';
import { Badge, Card, EmptyCard, RecordLink } from './components.tsx';
import { dayText } from './day-text.ts';

type Path = ConnectionsData['paths'][number];

/** The paths between two records, or why there is none. */
export function Paths({ paths, reason, complete }: ConnectionsData): VNode {
  return (
    <>
      {paths.length === 0 ? <EmptyCard title="No path is on record">{reason}</EmptyCard> : null}
      {paths.map((path, index) => (
        <PathCard key={index} path={path} />
      ))}
      {complete ? null : <p class="muted">The search was cut at its bound: there may be other paths.</p>}
    </>
  );
}

/** A path: its records in order, each with what connects it to the one before. */
function PathCard({ path: { nodes, edges } }: { path: Path }): VNode {
  const names = nodes.map(({ name }) => name);
  const ends = `${names[0]} to ${names.at(-1)}`;
  const between = names.slice(1, -1).join(' and ');
  return (
    <Card title={between === '' ? `${ends}, directly` : `${ends} through ${between}`}>
      <ol class="path">
        {nodes.map((node, place) => {
          const edge = edges[place - 1];
          return (
            <li key={place}>
              {edge === undefined ? null : <Connection edge={edge} ends={nodes.slice(place - 1, place + 1)} />}
              <RecordLink to={node}>
                <strong>{node.name}</strong>
              </RecordLink>{' '}
              <span class="muted">
                {node.type}/{node.slug}
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

interface ConnectionProps {
  readonly edge: Path['edges'][number];
  /** The records that it connects. */
  readonly ends: Path['nodes'];
}

/** What connects two records, with the record that proves it, if that is a third. */
function Connection({ edge: { kind, label, date, record }, ends }: ConnectionProps): VNode {
  const roles = connectedRoles({ label, record }, ends);
  const isThird = !ends.some(({ type, slug }) => type === record.type && slug === record.slug);
  const parts = [
    ...(isThird ? [<RecordLink key="record" to={record} />] : []),
    ...(date === null ? [] : [dayText(date)]),
    ...(label === kind && isThird ? [] : [roles ?? label]),
  ];
  return (
    <p class="muted">
      <Badge tone="info">{kind}</Badge> {parts.map((part, index) => [index === 0 ? '' : ' · ', part])}
    </p>
  );
}
