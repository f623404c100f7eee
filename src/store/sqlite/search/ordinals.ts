import { IMPORTANCE_STEPS } from '../../search/layers.ts';
import { ORDINAL_BITS } from './segments.ts';

/**
 * A document's ordinal is its step of importance, best first, and its place in that step in order of arrival.
 * So every list is in static order, and its beginning is its best part.
 */
const PLACE_BITS = ORDINAL_BITS - Math.log2(IMPORTANCE_STEPS);
const PLACE_MASK = 2 ** PLACE_BITS - 1;
export const PLACES_MAX = 2 ** PLACE_BITS;
const WORD_BITS = 32;

export const ordinalOf = (step: number, place: number): number => step * PLACES_MAX + place;
export const stepOf = (ordinal: number): number => ordinal >>> PLACE_BITS;
const placeOf = (ordinal: number): number => ordinal & PLACE_MASK;

/** Maps ordinals to bits without gaps and back: the steps one after the other, each from a whole word on. */
export interface Layout {
  /** The first word of each step, and the end. */
  starts: number[];
  words: number;
}

/** `used` is the number of places given out in each step. */
export function layoutOf(used: readonly number[]): Layout {
  const starts: number[] = [];
  let words = 0;
  for (const places of used) {
    starts.push(words);
    words += Math.ceil(places / WORD_BITS);
  }
  return { starts, words };
}

/** The word of a bitmap that holds this ordinal; its bit is the ordinal's last five bits. */
export function wordOf(layout: Layout, ordinal: number): number {
  return layout.starts[stepOf(ordinal)] + (placeOf(ordinal) >>> 5);
}

/** The ordinal of bit 0 of a word. */
export function ordinalOfWord(layout: Layout, word: number): number {
  let step = IMPORTANCE_STEPS - 1;
  while (layout.starts[step] > word) step--;
  return ordinalOf(step, (word - layout.starts[step]) * WORD_BITS);
}
