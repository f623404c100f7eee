import type { Database } from 'better-sqlite3';
import { docIdOf, POSITIONS_MAX, type Sizes } from '../../search/doc-ids.ts';
import { searchTables } from './search-tables.ts';

interface Placed {
  readonly id: number;
  readonly docId: number;
}

/** A free document id, and documents moved to make room. */
interface Placement {
  readonly docId: number;
  /** With their old and new document ids. */
  readonly moved: readonly (Placed & { readonly to: number })[];
}

/**
 * Keeps the documents of a rank step in the order of record ids. The highest record id is appended; others are inserted
 * between their neighbours. Without a gap, the smallest sufficiently sparse window is redistributed (packed-memory
 * array of Itai, Konheim and Rodeh), with low amortized cost.
 */
export interface Order {
  place(sizes: Sizes, step: number, id: number): Placement;
}

/** One of this many appended positions is left free; bitmaps have a bit per position, so gaps cost searches. */
const APPENDED = 16;
const WINDOW_MIN = 16;
/** Required free share of a window, which grows with its size. */
const FREE_MAX = 1 / 8;
const FREE_PER_DOUBLING = 1 / 256;

/** The next position at the end of a step with `used` positions. */
export const appendedPlace = (used: number): number => (used % APPENDED === APPENDED - 1 ? used + 1 : used);

const mayHold = (size: number): number =>
  size - Math.ceil(size * Math.min(FREE_MAX, Math.log2(size) * FREE_PER_DOUBLING));

export function createOrder(database: Database, type: string): Order {
  const { documents } = searchTables(type);
  const range = `SELECT id, ordinal AS docId FROM ${documents} WHERE ordinal >= ? AND ordinal < ? ORDER BY ordinal`;
  const first = database.prepare<[number, number], Placed>(`${range} LIMIT 1`);
  const last = database.prepare<[number, number], Placed>(`${range} DESC LIMIT 1`);
  const all = database.prepare<[number, number], Placed>(range);

  /** The document of a step with the lowest record id above `id`, by bisection. */
  const nextOf = (step: number, id: number, highest: Placed): Placed => {
    let next = highest;
    for (let low = docIdOf(step, 0), high = highest.docId; low < high; ) {
      const middle = (low + high) >>> 1;
      const found = first.get(middle, high + 1);
      if (found !== undefined && found.id <= id) low = found.docId + 1;
      else {
        // Nothing may remain between them.
        next = found ?? next;
        high = middle;
      }
    }
    return next;
  };

  const makeRoom = (sizes: Sizes, step: number, id: number, near: Placed): Placement => {
    const start = docIdOf(step, 0);
    for (let size = WINDOW_MIN; ; size *= 2) {
      const from = start + Math.floor((near.docId - start) / size) * size;
      const members = all.all(from, from + size);
      const isWhole = from === start && size >= sizes.steps[step];
      if (members.length >= mayHold(size) && size < POSITIONS_MAX) continue;
      if (members.length >= POSITIONS_MAX)
        throw new Error(`Search holds at most ${POSITIONS_MAX} records of one importance`);
      // A full step grows as little as necessary.
      const wanted = Math.max(sizes.steps[step], Math.ceil((members.length + 1) / (1 - FREE_MAX)));
      return spread({ from, room: isWhole ? Math.min(POSITIONS_MAX, wanted) : size, members }, id);
    }
  };

  const placeIn = (sizes: Sizes, step: number, id: number): Placement => {
    const start = docIdOf(step, 0);
    const highest = last.get(start, start + POSITIONS_MAX);
    if (highest === undefined) return { docId: start, moved: [] };
    if (highest.id < id) {
      const place = appendedPlace(highest.docId - start + 1);
      return place < POSITIONS_MAX ? { docId: start + place, moved: [] } : makeRoom(sizes, step, id, highest);
    }
    const next = nextOf(step, id, highest);
    const before = last.get(start, next.docId)?.docId ?? start - 1;
    if (next.docId - before > 1) return { docId: (before + next.docId) >>> 1, moved: [] };
    return makeRoom(sizes, step, id, next);
  };

  return {
    place(sizes, step, id) {
      const placement = placeIn(sizes, step, id);
      const highest = placement.moved.reduce((most, { to }) => Math.max(most, to), placement.docId);
      sizes.steps[step] = Math.max(sizes.steps[step], highest - docIdOf(step, 0) + 1);
      return placement;
    },
  };
}

/** Distributes the documents of a window evenly, with room for one more. */
function spread(
  { from, room, members }: { from: number; room: number; members: readonly Placed[] },
  id: number,
): Placement {
  const count = members.length + 1;
  const place = (index: number): number => from + Math.floor((index * room) / count);
  const own = members.filter((member) => member.id < id).length;
  const moved = members
    .map((member, index) => ({ ...member, to: place(index < own ? index : index + 1) }))
    .filter(({ docId, to }) => docId !== to);
  return { docId: place(own), moved };
}
