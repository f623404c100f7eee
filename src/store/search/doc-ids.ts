import { RANK_BUCKETS } from './scoring.ts';

/** Bits of a document id. */
export const DOC_ID_BITS = 26;

/**
 * A document id combines the rank step, best first, and a position within the step in the order of record ids. Document
 * ids are therefore in static order, and a posting list begins with its best documents.
 */
export const POSITION_BITS = DOC_ID_BITS - Math.log2(RANK_BUCKETS);
export const POSITIONS_MAX = 2 ** POSITION_BITS;

export const docIdOf = (step: number, position: number): number => step * POSITIONS_MAX + position;
export const stepOf = (docId: number): number => docId >>> POSITION_BITS;

/** Documents of a type, and allocated positions per step. */
export interface Sizes {
  documents: number;
  steps: number[];
}

export interface SizesRow {
  documents: number;
  steps: string;
}

export function parseSizes(row: SizesRow | undefined): Sizes {
  if (!row) return { documents: 0, steps: new Array<number>(RANK_BUCKETS).fill(0) };
  return { documents: row.documents, steps: row.steps.split(' ').map(Number) };
}
