import { CONNECTION_KINDS, WEAKNESS } from '../../../contract/connections.ts';
import { MARKS } from '../../analytics/facts.ts';
import type { Columns } from './columns.ts';
import type { Edge, Edges } from './edges.ts';
import { isGathering } from './neighbours.ts';
import type { Participants } from './participants.ts';

/** A path as codes of its nodes, with one edge less. */
export interface Path {
  readonly nodes: readonly number[];
  readonly edges: readonly Pick<Edge, 'kind' | 'date' | 'record'>[];
}

interface Wanted {
  /** First node of every path. */
  readonly start: number;
  readonly count: number;
  readonly comparedMax: number;
  readonly participants: Participants;
}

interface Ranked {
  /** Smaller first. */
  readonly rank: number;
  readonly nodes: readonly number[];
  /** Numbers of the edges, from the first node on. */
  readonly numbers: readonly number[];
}

const WEAKNESSES = CONNECTION_KINDS.map((kind) => WEAKNESS[kind]);
/** Above every sum of weaknesses of a path, and above every date as YYYYMMDD. */
const SUM_ROOM = 64;
const DATE_ROOM = 10 ** 8;
/** Above the number of speakers that is compared, so that a rank is exact as a double. */
const SPEAKERS_ROOM = 2 ** 14;
/** Above the number of steps of a path. */
const STEPS_ROOM = 8;
/** By kind, the mark of a record whose connections of the kind only the editors of the data set state; 0 for none. */
const UNSOURCED_MARKS = Uint8Array.from(
  CONNECTION_KINDS,
  (kind) =>
    ({ round: MARKS.unsourced, role: MARKS.unsourcedRoles, founder: MARKS.unsourcedFounders, event: 0, portfolio: 0 })[
      kind
    ],
);
const EVENT = CONNECTION_KINDS.indexOf('event');
/** Kinds that go on for years, so that one without a date does not make a path old. */
const LASTING: ReadonlySet<number> = new Set([CONNECTION_KINDS.indexOf('role'), CONNECTION_KINDS.indexOf('founder')]);

/**
 * Keeps the best paths of one length. Per sequence of nodes only the best edges are kept, except that a direct
 * connection keeps all.
 */
export type BestPaths = ReturnType<typeof createBestPaths>;

export function createBestPaths(columns: Columns, edges: Edges, { start, count, comparedMax, participants }: Wanted) {
  /** Sorted, at most `count`. */
  const kept: Ranked[] = [];
  let left = comparedMax;
  const compare = (one: Ranked, other: Ranked): number =>
    one.rank - other.rank || compareRecords(columns, edges, one, other);
  return {
    /** Adds a path by the numbers of its edges, in any direction. False if no more are wanted. */
    add(numbers: readonly number[]): boolean {
      left -= 1;
      if (left < 0) return false;
      const rank = rankOf(columns, edges, { numbers, participants });
      // Most paths are rejected here, before anything is built.
      const worst = kept[count - 1];
      if (worst !== undefined && rank > worst.rank) return true;
      const nodes = nodesOf(columns, edges, { start, numbers, participants });
      if (nodes === undefined) return true;
      const ranked: Ranked = { rank, nodes, numbers };
      if (worst !== undefined && compare(ranked, worst) >= 0) return true;
      const known = numbers.length === 1 ? -1 : kept.findIndex((each) => isSame(each.nodes, nodes));
      const same = kept[known];
      if (same !== undefined && compare(ranked, same) >= 0) return true;
      if (same !== undefined) kept.splice(known, 1);
      const better = kept.findIndex((each) => compare(ranked, each) < 0);
      kept.splice(better < 0 ? kept.length : better, 0, ranked);
      kept.length = Math.min(kept.length, count);
      return true;
    },
    paths: (): Path[] =>
      kept.map(({ nodes, numbers }) => ({
        nodes,
        edges: numbers.map((number) => ({
          kind: edges.kind[number],
          date: edges.date[number],
          record: edges.record[number],
        })),
      })),
    /** Whether there were more paths than the bound. */
    isCut: (): boolean => left < 0,
  };
}

/**
 * Orders by the weakest kind, the sum of all kinds, what only the editors of the data set state (except of direct
 * connections, which are all kept), the number of speakers (the fewer, the likelier that two have met), and the oldest date;
 * unknown dates count as oldest, except those of roles.
 */
function rankOf(
  { marks }: Columns,
  { kind, date, record }: Edges,
  { numbers, participants }: Pick<Candidate, 'numbers' | 'participants'>,
): number {
  let weakest = 0;
  let sum = 0;
  let unsourced = 0;
  let speakers = 0;
  let oldest = DATE_ROOM;
  for (const number of numbers) {
    const weakness = WEAKNESSES[kind[number]];
    sum += weakness;
    if (weakness > weakest) weakest = weakness;
    if ((marks[record[number]] & UNSOURCED_MARKS[kind[number]]) !== 0) unsourced += 1;
    if (kind[number] === EVENT) speakers += participants.speakers(record[number]);
    if (date[number] < oldest && (date[number] > 0 || !LASTING.has(kind[number]))) oldest = date[number];
  }
  const crowd = Math.min(speakers, SPEAKERS_ROOM - 1);
  const strength = (weakest * SUM_ROOM + sum) * STEPS_ROOM + (numbers.length > 1 ? unsourced : 0);
  return (strength * SPEAKERS_ROOM + crowd) * DATE_ROOM - oldest;
}

interface Candidate extends Pick<Wanted, 'start' | 'participants'> {
  readonly numbers: readonly number[];
}

/** Undefined if the path repeats a node, or a round or event of it connects two nodes that it connects in more steps. */
function nodesOf({ type }: Columns, edges: Edges, { start, numbers, participants }: Candidate): number[] | undefined {
  const { from, to, record } = edges;
  const nodes = [start];
  let last = start;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index];
    last = from[number] === last ? to[number] : from[number];
    if (nodes.includes(last)) return undefined;
    nodes.push(last);
  }
  for (let index = 0; index < numbers.length && numbers.length > 1; index += 1) {
    const gathering = record[numbers[index]];
    if (!isGathering(type[gathering])) continue;
    const members = participants.of(gathering);
    const isDetour = nodes.some(
      (node, place) => (place < index || place > index + 1) && (members.has(node) || node === gathering),
    );
    if (isDetour) return undefined;
  }
  return nodes;
}

/** Orders ties by type and id, which is deterministic across processes: of the nodes, then of the records of the edges. */
function compareRecords({ type, id }: Columns, { kind, record }: Edges, one: Ranked, other: Ranked): number {
  const compareCodes = (left: number, right: number): number => type[left] - type[right] || id[left] - id[right];
  for (let index = 0; index < one.nodes.length; index += 1) {
    const order = compareCodes(one.nodes[index], other.nodes[index]);
    if (order !== 0) return order;
  }
  for (let index = 0; index < one.numbers.length; index += 1) {
    const [left, right] = [one.numbers[index], other.numbers[index]];
    const order = kind[left] - kind[right] || compareCodes(record[left], record[right]);
    if (order !== 0) return order;
  }
  return 0;
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((node, index) => node === other[index]);
