import type { TermLists } from './term-lists.ts';

/** The lists of terms and what is decoded of them, kept from one search to the next within one bound for all types. */
export interface HeldTerms {
  ofReader(): HeldByReader;
}

/** The part of one reader. */
interface HeldByReader {
  use(term: number): TermLists | undefined;
  keep(term: number, lists: TermLists, bytes: number): void;
  /** Says that more of a term has been decoded. */
  grow(lists: TermLists, bytes: number): void;
  clear(): void;
}

interface Held {
  bytes: number;
  drop(): void;
}

/** The one used last stands last. */
type InOrder = Map<TermLists, Held>;

/** At a million records the sets of one common word take some 400 kB. */
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
