import type { Posting as SourceOf } from '../../search/term-matches.ts';
import type { Layout } from './ordinals.ts';
import { bitsStart, decodeRun, firstOfKey, runsOf, SEGMENT_BYTES_MAX, type SegmentPart } from './segments.ts';
import { type OrdinalSet, placeIn, unite } from './sets.ts';
import type { PostingReader, TermLists } from './term-lists.ts';

type Source = SourceOf<TermLists>;

/** Reads postings with scratch memory reused across searches. */
export interface SourceReader {
  set(source: Source, layout: Layout): OrdinalSet;
  /** Documents of each source, optionally only where its weight is at least `worth`. */
  sets(sources: readonly Source[], layout: Layout, worth?: number): OrdinalSet[];
  union(sources: readonly Source[], layout: Layout): OrdinalSet;
  /** Raises the values of documents that the source contains to its weight there. */
  raise(source: Source, layout: Layout, raised: Raised): void;
}

/** Ascending document ids with values. */
export interface Raised {
  ordinals: Uint32Array;
  /** Dense bit indexes of the ids. */
  bits: Uint32Array;
  values: Float32Array;
}

/** From this many documents on, frequent lists are decoded completely; rare lists always are. */
const DECODED_FOR_MIN = 64;
/** Lists longer by this ratio are searched by bisection; others are merged. */
const STEPPED_RATIO_MAX = 16;
const SEGMENT_ORDINALS_MAX = SEGMENT_BYTES_MAX * 8;

export function createSourceReader(terms: PostingReader): SourceReader {
  const decoded = new Uint32Array(SEGMENT_ORDINALS_MAX);

  const setOf = ({ lists, fields, weights }: Source, layout: Layout, worth: number): OrdinalSet => {
    let end = fields;
    // Fields are in descending order of weight.
    while (end > 0 && weights[end - 1] < worth) end--;
    return terms.upTo(lists, end, layout);
  };

  const raiseByLists = ({ lists, fields, weights }: Source, raised: Raised) => {
    for (let field = 0; field < fields; field++) {
      const { entries } = lists.byField[field];
      let start = 0;
      for (let place = 0; place < entries.length && start < raised.ordinals.length; place++) {
        const first = firstOfKey(entries[place].key);
        const next = entries[place + 1];
        start = endBefore(raised.ordinals, start, first);
        const end = next ? endBefore(raised.ordinals, start, firstOfKey(next.key)) : raised.ordinals.length;
        if (start === end) continue;
        let from = start;
        for (const run of runsOf(first, terms.data(entries[place]))) {
          if (from >= end) break;
          const part = { raised, start: from, end, value: weights[field] };
          from = run.isBits ? raiseByBits(run, part) : raiseBySteps(decoded, decodeRun(run, decoded, 0), part);
        }
        start = end;
      }
    }
  };

  const raiseBySets = ({ lists, fields, weights }: Source, layout: Layout, raised: Raised) => {
    for (let field = fields - 1; field >= 0; field--) {
      if (lists.byField[field].count === 0) continue;
      // Sets are cumulative; documents of earlier fields weigh more and are raised again.
      const { bits, ordinals } = terms.upTo(lists, field + 1, layout);
      if (bits) raiseByAllBits(bits, raised, weights[field]);
      else if (ordinals.length < raised.ordinals.length * STEPPED_RATIO_MAX)
        raiseBySteps(ordinals, ordinals.length, {
          raised,
          start: 0,
          end: raised.ordinals.length,
          value: weights[field],
        });
      else raiseBySearch(ordinals, raised, weights[field]);
    }
  };

  return {
    set: (source, layout) => setOf(source, layout, 0),
    sets: (sources, layout, worth = 0) => sources.map((source) => setOf(source, layout, worth)),
    union: (sources, layout) =>
      unite(
        layout,
        sources.map((source) => setOf(source, layout, 0)),
      ),
    raise(source, layout, raised) {
      const { isCommon, upTo } = source.lists;
      const isDecoded = upTo.length >= source.fields;
      if (isDecoded || !isCommon || raised.ordinals.length >= DECODED_FOR_MIN) raiseBySets(source, layout, raised);
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

function raiseBySearch(held: Uint32Array, { ordinals, values }: Raised, value: number): void {
  for (let index = 0; index < ordinals.length; index++) {
    if (values[index] < value && held[placeIn(held, ordinals[index])] === ordinals[index]) values[index] = value;
  }
}

/** Not spread into one object, because that copy dominates the loop's cost. */
interface RaisedPart {
  raised: Raised;
  start: number;
  end: number;
  value: number;
}

function endBefore(ordinals: Uint32Array, start: number, border: number): number {
  let end = start;
  while (end < ordinals.length && ordinals[end] < border) end++;
  return end;
}

/** Returns the index of the first document after the run. */
function raiseByBits({ first, data }: SegmentPart, { raised, start, end, value }: RaisedPart): number {
  const { ordinals, values } = raised;
  const base = bitsStart(first);
  for (let index = start; index < end; index++) {
    const bit = ordinals[index] - base;
    if (bit < 0) continue;
    if (bit >>> 3 >= data.length) return index;
    if ((data[bit >>> 3] >>> (bit & 7)) & 1 && values[index] < value) values[index] = value;
  }
  return end;
}

function raiseBySteps(held: Uint32Array, length: number, { raised, start, end, value }: RaisedPart): number {
  const { ordinals, values } = raised;
  let place = 0;
  for (let index = start; index < end; index++) {
    while (place < length && held[place] < ordinals[index]) place++;
    if (place === length) return index;
    if (held[place] === ordinals[index] && values[index] < value) values[index] = value;
  }
  return end;
}
