import type { ComponentChildren } from 'preact';
import { CONNECTION_KINDS, type ConnectionsData, connectionsQuery } from '../../contract/connections.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { isGrant, isSameRecord, kindsOf } from '../../contract/rounds.ts';
import { MISSING } from '../../contract/sample-notes.ts';
import { citedSources, isUnsourced } from '../../contract/unsourced.ts';
import { countText } from '../../contract/value-text.ts';
import type { Records, SearchPage } from '../../store/port/records.ts';
import { Card, Folded, Link, usePage } from '../components.tsx';
import { Paths } from '../paths.tsx';
import { SourceText } from '../profile/cited-sources.tsx';
import { Announcement, RoundTable } from '../profile/round-table.tsx';
import { ConnectionText, directEdges, namedFirst } from './connection-text.tsx';
import { readRecords } from './read-records.ts';
import { ResultItem } from './result-item.tsx';

type Path = ConnectionsData['paths'][number];

type Connected = Awaited<ReturnType<typeof connectRecords>>;

/** Paths that are looked for: a page has room for as many rounds of two. */
const PATHS_READ = 20;

/** The paths between two records, with the records that prove the steps, by type and slug. */
export async function connectRecords(records: Records, ends: readonly [RecordData, RecordData]) {
  const [from, to] = ends;
  const { hops_max: hopsMax } = connectionsQuery.parse({ from: from.slug, to: to.slug });
  const found = await records.connect({ from, to, hopsMax, limit: PATHS_READ, kinds: CONNECTION_KINDS });
  const edges = found.paths.flatMap((path) => path.edges);
  const steps = new Map(edges.map(({ record }) => [addressOf(record), record]));
  const proofs = await readRecords(records, [...steps.values()]);
  return { ...found, ends, proofs: new Map(proofs.map((record) => [addressOf(record), record] as const)) };
}
const addressOf = ({ type, slug }: Readonly<Record<'type' | 'slug', string>>): string => `${type}/${slug}`;

/** The paths that a sentence such as `how are A and B connected` asks for; undefined unless each name is of one record. */
export async function readConnected(records: Records, { understood }: SearchPage): Promise<Connected | undefined> {
  const { connect: names = [] } = understood ?? {};
  const named = await Promise.all(names.map((name) => records.named(name)));
  const [from, to] = await readRecords(records, named.every(({ length }) => length === 1) ? named.flat() : []);
  return from === undefined || to === undefined || isSameRecord(from, to)
    ? undefined
    : connectRecords(records, [from, to]);
}

/** The page that states a connection: the announcement of a round, or the first source of the roles of a person. */
function sourceOf({ kind, unsourced }: Path['edges'][number], proof: RecordData | undefined): ComponentChildren {
  if (proof?.type === 'rounds') return isUnsourced(proof) ? undefined : <Announcement round={proof} />;
  if (proof === undefined || kind === 'event' || unsourced === 'all') return undefined;
  const cited = citedSources(proof).find(({ fields }) => fields.includes('roles'));
  return cited && <SourceText {...cited} />;
}

const ROUNDS_SHOWN = 8;

export function ConnectedRecords(connected: Connected) {
  const { ends, proofs, paths } = connected;
  const proofOf = (edge: Path['edges'][number]) => proofs.get(addressOf(edge.record));
  const rounds = directEdges(paths).flatMap((edge) => (edge.kind === 'round' ? (proofOf(edge) ?? []) : []));
  const grants = rounds.filter(isGrant).length;
  const title = `${kindsOf({ rounds: rounds.length - grants, grants })} with both`;
  const isOfDeals = ends.every(({ type }) => type !== 'companies');
  return (
    <>
      <Paths
        {...connected}
        paths={[...namedFirst({ ends, paths, rounds })]}
        says={<ConnectionText {...{ ends, paths, rounds }} />}
        sourceOf={(edge) => sourceOf(edge, proofOf(edge))}
      >
        {rounds.length === 0 ? undefined : (
          <Card title={title}>
            <Folded
              items={rounds}
              shownMax={ROUNDS_SHOWN}
              summary={(more) => `${countText(more)} earlier`}
              look="behind"
            >
              {(some) => <RoundTable rounds={some} label={title} isOfDeals={isOfDeals} />}
            </Folded>
          </Card>
        )}
      </Paths>
      {paths.length > 0 ? null : (
        <ul class="records">
          {ends.map((record) => (
            <ResultItem key={addressOf(record)} record={record} words={[]} hasKind />
          ))}
        </ul>
      )}
      <p class="hint">
        Paths use only records on file, and each step shows one record even where several prove it; {MISSING.investors}.
      </p>
    </>
  );
}

export function ConnectedReading(connected: Connected) {
  const { searchAt } = usePage();
  const [from, to] = connected.ends;
  return (
    <>
      <ul class="chips">
        <li class="muted">Read as</li>
        <li>
          paths between {from.name} and {to.name}
        </li>
      </ul>
      <ConnectedRecords {...connected} />
      <p class="hint">
        <Link to={`${searchAt}/connections?${new URLSearchParams({ from: addressOf(from), to: addressOf(to) })}`}>
          Choose other records
        </Link>
      </p>
    </>
  );
}
