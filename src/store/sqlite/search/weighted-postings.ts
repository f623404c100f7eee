import type { WeightedPostings } from '../../search/term-matches.ts';
import {
  BLOCK_BYTES_MAX,
  bitmapStart,
  type Container,
  containersOf,
  decodeContainer,
  idOfKey,
} from './postings-codec.ts';
import { type DocIdSet, type Layout, lowerBound, union } from './sets.ts';
import type { PostingsReader } from './term-postings.ts';

type Weighted = WeightedPostings;

/** Candidate documents, ascending, with a value each. */
export interface Accumulators {
  docIds: Uint32Array;
  /** Dense bit indexes of the ids. */
  bits: Uint32Array;
  values: Float32Array;
}

/** From this many documents on, frequent lists are decoded completely; rare lists always are. */
const DECODED_CANDIDATES_MIN = 64;
/** Lists longer by this ratio are searched by bisection; others are merged. */
const MERGED_RATIO_MAX = 16;
const BLOCK_DOC_IDS_MAX = BLOCK_BYTES_MAX * 8;

/** Reads weighted postings as sets or into accumulators. It reuses its buffers, so calls must not be interleaved. */
export type WeightedPostingsReader = ReturnType<typeof createWeightedPostingsReader>;

export function createWeightedPostingsReader(terms: PostingsReader) {
  const decoded = new Uint32Array(BLOCK_DOC_IDS_MAX);

  const setOf = ({ postings, fields, weights }: Weighted, layout: Layout, weightMin: number): DocIdSet => {
    let end = fields;
    // Fields are in descending order of weight.
    while (end > 0 && weights[end - 1] < weightMin) end--;
    return terms.upTo(postings, end, layout);
  };

  const accumulateFromBlocks = ({ postings, fields, weights }: Weighted, accumulators: Accumulators) => {
    for (let field = 0; field < fields; field++) {
      const { entries } = postings.byField[field];
      let start = 0;
      for (let place = 0; place < entries.length && start < accumulators.docIds.length; place++) {
        const first = idOfKey(entries[place].key);
        const next = entries[place + 1];
        start = endBefore(accumulators.docIds, start, first);
        const end = next ? endBefore(accumulators.docIds, start, idOfKey(next.key)) : accumulators.docIds.length;
        if (start === end) continue;
        let from = start;
        for (const container of containersOf(first, terms.data(entries[place]))) {
          if (from >= end) break;
          const part = { accumulators, start: from, end, value: weights[field] };
          from = container.isBitmap
            ? maxFromContainerBitmap(container, part)
            : maxByMerge(decoded, decodeContainer(container, decoded, 0), part);
        }
        start = end;
      }
    }
  };

  const accumulateFromSets = ({ postings, fields, weights }: Weighted, layout: Layout, accumulators: Accumulators) => {
    for (let field = fields - 1; field >= 0; field--) {
      if (postings.byField[field].count === 0) continue;
      // Sets are cumulative; documents of earlier fields weigh more and get their weight later.
      const { bits, docIds } = terms.upTo(postings, field + 1, layout);
      if (bits) maxFromBitmap(bits, accumulators, weights[field]);
      else if (docIds.length * MERGED_RATIO_MAX < accumulators.docIds.length)
        maxOfFew(docIds, accumulators, weights[field]);
      else if (docIds.length < accumulators.docIds.length * MERGED_RATIO_MAX)
        maxByMerge(docIds, docIds.length, {
          accumulators,
          start: 0,
          end: accumulators.docIds.length,
          value: weights[field],
        });
      else maxByBisection(docIds, accumulators, weights[field]);
    }
  };

  return {
    set: (weighted: Weighted, layout: Layout): DocIdSet => setOf(weighted, layout, 0),
    /** Documents of each, optionally only of fields whose weight is at least `weightMin`. */
    sets: (all: readonly Weighted[], layout: Layout, weightMin: number = 0): DocIdSet[] =>
      all.map((weighted) => setOf(weighted, layout, weightMin)),
    union: (all: readonly Weighted[], layout: Layout): DocIdSet =>
      union(
        layout,
        all.map((weighted) => setOf(weighted, layout, 0)),
      ),
    /** Raises the value of each document that has the term to the weight of its field, if that is higher. */
    accumulateMax(weighted: Weighted, layout: Layout, accumulators: Accumulators): void {
      const { postings, fields } = weighted;
      const isDecoded = postings.upTo.length >= fields || postings.wasRead || !postings.isFrequent;
      if (isDecoded || accumulators.docIds.length >= DECODED_CANDIDATES_MIN) {
        accumulateFromSets(weighted, layout, accumulators);
        return;
      }
      accumulateFromBlocks(weighted, accumulators);
      postings.wasRead = true;
    },
  };
}

function maxFromBitmap(set: Uint32Array, { bits, values }: Accumulators, value: number): void {
  for (let index = 0; index < bits.length; index++) {
    const bit = bits[index];
    if ((set[bit >>> 5] >>> (bit & 31)) & 1 && values[index] < value) values[index] = value;
  }
}

function maxByBisection(postings: Uint32Array, { docIds, values }: Accumulators, value: number): void {
  for (let index = 0; index < docIds.length; index++) {
    if (values[index] < value && postings[lowerBound(postings, docIds[index])] === docIds[index]) values[index] = value;
  }
}

function maxOfFew(postings: Uint32Array, { docIds, values }: Accumulators, value: number): void {
  for (const docId of postings) {
    const index = lowerBound(docIds, docId);
    if (docIds[index] === docId && values[index] < value) values[index] = value;
  }
}

/** Not spread into one object, because that copy dominates the loop's cost. */
interface AccumulatorRange {
  accumulators: Accumulators;
  start: number;
  end: number;
  value: number;
}

function endBefore(docIds: Uint32Array, start: number, border: number): number {
  let end = start;
  while (end < docIds.length && docIds[end] < border) end++;
  return end;
}

/** Returns the index of the first candidate after the container. */
function maxFromContainerBitmap(container: Container, { accumulators, start, end, value }: AccumulatorRange): number {
  const { first, data } = container;
  const { docIds, values } = accumulators;
  const base = bitmapStart(first);
  for (let index = start; index < end; index++) {
    const bit = docIds[index] - base;
    if (bit < 0) continue;
    if (bit >>> 3 >= data.length) return index;
    if ((data[bit >>> 3] >>> (bit & 7)) & 1 && values[index] < value) values[index] = value;
  }
  return end;
}

function maxByMerge(postings: Uint32Array, length: number, range: AccumulatorRange): number {
  const { accumulators, start, end, value } = range;
  const { docIds, values } = accumulators;
  let place = 0;
  for (let index = start; index < end; index++) {
    while (place < length && postings[place] < docIds[index]) place++;
    if (place === length) return index;
    if (postings[place] === docIds[index] && values[index] < value) values[index] = value;
  }
  return end;
}
