import { CONNECTION_KINDS, WEAKNESS } from '../../../contract/connections.ts';
import type { Columns } from './columns.ts';
import type { Edge, Edges } from './edges.ts';
import { isGathering } from './neighbours.ts';

/** A path as codes of its nodes, with one edge less. */
export interface Path {
  readonly nodes: readonly number[];
  readonly edges: readonly Pick<Edge, 'kind' | 'date' | 'record'>[];
}

/**
 * Keeps the best paths of one length. Per sequence of nodes only the best edges are kept, except that a direct
 * connection keeps all.
 */
export interface BestPaths {
  /** Adds a path by the numbers of its edges, in any direction. False if no more are wanted. */
  add(numbers: readonly number[]): boolean;
  paths(): Path[];
  /** Whether there were more paths than the bound. */
  isCut(): boolean;
}

interface Wanted {
  /** First node of every path. */
  readonly start: number;
  readonly count: number;
  readonly comparedMax: number;
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

export function createBestPaths(columns: Columns, edges: Edges, { start, count, comparedMax }: Wanted): BestPaths {
  /** Sorted, at most `count`. */
  const kept: Ranked[] = [];
  let left = comparedMax;
  const compare = (one: Ranked, other: Ranked): number =>
    one.rank - other.rank || compareRecords(columns, edges, one, other);
  return {
    add(numbers) {
      left -= 1;
      if (left < 0) return false;
      const rank = rankOf(edges, numbers);
      // Most paths are rejected here, before anything is built.
      const worst = kept[count - 1];
      if (worst !== undefined && rank > worst.rank) return true;
      const nodes = nodesOf(columns, edges, { start, numbers });
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
    paths: () =>
      kept.map(({ nodes, numbers }) => ({
        nodes,
        edges: numbers.map((number) => ({
          kind: edges.kind[number],
          date: edges.date[number],
          record: edges.record[number],
        })),
      })),
    isCut: () => left < 0,
  };
}

/** Orders by the weakest kind, the sum of all kinds, and the oldest date; an unknown date counts as oldest. */
function rankOf({ kind, date }: Edges, numbers: readonly number[]): number {
  let weakest = 0;
  let sum = 0;
  let oldest = DATE_ROOM;
  for (const number of numbers) {
    const weakness = WEAKNESSES[kind[number]];
    sum += weakness;
    if (weakness > weakest) weakest = weakness;
    if (date[number] < oldest) oldest = date[number];
  }
  return (weakest * SUM_ROOM + sum) * DATE_ROOM - oldest;
}

/** Undefined if the path repeats a node, or uses a round or event twice. */
function nodesOf(
  { type }: Columns,
  { from, to, record }: Edges,
  { start, numbers }: { readonly start: number; readonly numbers: readonly number[] },
): number[] | undefined {
  const nodes = [start];
  let last = start;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index];
    last = from[number] === last ? to[number] : from[number];
    if (nodes.includes(last)) return undefined;
    nodes.push(last);
    if (!isGathering(type[record[number]])) continue;
    for (let before = 0; before < index; before += 1) if (record[numbers[before]] === record[number]) return undefined;
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
