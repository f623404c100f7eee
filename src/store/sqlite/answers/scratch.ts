import { roomFor } from './value-lists.ts';

/** Arrays by code that searches use one after the other: to make them each time would cost more than a search. */
export interface Scratch {
  /** Grows with each use, so that what stands in the marks of earlier ones says nothing. */
  turn: number;
  /** Rounds and events that were gone through from a record, and members that were told of one of them: the turn of that. */
  gatherings: Uint32Array;
  members: Uint32Array;
  /** All zero between two searches. */
  heads: readonly Uint32Array[];
}

const HEADS = 3;

export const createScratch = (): Scratch => ({
  turn: 0,
  gatherings: new Uint32Array(1),
  members: new Uint32Array(1),
  heads: Array.from({ length: HEADS }, () => new Uint32Array(1)),
});

/** Makes the arrays long enough for so many codes. */
export function fitScratch(scratch: Scratch, codes: number): void {
  scratch.gatherings = roomFor(scratch.gatherings, codes);
  scratch.members = roomFor(scratch.members, codes);
  scratch.heads = scratch.heads.map((head) => roomFor(head, codes));
}
