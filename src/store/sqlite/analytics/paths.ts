import { CONNECTION_KINDS } from '../../../contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { relations } from '../../../contract/relations.ts';
import { isoDateOf } from '../../analytics/facts.ts';
import type { ConnectionsRequest, RecordRef } from '../../port/analytics.ts';
import { type BestPaths, createBestPaths, type Path } from './best-paths.ts';
import { type Columns, codeOf } from './columns.ts';
import { addEdge, clearEdges, type Edge, type Edges } from './edges.ts';
import { createExplorer, type Explorer, KIND_OF_RELATION } from './neighbours.ts';
import { createParticipants, type Participants } from './participants.ts';
import { fitScratch, type Scratch } from './scratch.ts';

export interface ConnectionsDraft {
  readonly paths: readonly PathDraft[];
  readonly complete: boolean;
  /** The ends without any connection of the kinds. */
  readonly isolated: readonly RecordRef[];
}

export function findConnections(columns: Columns, scratch: Scratch, request: ConnectionsRequest): ConnectionsDraft {
  const { from, to, hopsMax, limit, kinds } = request;
  const participants = createParticipants(columns);
  const wanted = {
    from: codeOf(columns, from.type, from.id),
    to: codeOf(columns, to.type, to.id),
    hopsMax,
    limit,
    kinds: new Set(kinds.map((kind) => CONNECTION_KINDS.indexOf(kind))),
    participants,
  };
  const near = findPaths(columns, scratch, { ...wanted, effort: 1 });
  const isMissed = near.isCut && near.paths.length === 0 && near.isolated.length === 0;
  const { paths, isCut, isolated } = isMissed ? findPaths(columns, scratch, { ...wanted, effort: EFFORT_MAX }) : near;
  return {
    paths: paths.map((path) => draftOf(columns, path, participants)),
    complete: !isCut,
    isolated: isolated.map((code) => refOf(columns, code)),
  };
}

const refOf = ({ type, id }: Columns, code: number): RecordRef => ({
  type: RECORD_TYPES[type[code]] as RecordType,
  id: id[code],
});

export type PathDraft = ReturnType<typeof draftOf>;

function draftOf(columns: Columns, { nodes, edges }: Path, participants: Participants) {
  return {
    nodes: nodes.map((code) => refOf(columns, code)),
    edges: edges.map(({ kind, date, record }, index) => ({
      kind: CONNECTION_KINDS[kind],
      label:
        labelOf(columns, { kind, record }, [nodes[index], nodes[index + 1]]) + crowdOf(participants.speakers(record)),
      date: date === 0 ? null : isoDateOf(date),
      record: refOf(columns, record),
    })),
  };
}

/** The number of speakers of an event, if there are more than these two. */
const crowdOf = (speakers: number): string => (speakers > 2 ? ` among ${speakers}` : '');

/** Role name per relation, by its index. */
const PARTS: readonly string[] = relations.map(({ name, field }) => {
  const parts: Readonly<Record<string, string>> = {
    'people.roles': 'role',
    'people.events': 'speaker',
    'companies.team': 'team',
    'companies.investors': 'investor',
    'investors.portfolio': 'portfolio',
  };
  return parts[name] ?? field.replaceAll('_', ' ').replace(/s$/, '');
});

/** Label of an edge: the roles of both ends in a round or event, or the role stated by one of them. */
function labelOf(columns: Columns, { kind, record }: Pick<Edge, 'kind' | 'record'>, ends: readonly number[]): string {
  const parts = ends.filter((end) => end !== record).map((end) => partOf(columns, { kind, record }, end));
  return parts.filter((part) => part !== '').join(', ');
}

function partOf({ links }: Columns, { kind, record }: Pick<Edge, 'kind' | 'record'>, end: number): string {
  const partIn = (source: number, target: number): string | undefined => {
    const last = links.start[source] + links.count[source];
    for (let link = links.start[source]; link < last; link += 1) {
      const relation = links.relation[link];
      if (links.target[link] === target && KIND_OF_RELATION[relation] === kind) return PARTS[relation];
    }
    return undefined;
  };
  // Speakers reference the event.
  return partIn(record, end) ?? partIn(end, record) ?? '';
}

interface PathRequest {
  readonly from: number;
  readonly to: number;
  readonly hopsMax: number;
  readonly limit: number;
  /** Allowed kinds, by index. */
  readonly kinds: ReadonlySet<number>;
  readonly participants: Participants;
  /** Factor of the bounds of what is examined and compared. */
  readonly effort: number;
}

interface Found {
  readonly paths: readonly Path[];
  /** Whether bounds excluded paths that may be equally good. */
  readonly isCut: boolean;
  /** The ends without any edge of the allowed kinds. */
  readonly isolated: readonly number[];
}

/** Bounds of edges examined around each end and in between, and of paths compared per length: a few milliseconds. */
const VISITS_AT_END = 2_500;
const VISITS_BETWEEN = 4_000;
const COMPARED_MAX = 1_500;
/** The effort where no path is found within these bounds: tens of milliseconds. */
const EFFORT_MAX = 25;

interface Side {
  /** Last edge to a node, by code. */
  readonly head: Uint32Array;
  /** Reached nodes, each once. */
  readonly nodes: number[];
}

/**
 * The best paths between two records: shortest, then of stronger kinds, of sourced rounds and of smaller events, then newer. Paths are simple,
 * and none leads in several steps where a round or event of it leads in one. Bidirectional search, so four hops are two from each end.
 */
function findPaths(columns: Columns, scratch: Scratch, request: PathRequest): Found {
  const { from, to, hopsMax, limit, kinds, participants, effort } = request;
  fitScratch(scratch, columns.size);
  const { edges } = scratch;
  clearEdges(edges);
  const explorer = createExplorer(columns, scratch, { kinds, ends: [from, to] });
  const [one, other, middle] = scratch.heads.map((head): Side => ({ head, nodes: [] })) as [Side, Side, Side];
  const search: Search = { columns, edges, explorer, from: one, to: other, middle, ends: [from, to] };
  /** Reaches the neighbours of an end; returns the end if it has none. A bound that was reached may have hidden them. */
  const reachFrom = (end: number, side: Side): readonly number[] => {
    explorer.allow(effort * VISITS_AT_END);
    reach(search, side, [end]);
    return side.nodes.length === 0 && !explorer.isSpent() ? [end] : [];
  };
  const isolated = [...reachFrom(from, one), ...reachFrom(to, other)];
  explorer.allow(effort * VISITS_BETWEEN);
  const found: Path[] = [];
  let isCut = false;
  for (const pathsOfLength of LENGTHS.slice(0, hopsMax)) {
    if (found.length >= limit) break;
    const best = createBestPaths(columns, edges, {
      start: from,
      count: limit - found.length,
      comparedMax: effort * COMPARED_MAX,
      participants,
    });
    pathsOfLength(search, best);
    isCut ||= best.isCut();
    found.push(...best.paths());
  }
  for (const { head, nodes } of [one, other, middle]) for (const node of nodes) head[node] = 0;
  return { paths: found, isCut: isCut || explorer.isCut(), isolated };
}

interface Search {
  readonly columns: Columns;
  readonly edges: Edges;
  readonly explorer: Explorer;
  readonly from: Side;
  readonly to: Side;
  /** Nodes two hops from the end. */
  readonly middle: Side;
  readonly ends: readonly [number, number];
}

const LENGTHS: readonly ((search: Search, best: BestPaths) => void)[] = [oneHop, twoHops, threeHops, fourHops];

/** Adds all edges of some nodes to existing ones, chained by target. */
function reach({ columns: { isLive }, edges, explorer }: Search, side: Side, codes: readonly number[]): void {
  const { head, nodes } = side;
  for (const pass of explorer.passes) {
    for (const from of codes) {
      explorer.visit(pass, from, (to, kind, date, record) => {
        if (head[to] === 0) {
          if (isLive[to] === 0) return;
          nodes.push(to);
        }
        head[to] = addEdge(edges, { from, to, kind, date, record }, head[to]);
      });
    }
  }
}

/** Calls `work` with the edges to a node, newest first, until it returns false. */
function eachEdge({ previous }: Edges, side: Side, node: number, work: (edge: number) => boolean): boolean {
  for (let edge = side.head[node]; edge > 0; edge = previous[edge]) if (!work(edge)) return false;
  return true;
}

/** If one end exceeds the bound, the other end may have the edge. */
function oneHop({ edges, from, to, ends: [start, end] }: Search, best: BestPaths): void {
  const [side, other] = from.head[end] > 0 ? [from, end] : [to, start];
  eachEdge(edges, side, other, (edge) => best.add([edge]));
}

function twoHops({ edges, from, to }: Search, best: BestPaths): void {
  const [fewer, others] = from.nodes.length < to.nodes.length ? [from, to] : [to, from];
  for (const node of fewer.nodes) {
    if (others.head[node] === 0) continue;
    if (!eachEdge(edges, from, node, (one) => eachEdge(edges, to, node, (two) => best.add([one, two])))) return;
  }
}

/** The middle edge is searched from the end with the smaller neighbourhood. */
function threeHops(search: Search, best: BestPaths): void {
  const { edges, from, to, ends } = search;
  const isForth = from.nodes.length <= to.nodes.length;
  const [near, far] = isForth ? [from, to] : [to, from];
  const middles = chosen(
    search,
    near.nodes.filter((node) => !ends.includes(node)),
    far.head,
  );
  for (const middle of middles) {
    const [first, last] = isForth ? [edges.from[middle], edges.to[middle]] : [edges.to[middle], edges.from[middle]];
    const add = (one: number): boolean => eachEdge(edges, to, last, (three) => best.add([one, middle, three]));
    if (!eachEdge(edges, from, first, add)) return;
  }
}

function fourHops(search: Search, best: BestPaths): void {
  const { edges, from, to, middle, ends } = search;
  const isBetween = (node: number): boolean => !ends.includes(node);
  reach(search, middle, to.nodes.filter(isBetween));
  const seconds = chosen(search, from.nodes.filter(isBetween), middle.head);
  for (const two of seconds) {
    const isMore = eachEdge(edges, middle, edges.to[two], (three) =>
      eachEdge(edges, to, edges.from[three], (four) =>
        eachEdge(edges, from, edges.from[two], (one) => best.add([one, two, three, four])),
      ),
    );
    if (!isMore) return;
  }
}

/** Edges from some nodes to those reached from a side, the strongest first; adjacent per node and strength. */
function chosen({ edges, explorer }: Search, codes: readonly number[], wanted: Uint32Array): number[] {
  const found: number[] = [];
  for (const pass of explorer.passes) {
    for (const from of codes) {
      const keep: Parameters<Explorer['visit']>[2] = (to, kind, date, record) => {
        const last = found.at(-1) ?? 0;
        const edge = addEdge(edges, { from, to, kind, date, record }, last);
        if (edge !== last) found.push(edge);
      };
      explorer.visit(pass, from, keep, wanted);
    }
  }
  return found;
}
