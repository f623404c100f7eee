import type { TermLists } from './term-lists.ts';

/** Cache of posting lists and their decoded sets across searches, with one memory bound for all types. */
export interface HeldTerms {
  ofReader(): HeldByReader;
}

/** Entries of one reader. */
interface HeldByReader {
  use(term: number): TermLists | undefined;
  keep(term: number, lists: TermLists, bytes: number): void;
  /** Accounts for more decoded data of a term. */
  grow(lists: TermLists, bytes: number): void;
  clear(): void;
}

interface Held {
  bytes: number;
  drop(): void;
}

/** In LRU order. */
type InOrder = Map<TermLists, Held>;

/** At a million records, the sets of one frequent word take about 400 kB. */
const HELD_BYTES_MAX = 48_000_000;

export function createHeldTerms(): HeldTerms {
  const inOrder: InOrder = new Map();
  let total = 0;

  const forget = (lists: TermLists) => {
    const held = inOrder.get(lists);
    if (held === undefined) return;
    inOrder.delete(lists);
    total -= held.bytes;
    held.drop();
  };
  const touch = (lists: TermLists, held: Held) => {
    inOrder.delete(lists);
    inOrder.set(lists, held);
  };

  const grow = (lists: TermLists, bytes: number) => {
    const held = inOrder.get(lists);
    if (held === undefined) return;
    held.bytes += bytes;
    total += bytes;
    for (const oldest of inOrder.keys()) {
      if (total <= HELD_BYTES_MAX || oldest === lists) break;
      forget(oldest);
    }
  };

  return {
    ofReader() {
      const byTerm = new Map<number, TermLists>();
      return {
        use(term) {
          const lists = byTerm.get(term);
          const held = lists && inOrder.get(lists);
          if (lists && held) touch(lists, held);
          return lists;
        },
        keep(term, lists, bytes) {
          if (inOrder.has(lists)) return;
          byTerm.set(term, lists);
          inOrder.set(lists, { bytes: 0, drop: () => byTerm.delete(term) });
          grow(lists, bytes);
        },
        grow,
        clear() {
          for (const lists of [...byTerm.values()]) forget(lists);
        },
      };
    },
  };
}
