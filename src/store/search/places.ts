import { IMPORTANCE_STEPS } from './layers.ts';

/** Ordinals are kept in so many bits. */
export const ORDINAL_BITS = 26;

/**
 * A document's ordinal is its step of importance, best first, and its place in that step in the order of records' numbers.
 * So what is in the order of ordinals is in static order, and its beginning is its best part.
 */
export const PLACE_BITS = ORDINAL_BITS - Math.log2(IMPORTANCE_STEPS);
export const PLACES_MAX = 2 ** PLACE_BITS;

export const ordinalOf = (step: number, place: number): number => step * PLACES_MAX + place;
export const stepOf = (ordinal: number): number => ordinal >>> PLACE_BITS;

/** Documents of a type, and by step the end of the places given out. */
export interface Sizes {
  documents: number;
  steps: number[];
}

/** Sizes as they are kept. */
export interface SizesRow {
  documents: number;
  steps: string;
}

export function parseSizes(row: SizesRow | undefined): Sizes {
  if (!row) return { documents: 0, steps: new Array<number>(IMPORTANCE_STEPS).fill(0) };
  return { documents: row.documents, steps: row.steps.split(' ').map(Number) };
}
