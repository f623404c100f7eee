import { createEdges, type Edges } from './edges.ts';
import { roomFor } from './value-lists.ts';

/** Arrays by code reused by successive searches, because allocating them costs more than a search. */
export interface Scratch {
  /** Incremented with each use, which invalidates all earlier marks. */
  turn: number;
  /** Rounds and events visited from a node, and participants reported, by turn. */
  gatherings: Uint32Array;
  members: Uint32Array;
  /** All zero between searches. */
  heads: readonly Uint32Array[];
  /** Edges of the current search. */
  readonly edges: Edges;
}

const HEADS = 3;

export const createScratch = (): Scratch => ({
  turn: 0,
  gatherings: new Uint32Array(1),
  members: new Uint32Array(1),
  heads: Array.from({ length: HEADS }, () => new Uint32Array(1)),
  edges: createEdges(),
});

/** Grows the arrays to the number of codes. */
export function fitScratch(scratch: Scratch, codes: number): void {
  scratch.gatherings = roomFor(scratch.gatherings, codes);
  scratch.members = roomFor(scratch.members, codes);
  scratch.heads = scratch.heads.map((head) => roomFor(head, codes));
}
