import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { type Columns, typeIndex } from './columns.ts';
import type { AllDimensions, Dimension } from './dimensions.ts';
import { type Tally, tallyRecords } from './tally.ts';
import { roomFor } from './value-lists.ts';

/** A tally of all records of a type. */
export interface Cube {
  readonly tally: Tally;
  readonly of: RecordType;
  /** Number of changes ever logged that it includes. */
  position: number;
}

/** Logged changes of a type's records: each has the versions before and after. */
interface Log {
  /** Number of changes dropped, and of those left that were logged before the last `trim`. */
  start: number;
  kept: number;
  length: number;
  /** By change, the code of the record. */
  code: Uint32Array;
  /** By version, 1 if the record existed. */
  exists: Uint8Array;
  isGrant: Uint8Array;
  amount: Float64Array;
  /** By dimension of the type, by version, the index of its list in the pool. */
  readonly lists: Uint32Array[];
}

const LONG = 20_000;

/** Changes that are applied to a tally on its next use, because most tallies are not used again. */
export function createPendingChanges(columns: Columns, dimensions: AllDimensions) {
  const dimensionsOf = RECORD_TYPES.map((type) => Object.values(dimensions[type]));
  const logs = dimensionsOf.map(
    (all): Log => ({
      start: 0,
      kept: 0,
      length: 0,
      code: new Uint32Array(1),
      exists: new Uint8Array(1),
      isGrant: new Uint8Array(1),
      amount: new Float64Array(1),
      lists: all.map(() => new Uint32Array(1)),
    }),
  );
  const position = (of: RecordType): number => {
    const { start, length } = logs[typeIndex(of)];
    return start + length;
  };
  return {
    record: (codes: Uint32Array, apply: () => void): void => {
      const some = dimensionsOf.map((_, type) => codes.filter((code) => columns.type[code] === type));
      const write = (after: 0 | 1): void => {
        for (const [type, log] of logs.entries()) {
          if (some[type].length > 0)
            writeVersions(log, columns, { codes: some[type], dimensions: dimensionsOf[type], after });
        }
      };
      write(0);
      apply();
      write(1);
      for (const [type, log] of logs.entries()) log.length += some[type].length;
    },
    /** Number of changes of a type ever logged. */
    position,
    /** Whether tallies must be updated with each change instead of in idle time. */
    isLong: (): boolean => logs.some(({ length }) => length > LONG),
    /** Takes records out of a tally as they were, and adds them as they are. */
    follow: (cube: Cube): void => {
      const { tally, of } = cube;
      const log = logs[typeIndex(of)];
      const slots = tally.dimensions.map((dimension) => dimensionsOf[typeIndex(of)].indexOf(dimension));
      const changed = changedSince(log, cube.position - log.start, { slots, isMeasured: tally.isMeasured });
      cube.position = position(of);
      const lists = tally.dimensions.map((dimension, index) => {
        const { size, pool, numberOf } = dimension.lists();
        return { size, column: log.lists[slots[index]], through: undefined, pool, numberOf };
      });
      for (const [versions, sign] of [
        [changed.before, -1],
        [changed.after, 1],
      ] as const) {
        const { amount, isGrant } = log;
        tallyRecords(tally, columns.entries, { records: versions, lists, amount, isGrant }, sign);
      }
    },
    /** Moves the lists of a dimension, by its index in the type, that changes refer to. */
    moveLists: (of: RecordType, slot: number, move: (list: number) => number): void => {
      const { lists, length } = logs[typeIndex(of)];
      const moved = new Map<number, number>();
      lists[slot].subarray(0, length * 2).forEach((list, version, column) => {
        column[version] = moved.get(list) ?? move(list);
        moved.set(list, column[version]);
      });
    },
    /** Drops changes logged before the last call, which all tallies have followed since. Returns false if none is left. */
    trim: (): boolean => {
      for (const log of logs) {
        log.code.copyWithin(0, log.kept, log.length);
        for (const column of [log.exists, log.isGrant, log.amount, ...log.lists])
          column.copyWithin(0, log.kept * 2, log.length * 2);
        log.start += log.kept;
        log.length -= log.kept;
        log.kept = log.length;
      }
      return logs.some(({ kept }) => kept > 0);
    },
  };
}

interface Written {
  readonly codes: Uint32Array;
  readonly dimensions: readonly Dimension[];
  readonly after: 0 | 1;
}

/** Writes one version of records as they are behind the changes of a log. */
function writeVersions(log: Log, columns: Columns, { codes, dimensions, after }: Written): void {
  const first = log.length * 2 + after;
  const end = first + codes.length * 2;
  log.code = roomFor(log.code, log.length + codes.length);
  log.code.set(codes, log.length);
  log.exists = roomFor(log.exists, end);
  log.isGrant = roomFor(log.isGrant, end);
  log.amount = roomFor(log.amount, end);
  codes.forEach((code, index) => {
    log.exists[first + index * 2] = columns.isLive[code];
    log.isGrant[first + index * 2] = columns.isGrant[code];
    log.amount[first + index * 2] = columns.amount[code];
  });
  for (const [slot, dimension] of dimensions.entries()) {
    const { column, through } = dimension.lists();
    const written = roomFor(log.lists[slot], end);
    codes.forEach((code, index) => {
      written[first + index * 2] = column[through === undefined ? code : through[code]];
    });
    log.lists[slot] = written;
  }
}

interface Changed {
  /** Versions of records before and after a change; of several changes, before the first and after the last. */
  readonly before: Uint32Array;
  readonly after: Uint32Array;
}

/** The records whose counted values changed since a position. */
function changedSince(
  { code, exists, isGrant, amount, lists, length }: Log,
  start: number,
  { slots, isMeasured }: { readonly slots: readonly number[]; readonly isMeasured: boolean },
): Changed {
  const isChanged = new Uint8Array(length - start);
  const compared = [exists, isGrant, ...(isMeasured ? [amount] : []), ...slots.map((slot) => lists[slot])];
  for (const column of compared) {
    for (let index = 0; index < isChanged.length; index += 1) {
      const version = (start + index) * 2;
      if (!Object.is(column[version], column[version + 1])) isChanged[index] = 1;
    }
  }
  const [before, after] = [new Map<number, number>(), new Map<number, number>()];
  for (let index = 0; index < isChanged.length; index += 1) {
    if (isChanged[index] === 0) continue;
    const change = start + index;
    if (!before.has(code[change])) before.set(code[change], change * 2);
    after.set(code[change], change * 2 + 1);
  }
  const existing = (versions: Map<number, number>): Uint32Array =>
    Uint32Array.from(versions.values()).filter((version) => exists[version] === 1);
  return { before: existing(before), after: existing(after) };
}
