import { LRUCache } from 'lru-cache';
import { FIELDS } from '../../search/matches.ts';
import { listOf } from './index-writer.ts';
import {
  BLOCK_BYTES_MAX,
  bitmapStart,
  type Container,
  containersOf,
  decodeBlock,
  decodeContainer,
  idOfKey,
  listOfKey,
} from './postings-codec.ts';
import type { BlockEntry, BlockReader } from './postings-table.ts';
import {
  bytesOf,
  type DocIdSet,
  EMPTY_SET,
  isWorthBitmap,
  type Layout,
  setBits,
  setOfBitmap,
  setOfDocIds,
  union,
  wordOf,
} from './sets.ts';

/** Posting lists of a term by field; a document is in one of them. */
export interface TermPostings {
  byField: readonly FieldPostings[];
  /** Whether they are long enough for caching decoded sets. */
  isFrequent: boolean;
  /** Whether a search read some of its blocks instead of decoding it; the next one decodes it, because words recur. */
  wasRead: boolean;
  /** Decoded sets: documents with the term in the first fields, by number of fields less one. */
  upTo: DocIdSet[];
}

interface FieldPostings {
  entries: readonly BlockEntry[];
  count: number;
}

/** Document count from which a term is frequent. */
const FREQUENT_DOCUMENTS_MIN = 2_048;

/** Memory of a term's and an entry's objects besides data. */
const TERM_BYTES = 1_000;
const ENTRY_BYTES = 250;

const BLOCK_DOC_IDS_MAX = BLOCK_BYTES_MAX * 8;
const BLOCK_WORDS_MAX = BLOCK_BYTES_MAX / 4;

/** Reads posting lists of terms, cached with their decoded sets until the index changes. */
export type PostingsReader = ReturnType<typeof createPostingsReader>;

export function createPostingsReader(lists: BlockReader, postingsCache: PostingsCache) {
  const decoded = new Uint32Array(BLOCK_DOC_IDS_MAX);
  const words = new Uint32Array(BLOCK_WORDS_MAX);
  const wordBytes = new Uint8Array(words.buffer);
  const cache = postingsCache.forReader();
  const data = (entry: BlockEntry): Uint8Array => entry.data ?? lists.read(entry.key);

  const fillBits = ({ first, data: bytes }: Container, layout: Layout, target: Uint32Array) => {
    wordBytes.fill(0, bytes.length, (bytes.length + 3) & ~3);
    wordBytes.set(bytes);
    const start = wordOf(layout, bitmapStart(first));
    const length = (bytes.length + 3) >>> 2;
    for (let index = 0; index < length; index++) target[start + index] |= words[index];
  };

  const decode = ({ entries, count }: FieldPostings, layout: Layout): DocIdSet => {
    if (!isWorthBitmap(layout, count)) {
      const docIds = new Uint32Array(count);
      let length = 0;
      for (const entry of entries) length = decodeBlock(idOfKey(entry.key), data(entry), docIds, length);
      return setOfDocIds(docIds);
    }
    const bits = new Uint32Array(layout.words);
    for (const entry of entries) {
      for (const container of containersOf(idOfKey(entry.key), data(entry))) {
        if (container.isBitmap) fillBits(container, layout, bits);
        else setBits(bits, layout, decoded, decodeContainer(container, decoded, 0));
      }
    }
    return setOfBitmap(bits, count);
  };

  const decodeNext = (term: TermPostings, layout: Layout) => {
    const { upTo, byField } = term;
    const list = byField[upTo.length];
    const before = upTo.at(-1) ?? EMPTY_SET;
    const set = list.count === 0 ? before : sized(union(layout, [before, decode(list, layout)]), before, list);
    upTo.push(set);
    if (set !== before) cache.grow(term, bytesOf(set));
  };

  return {
    clear: cache.clear,
    of(term: number): TermPostings {
      const kept = cache.get(term);
      if (kept) return kept;
      const entries = lists.directory(listOf(term, 0), listOf(term, FIELDS.length));
      const known = termPostings(entries);
      cache.set(term, known, bytesOfEntries(entries));
      return known;
    },
    /** Documents with the term in one of the first `fields` fields. */
    upTo(term: TermPostings, fields: number, layout: Layout): DocIdSet {
      while (term.upTo.length < fields) decodeNext(term, layout);
      return term.upTo[fields - 1] ?? EMPTY_SET;
    },
    data,
  };
}

function termPostings(entries: readonly BlockEntry[]): TermPostings {
  const byField: BlockEntry[][] = FIELDS.map(() => []);
  for (const entry of entries) byField[listOfKey(entry.key) % FIELDS.length].push(entry);
  const lists = byField.map((some) => ({ entries: some, count: some.reduce((sum, { count }) => sum + count, 0) }));
  const isFrequent = lists.reduce((sum, { count }) => sum + count, 0) >= FREQUENT_DOCUMENTS_MIN;
  return { byField: lists, isFrequent, wasRead: false, upTo: [] };
}

/** Estimated memory of a term's directory. */
function bytesOfEntries(entries: readonly BlockEntry[]): number {
  return entries.reduce((sum, { data }) => sum + ENTRY_BYTES + (data?.byteLength ?? 0), TERM_BYTES);
}

/** Counts add up, because a document is in one list of a term. */
function sized(set: DocIdSet, before: DocIdSet, list: FieldPostings): DocIdSet {
  return { ...set, size: (before.size ?? 0) + list.count };
}

/** At a million records, the sets of one frequent word take about 400 kB. */
const CACHE_BYTES_MAX = 48_000_000;

/** Cache of posting lists and their decoded sets across searches, with one memory bound for all types. */
export type PostingsCache = ReturnType<typeof createPostingsCache>;

export function createPostingsCache() {
  const entries = new LRUCache<TermPostings, { readonly bytes: number; readonly drop: () => void }>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: ({ drop }, _, reason) => {
      if (reason !== 'set') drop();
    },
  });
  /** An entry larger than the bound is not taken, of which `dispose` is not told. */
  const keep = (postings: TermPostings, entry: { readonly bytes: number; readonly drop: () => void }): void => {
    entries.set(postings, entry);
    if (!entries.has(postings)) entry.drop();
  };
  return {
    forReader() {
      const byTerm = new Map<number, TermPostings>();
      return {
        get(term: number): TermPostings | undefined {
          const postings = byTerm.get(term);
          if (postings) entries.get(postings);
          return postings;
        },
        set(term: number, postings: TermPostings, bytes: number): void {
          byTerm.set(term, postings);
          keep(postings, { bytes, drop: () => byTerm.delete(term) });
        },
        /** Accounts for more decoded data of a term. */
        grow(postings: TermPostings, bytes: number): void {
          const entry = entries.peek(postings);
          if (entry) keep(postings, { ...entry, bytes: entry.bytes + bytes });
        },
        clear(): void {
          for (const postings of byTerm.values()) entries.delete(postings);
          byTerm.clear();
        },
      };
    },
  };
}
