import type { ComponentChildren } from 'preact';
import { capitalize } from '../contract/capitalize.ts';
import { connectedRoles, edgeMark, isOfGrant, statedDay } from '../contract/connection-roles.ts';
import type { ConnectionsData } from '../contract/connections.ts';
import { dayText, monthText } from '../contract/day-text.ts';
import { isSameRecord } from '../contract/rounds.ts';
import { Badge, Card, EmptyCard, RecordLink } from './components.tsx';

type Path = ConnectionsData['paths'][number];
type Edge = Path['edges'][number];

interface PathsProps extends ConnectionsData {
  /** What connects the two, in place of the sentence that counts the paths. */
  readonly says?: ComponentChildren;
  /** The rounds that connect the two directly, in place of their list. */
  readonly children?: ComponentChildren;
  /** The source of what a connection says. */
  readonly sourceOf?: ((edge: Edge) => ComponentChildren) | undefined;
}

const FURTHER_SHOWN_MAX = 8;

/** The paths between two records in a sentence and one by one, or why there is none. */
export function Paths({ paths: found, reason, complete, says, children, sourceOf }: PathsProps) {
  // A portfolio says less than its rounds.
  const hasRounds = found.some((path) => kindOf(path) === 'round');
  const plain = found.filter(({ edges }) => !hasRounds || edges.every(({ kind }) => kind !== 'portfolio'));
  // Who has a grant of the same program does not know each other.
  const ungranted = plain.filter((path) => kindOf(path) !== undefined || !path.edges.some(isOfGrant));
  const paths = ungranted.length > 0 ? ungranted : plain;
  const hasRoles = found.some((path) => kindOf(path) === 'role');
  const isTold = (kind: string): boolean => (kind === 'round' && Boolean(children)) || (kind === 'founder' && hasRoles);
  const direct = paths.filter((path) => !isTold(kindOf(path) ?? 'round') && kindOf(path) !== undefined);
  const [nearest, ...further] = paths.filter((path) => kindOf(path) === undefined);
  return (
    <>
      {paths[0] === undefined ? (
        <EmptyCard title={complete ? 'No path is on record' : 'No path was found'}>{reason}</EmptyCard>
      ) : (
        <p class="answer">
          {says ?? (
            <>
              <RecordLink to={paths[0].nodes[0] ?? {}} /> and <RecordLink to={paths[0].nodes.at(-1) ?? {}} /> are
              connected {waysText(paths)}.
            </>
          )}
        </p>
      )}
      {children}
      {direct.length === 0 ? null : (
        <Card title="Directly">
          <ul class="path">
            {direct.map(({ edges: [edge], nodes }, index) => (
              <li key={index}>
                {edge === undefined ? null : <Connection edge={edge} ends={nodes} sourceOf={sourceOf} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {nearest === undefined ? null : <PathCard path={nearest} sourceOf={sourceOf} />}
      {further.length === 0 ? null : (
        <Card title="Further paths">
          <ul class="path">
            {further.slice(0, FURTHER_SHOWN_MAX).map((path, index) => (
              <FurtherPath key={index} path={path} sourceOf={sourceOf} />
            ))}
          </ul>
        </Card>
      )}
      {complete || reason !== null ? null : (
        <p class="muted">The search stopped at its limit: there may be other paths.</p>
      )}
    </>
  );
}

/** What connects the two directly; undefined for a path through others. */
const kindOf = ({ edges: [edge, ...others] }: Path): string | undefined =>
  others.length === 0 ? edge?.kind : undefined;

const between = ({ nodes }: Path): string =>
  nodes
    .slice(1, -1)
    .map(({ name }) => name)
    .join(' and ');

/** How some paths connect two records: `directly by 3 rounds, and through Ada. Further paths lead through Bo`. */
function waysText(paths: readonly Path[]): string {
  const kinds = new Map<string, number>();
  for (const kind of paths.flatMap((path) => kindOf(path) ?? [])) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const counts = [...kinds].map(([kind, count]) => (count === 1 ? `a ${kind}` : `${count} ${kind}s`));
  const [other, ...further] = new Set(paths.map(between).filter((names) => names !== ''));
  const ways = [
    counts.length === 0 ? '' : `directly by ${counts.join(' and ').replace('a event', 'an event')}`,
    other === undefined ? '' : `through ${other}`,
  ];
  const first = ways.filter(Boolean).join(', and ');
  return further.length === 0 ? first : `${first}. Further paths lead through ${further.join(', or ')}`;
}

/** A path: its records in order, each with what connects it to the next. */
function PathCard({ path, sourceOf }: { path: Path } & Pick<PathsProps, 'sourceOf'>) {
  const { nodes, edges } = path;
  return (
    <Card title={`Through ${between(path)}`}>
      <ol class="path drawn">
        {nodes.map((node, place) => {
          const edge = edges[place];
          return (
            <li key={place}>
              <RecordLink to={node}>
                <strong>{node.name}</strong>
              </RecordLink>{' '}
              <span class="muted">{NOUNS[node.type]}</span>
              {edge === undefined ? null : (
                <Connection edge={edge} ends={nodes.slice(place, place + 2)} sourceOf={sourceOf} />
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** The day or month of a connection as people write it; blank if neither is known. */
const dayIn = (edge: Edge): string => (edge.month === undefined ? dayText(statedDay(edge)) : monthText(edge.month));

/** A path in short: through whom, and the record or the role of each step, with its day and source. */
function FurtherPath({ path: { nodes, edges }, sourceOf }: { path: Path } & Pick<PathsProps, 'sourceOf'>) {
  return (
    <li>
      {nodes.slice(1, -1).map((node, index) => [index === 0 ? 'Through ' : ' and ', <RecordLink to={node} />])}
      <p class="muted">
        {edges.map((edge, index) => [
          index === 0 ? '' : ' · ',
          isThird(edge, nodes.slice(index, index + 2)) ? <RecordLink to={edge.record} /> : capitalize(edge.label),
          ...[dayIn(edge), edgeMark(edge), sourceOf?.(edge)].flatMap((part) => (part ? [', ', part] : [])),
        ])}
      </p>
    </li>
  );
}

/** What a record is: the definitions of the types would make a view heavy. */
const NOUNS: Readonly<Record<string, string>> = {
  companies: 'company',
  people: 'person',
  investors: 'investor',
  events: 'event',
};

interface ConnectionProps extends Pick<PathsProps, 'sourceOf'> {
  readonly edge: Edge;
  /** The records that it connects. */
  readonly ends: Path['nodes'];
}

/** Whether a record connects two others. */
const isThird = ({ record }: Edge, ends: Path['nodes']): boolean => !ends.some((end) => isSameRecord(end, record));

/** What connects two records, with the record that proves it, if that is a third, and its source. */
function Connection({ edge, ends, sourceOf }: ConnectionProps) {
  const { kind, label, record } = edge;
  const roles = connectedRoles({ label, record }, ends);
  const parts = [
    ...(isThird(edge, ends) ? [<RecordLink key="record" to={record} />] : []),
    ...[dayIn(edge), label === kind ? '' : (roles ?? label), edgeMark(edge)].filter(Boolean),
    ...[sourceOf?.(edge) ?? []].flat(),
  ];
  return (
    <p class="muted">
      <Badge tone="info">{kind}</Badge> {parts.map((part, index) => [index === 0 ? '' : ' · ', part])}
    </p>
  );
}
