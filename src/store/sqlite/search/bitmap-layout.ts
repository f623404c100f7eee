import { docIdOf, POSITION_BITS, stepOf } from '../../search/doc-ids.ts';
import { RANK_BUCKETS } from '../../search/scoring.ts';

const POSITION_MASK = 2 ** POSITION_BITS - 1;
const WORD_BITS = 32;

const positionOf = (docId: number): number => docId & POSITION_MASK;

/** Maps document ids to dense bits and back: rank steps in sequence, each aligned to a word. */
export interface Layout {
  /** First word of each step, and the end. */
  starts: number[];
  words: number;
}

/** `used` has the number of allocated positions of each step. */
export function layoutOf(used: readonly number[]): Layout {
  const starts: number[] = [];
  let words = 0;
  for (const positions of used) {
    starts.push(words);
    words += Math.ceil(positions / WORD_BITS);
  }
  return { starts, words };
}

/** The bitmap word of a document id; the bit is its low five bits. */
export function wordOf(layout: Layout, docId: number): number {
  return layout.starts[stepOf(docId)] + (positionOf(docId) >>> 5);
}

/** The document id of bit 0 of a word. */
export function docIdOfWord(layout: Layout, word: number): number {
  let step = RANK_BUCKETS - 1;
  while (layout.starts[step] > word) step--;
  return docIdOf(step, (word - layout.starts[step]) * WORD_BITS);
}
