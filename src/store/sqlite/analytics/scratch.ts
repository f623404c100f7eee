import { ensureCapacities, ensureCapacity } from '../ensure-capacity.ts';
import { createEdges } from './edges.ts';

const HEADS = 3;

/** Arrays by code reused by successive searches, because allocating them costs more than a search. */
export type Scratch = ReturnType<typeof createScratch>;

export const createScratch = () => ({
  /** Incremented with each use, which invalidates all earlier marks. */
  turn: 0,
  /** Rounds and events visited from a node, and participants reported, by turn. */
  gatherings: new Uint32Array(1),
  members: new Uint32Array(1),
  /** All zero between searches. */
  heads: Array.from({ length: HEADS }, () => new Uint32Array(1)),
  edges: createEdges(),
});

/** Grows the arrays to the number of codes. */
export function fitScratch(scratch: Scratch, codes: number): void {
  ensureCapacities(scratch, ['gatherings', 'members'], codes);
  scratch.heads = scratch.heads.map((head) => ensureCapacity(head, codes));
}
