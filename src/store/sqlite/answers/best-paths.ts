import { CONNECTION_KINDS, WEAKNESS } from '../../../contract/connections.ts';
import type { Columns } from './columns.ts';
import type { Edge, Edges } from './edges.ts';
import { isGathering } from './neighbours.ts';

/** A path by codes: its nodes, one more than its edges. */
export interface Path {
  readonly nodes: readonly number[];
  readonly edges: readonly Pick<Edge, 'kind' | 'date' | 'record'>[];
}

/**
 * Keeps the best of the paths of one length. Records that meet in many rounds or events are on one path, with the best of those;
 * two that are connected directly are told all that connects them.
 */
export interface BestPaths {
  /** Takes the numbers of a path's connections, each in any direction; false when no more are wanted. */
  add(numbers: readonly number[]): boolean;
  paths(): Path[];
  /** Whether more came than are compared. */
  isCut(): boolean;
}

interface Wanted {
  /** The record that every path begins with. */
  readonly start: number;
  readonly count: number;
  readonly comparedMax: number;
}

interface Ranked extends Path {
  /** What paths are compared by, the smaller first. */
  readonly key: readonly number[];
}

const WEAKNESSES = CONNECTION_KINDS.map((kind) => WEAKNESS[kind]);

export function createBestPaths(columns: Columns, edges: Edges, { start, count, comparedMax }: Wanted): BestPaths {
  let kept: Ranked[] = [];
  let left = comparedMax;
  let worst: Ranked | undefined;
  const cut = (): void => {
    kept = kept.sort(compareKeys).slice(0, count);
    worst = kept[count - 1];
  };
  return {
    add(numbers) {
      left -= 1;
      if (left < 0) return false;
      const rank = rankOf(edges, numbers);
      // Most are worse than those that are kept, which is known without more.
      if (worst !== undefined && compareNumbers(rank, worst.key) > 0) return true;
      const path = pathOf(columns, edges, { start, numbers });
      if (path === undefined) return true;
      const ranked = { ...path, key: [...rank, ...placesOf(columns, path)] };
      const known = numbers.length === 1 ? -1 : kept.findIndex(({ nodes }) => isSame(nodes, path.nodes));
      if (known < 0) kept.push(ranked);
      else if (compareKeys(ranked, kept[known]) < 0) kept[known] = ranked;
      if (worst === undefined || kept.length > count * 2) cut();
      return true;
    },
    paths() {
      cut();
      return kept.map(({ nodes, edges: between }) => ({ nodes, edges: between }));
    },
    isCut: () => left < 0,
  };
}

/** The weakest kind, the sum of all, and the date of the oldest connection: one that is not known counts as the oldest. */
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

/** Undefined for one that comes by a record twice, or uses a round or an event twice. */
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
  const gatherings = numbers.map((number) => record[number]).filter((each) => isGathering(type[each]));
  if (new Set(nodes).size < nodes.length || new Set(gatherings).size < gatherings.length) return undefined;
  const edges = numbers.map((number) => ({ kind: kind[number], date: date[number], record: record[number] }));
  return { nodes, edges };
}

/** Equal paths are in the order of their records, which is the same in every process. */
function placesOf({ type, id }: Columns, { nodes, edges }: Path): number[] {
  const between = edges.flatMap(({ kind, record }) => [kind, type[record], id[record]]);
  return [...nodes.flatMap((code) => [type[code], id[code]]), ...between];
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((node, place) => node === other[place]);

const compareKeys = (one: Ranked, other: Ranked): number => compareNumbers(one.key, other.key);

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let place = 0; place < one.length; place += 1) {
    if (one[place] !== other[place]) return one[place] - other[place];
  }
  return 0;
}
