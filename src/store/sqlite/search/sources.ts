import type { Posting as SourceOf } from '../../search/term-matches.ts';
import type { Layout } from './bitmap-layout.ts';
import {
  BLOCK_BYTES_MAX,
  bitmapStart,
  type Container,
  containersOf,
  decodeContainer,
  idOfKey,
} from './postings-codec.ts';
import { type DocIdSet, lowerBound, union } from './sets.ts';
import type { PostingReader, TermLists } from './term-lists.ts';

type Source = SourceOf<TermLists>;

/** Reads postings with scratch memory reused across searches. */
export interface SourceReader {
  set(source: Source, layout: Layout): DocIdSet;
  /** Documents of each source, optionally only where its weight is at least `worth`. */
  sets(sources: readonly Source[], layout: Layout, weightMin?: number): DocIdSet[];
  union(sources: readonly Source[], layout: Layout): DocIdSet;
  /** Raises the values of documents that the source contains to its weight there. */
  raise(source: Source, layout: Layout, raised: Raised): void;
}

/** Ascending document ids with values. */
export interface Raised {
  docIds: Uint32Array;
  /** Dense bit indexes of the ids. */
  bits: Uint32Array;
  values: Float32Array;
}

/** From this many documents on, frequent lists are decoded completely; rare lists always are. */
const DECODED_FOR_MIN = 64;
/** Lists longer by this ratio are searched by bisection; others are merged. */
const STEPPED_RATIO_MAX = 16;
const BLOCK_DOC_IDS_MAX = BLOCK_BYTES_MAX * 8;

export function createSourceReader(terms: PostingReader): SourceReader {
  const decoded = new Uint32Array(BLOCK_DOC_IDS_MAX);

  const setOf = ({ lists, fields, weights }: Source, layout: Layout, weightMin: number): DocIdSet => {
    let end = fields;
    // Fields are in descending order of weight.
    while (end > 0 && weights[end - 1] < weightMin) end--;
    return terms.upTo(lists, end, layout);
  };

  const raiseByLists = ({ lists, fields, weights }: Source, raised: Raised) => {
    for (let field = 0; field < fields; field++) {
      const { entries } = lists.byField[field];
      let start = 0;
      for (let place = 0; place < entries.length && start < raised.docIds.length; place++) {
        const first = idOfKey(entries[place].key);
        const next = entries[place + 1];
        start = endBefore(raised.docIds, start, first);
        const end = next ? endBefore(raised.docIds, start, idOfKey(next.key)) : raised.docIds.length;
        if (start === end) continue;
        let from = start;
        for (const container of containersOf(first, terms.data(entries[place]))) {
          if (from >= end) break;
          const part = { raised, start: from, end, value: weights[field] };
          from = container.isBitmap
            ? raiseByBits(container, part)
            : raiseBySteps(decoded, decodeContainer(container, decoded, 0), part);
        }
        start = end;
      }
    }
  };

  const raiseBySets = ({ lists, fields, weights }: Source, layout: Layout, raised: Raised) => {
    for (let field = fields - 1; field >= 0; field--) {
      if (lists.byField[field].count === 0) continue;
      // Sets are cumulative; documents of earlier fields weigh more and are raised again.
      const { bits, docIds } = terms.upTo(lists, field + 1, layout);
      if (bits) raiseByAllBits(bits, raised, weights[field]);
      else if (docIds.length < raised.docIds.length * STEPPED_RATIO_MAX)
        raiseBySteps(docIds, docIds.length, {
          raised,
          start: 0,
          end: raised.docIds.length,
          value: weights[field],
        });
      else raiseBySearch(docIds, raised, weights[field]);
    }
  };

  return {
    set: (source, layout) => setOf(source, layout, 0),
    sets: (sources, layout, weightMin = 0) => sources.map((source) => setOf(source, layout, weightMin)),
    union: (sources, layout) =>
      union(
        layout,
        sources.map((source) => setOf(source, layout, 0)),
      ),
    raise(source, layout, raised) {
      const { isCommon, upTo } = source.lists;
      const isDecoded = upTo.length >= source.fields;
      if (isDecoded || !isCommon || raised.docIds.length >= DECODED_FOR_MIN) raiseBySets(source, layout, raised);
      else raiseByLists(source, raised);
    },
  };
}

function raiseByAllBits(set: Uint32Array, { bits, values }: Raised, value: number): void {
  for (let index = 0; index < bits.length; index++) {
    const bit = bits[index];
    if ((set[bit >>> 5] >>> (bit & 31)) & 1 && values[index] < value) values[index] = value;
  }
}

function raiseBySearch(held: Uint32Array, { docIds, values }: Raised, value: number): void {
  for (let index = 0; index < docIds.length; index++) {
    if (values[index] < value && held[lowerBound(held, docIds[index])] === docIds[index]) values[index] = value;
  }
}

/** Not spread into one object, because that copy dominates the loop's cost. */
interface RaisedPart {
  raised: Raised;
  start: number;
  end: number;
  value: number;
}

function endBefore(docIds: Uint32Array, start: number, border: number): number {
  let end = start;
  while (end < docIds.length && docIds[end] < border) end++;
  return end;
}

/** Returns the index of the first document after the container. */
function raiseByBits({ first, data }: Container, { raised, start, end, value }: RaisedPart): number {
  const { docIds, values } = raised;
  const base = bitmapStart(first);
  for (let index = start; index < end; index++) {
    const bit = docIds[index] - base;
    if (bit < 0) continue;
    if (bit >>> 3 >= data.length) return index;
    if ((data[bit >>> 3] >>> (bit & 7)) & 1 && values[index] < value) values[index] = value;
  }
  return end;
}

function raiseBySteps(held: Uint32Array, length: number, { raised, start, end, value }: RaisedPart): number {
  const { docIds, values } = raised;
  let place = 0;
  for (let index = start; index < end; index++) {
    while (place < length && held[place] < docIds[index]) place++;
    if (place === length) return index;
    if (held[place] === docIds[index] && values[index] < value) values[index] = value;
  }
  return end;
}
