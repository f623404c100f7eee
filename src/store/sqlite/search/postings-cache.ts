import type { TermPostings } from './term-postings.ts';

/** Cache of posting lists and their decoded sets across searches, with one memory bound for all types. */
export interface PostingsCache {
  forReader(): ReaderCache;
}

interface ReaderCache {
  get(term: number): TermPostings | undefined;
  set(term: number, postings: TermPostings, bytes: number): void;
  /** Accounts for more decoded data of a term. */
  grow(postings: TermPostings, bytes: number): void;
  clear(): void;
}

interface CacheEntry {
  bytes: number;
  drop(): void;
}

/** In LRU order. */
type LruOrder = Map<TermPostings, CacheEntry>;

/** At a million records, the sets of one frequent word take about 400 kB. */
const CACHE_BYTES_MAX = 48_000_000;

export function createPostingsCache(): PostingsCache {
  const entries: LruOrder = new Map();
  let total = 0;

  const evict = (postings: TermPostings) => {
    const entry = entries.get(postings);
    if (entry === undefined) return;
    entries.delete(postings);
    total -= entry.bytes;
    entry.drop();
  };
  const touch = (postings: TermPostings, entry: CacheEntry) => {
    entries.delete(postings);
    entries.set(postings, entry);
  };

  const grow = (postings: TermPostings, bytes: number) => {
    const entry = entries.get(postings);
    if (entry === undefined) return;
    entry.bytes += bytes;
    total += bytes;
    for (const oldest of entries.keys()) {
      if (total <= CACHE_BYTES_MAX || oldest === postings) break;
      evict(oldest);
    }
  };

  return {
    forReader() {
      const byTerm = new Map<number, TermPostings>();
      return {
        get(term) {
          const postings = byTerm.get(term);
          const entry = postings && entries.get(postings);
          if (postings && entry) touch(postings, entry);
          return postings;
        },
        set(term, postings, bytes) {
          if (entries.has(postings)) return;
          byTerm.set(term, postings);
          entries.set(postings, { bytes: 0, drop: () => byTerm.delete(term) });
          grow(postings, bytes);
        },
        grow,
        clear() {
          for (const postings of [...byTerm.values()]) evict(postings);
        },
      };
    },
  };
}
