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

interface Ranked extends Path {
  /** Sort key, smaller first. */
  readonly rank: readonly number[];
  /** Orders equal ranks; computed when first compared. */
  places?: readonly number[];
}

const WEAKNESSES = CONNECTION_KINDS.map((kind) => WEAKNESS[kind]);

export function createBestPaths(columns: Columns, edges: Edges, { start, count, comparedMax }: Wanted): BestPaths {
  /** Sorted, at most `count`. */
  const kept: Ranked[] = [];
  let left = comparedMax;
  const places = (path: Ranked): readonly number[] => {
    path.places ??= placesOf(columns, path);
    return path.places;
  };
  const compare = (one: Ranked, other: Ranked): number =>
    compareNumbers(one.rank, other.rank) || compareNumbers(places(one), places(other));
  return {
    add(numbers) {
      left -= 1;
      if (left < 0) return false;
      const rank = rankOf(edges, numbers);
      // Most paths are rejected here, before anything is built.
      const worst = kept[count - 1];
      if (worst !== undefined && compareNumbers(rank, worst.rank) > 0) return true;
      const path = pathOf(columns, edges, { start, numbers });
      if (path === undefined) return true;
      const ranked: Ranked = { ...path, rank };
      const known = numbers.length === 1 ? -1 : kept.findIndex(({ nodes }) => isSame(nodes, path.nodes));
      const same = kept[known];
      if (same !== undefined && compare(ranked, same) >= 0) return true;
      if (same !== undefined) kept.splice(known, 1);
      const better = kept.findIndex((each) => compare(ranked, each) < 0);
      kept.splice(better < 0 ? kept.length : better, 0, ranked);
      kept.length = Math.min(kept.length, count);
      return true;
    },
    paths: () => kept.map(({ nodes, edges: between }) => ({ nodes, edges: between })),
    isCut: () => left < 0,
  };
}

/** The weakest kind, the sum of all kinds, and the oldest date; an unknown date counts as oldest. */
function rankOf({ kind, date }: Edges, numbers: readonly number[]): [number, number, number] {
  let weakest = 0;
  let sum = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for (const number of numbers) {
    const weakness = WEAKNESSES[kind[number]];
    sum += weakness;
    if (weakness > weakest) weakest = weakness;
    if (date[number] < oldest) oldest = date[number];
  }
  return [weakest, sum, -oldest];
}

/** Undefined if it repeats a node, or uses a round or event twice. */
function pathOf(
  { type }: Columns,
  { from, to, kind, date, record }: Edges,
  { start, numbers }: { readonly start: number; readonly numbers: readonly number[] },
): Path | undefined {
  const nodes = [start];
  for (const number of numbers) {
    const last = nodes.at(-1);
    nodes.push(from[number] === last ? to[number] : from[number]);
  }
  if (nodes.some((node, place) => nodes.indexOf(node) < place)) return undefined;
  const gatherings = numbers.map((number) => record[number]).filter((each) => isGathering(type[each]));
  if (gatherings.some((each, place) => gatherings.indexOf(each) < place)) return undefined;
  const edges = numbers.map((number) => ({ kind: kind[number], date: date[number], record: record[number] }));
  return { nodes, edges };
}

/** Ties are ordered by type and id, which is deterministic across processes. */
function placesOf({ type, id }: Columns, { nodes, edges }: Path): number[] {
  const between = edges.flatMap(({ kind, record }) => [kind, type[record], id[record]]);
  return [...nodes.flatMap((code) => [type[code], id[code]]), ...between];
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((node, place) => node === other[place]);

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let place = 0; place < one.length; place += 1) {
    if (one[place] !== other[place]) return one[place] - other[place];
  }
  return 0;
}
