import { ensureCapacities } from '../ensure-capacity.ts';

const START = 1_024;

/** Edges in arrays, numbered from 1; edges to the same node are chained. */
export type Edges = ReturnType<typeof createEdges>;

export const createEdges = () => ({
  to: new Uint32Array(START),
  kind: new Uint8Array(START),
  date: new Uint32Array(START),
  record: new Uint32Array(START),
  from: new Uint32Array(START),
  /** Previous edge to the same node; 0 for the first. */
  previous: new Uint32Array(START),
  length: 1,
});

const BY_NUMBER = ['to', 'kind', 'date', 'record', 'from', 'previous'] as const;

export function clearEdges(edges: Edges): void {
  edges.length = 1;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly kind: number;
  readonly date: number;
  readonly record: number;
}

/** Adds an edge to a chain and returns its number. Duplicate edges of one record are combined, keeping the newer date. */
export function addEdge(edges: Edges, { from, to, kind, date, record }: Edge, previous: number): number {
  const isSame = edges.kind[previous] === kind && edges.record[previous] === record && edges.from[previous] === from;
  if (previous > 0 && isSame && edges.to[previous] === to) {
    if (date > edges.date[previous]) edges.date[previous] = date;
    return previous;
  }
  const number = edges.length++;
  if (number >= edges.to.length) ensureCapacities(edges, BY_NUMBER, number + 1);
  edges.from[number] = from;
  edges.to[number] = to;
  edges.kind[number] = kind;
  edges.date[number] = date;
  edges.record[number] = record;
  edges.previous[number] = previous;
  return number;
}
