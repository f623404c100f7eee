import { LRUCache } from 'lru-cache';
import { GROUPS, MEASURED_FIELD } from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { ensureCapacities, ensureCapacity } from '../ensure-capacity.ts';
import { type ChangeObserver, type Columns, liveCodes, typeIndex } from './columns.ts';
import { createCoverages, type TypeCoverage } from './coverage.ts';
import { type AllDimensions, createDimensions, type Dimension } from './dimensions.ts';
import { rankAmounts } from './order-statistics.ts';
import type { Restriction } from './restricted-groups.ts';
import { createTally, type Tally, talliedOf, tallyBytes, tallyRecords } from './tally.ts';

/** Bounds the memory of all tallies, and of those that are made ahead, which leaves room for a large one. */
const KEPT_BYTES = 2 ** 29;
const PREPARED_BYTES = 2 ** 28 + 2 ** 27;

interface Grouping {
  readonly of: RecordType;
  readonly groups: readonly string[];
}

/**
 * Tallies of all records of each type, by each of its groups and by pairs of them. Changes are logged and applied to a tally on
 * its next use.
 */
export interface Cubes extends ChangeObserver {
  tally(grouping: Grouping): Tally;
  coverage(of: RecordType): TypeCoverage;
  /** An empty tally, whose dimensions a restriction may replace. */
  create(grouping: Grouping, isMeasured: boolean, restriction?: Restriction): Tally;
  /** Computes a tally in advance, or applies changes. Returns false if nothing remains for which there is room. */
  prepare(): boolean;
  /** Drops all tallies, as before more changes than are worth following. */
  clear(): void;
}

/** Each group of each type, and each pair. */
const GROUPINGS: readonly Grouping[] = RECORD_TYPES.flatMap((of) => {
  const names = Object.keys(GROUPS[of]);
  const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other]));
  return [...names.map((name) => [name]), ...pairs].map((groups) => ({ of, groups }));
});

/** Both orders of two groups share a tally. */
const namesOf = ({ of, groups }: Grouping): string[] => Object.keys(GROUPS[of]).filter((name) => groups.includes(name));

/** Whether rounds are counted by groups that do not distinguish grants. */
const isMixed = ({ of, groups }: Grouping): boolean => of === 'rounds' && !groups.includes('stage');

export function createCubes(columns: Columns): Cubes {
  const dimensions = createDimensions(columns);
  const tallies = new LRUCache<string, Cube>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ tally }) => tallyBytes(tally),
  });
  const pending = createPendingChanges(columns, dimensions);
  const coverages = createCoverages(columns);
  const due: Grouping[] = [];
  /** Tallies that follow in turn, so that the log stays short. */
  let round: Cube[] = [];
  const create: Cubes['create'] = (grouping, isMeasured, restriction = (_, dimension) => dimension) => {
    const names = namesOf(grouping);
    const by = names.map((name) => restriction(name, dimensions[grouping.of][name]));
    return createTally({ names, dimensions: by, isMeasured, hasGrants: isMixed(grouping) });
  };
  /** Possible groups of pairs; single groups come first. */
  const sizeOf = ({ of, groups }: Grouping): number =>
    groups.length === 1 ? 0 : groups.reduce((product, name) => product * dimensions[of][name].lists().size, 1);
  const clear = (): void => {
    tallies.clear();
    coverages.clear();
    round = [];
    due.splice(0, due.length, ...GROUPINGS);
  };
  clear();
  /** Returns false if none has changes to follow. */
  const followNext = (): boolean => {
    if (round.length === 0) {
      if (!pending.trim()) return false;
      round = [...tallies.values()];
    }
    const next = round.pop();
    if (next !== undefined) pending.follow(next);
    return true;
  };
  const tally: Cubes['tally'] = (grouping) => {
    const { of } = grouping;
    const key = `${of} ${namesOf(grouping)}`;
    const kept = tallies.get(key);
    if (kept !== undefined) {
      pending.follow(kept);
      return kept.tally;
    }
    const created = create(grouping, MEASURED_FIELD[of] !== undefined);
    const records = liveCodes(columns, of);
    tallyRecords(created, columns.entries, talliedOf(columns, created, records));
    if (created.isMeasured && created.pairs === undefined) rankAmounts(created, { columns, records: () => records });
    tallies.set(key, { tally: created, of, position: pending.position(of) });
    return created;
  };
  return {
    tally,
    create,
    clear,
    coverage: coverages.of,
    change: ({ codes, apply }) => {
      if (tallies.size === 0) {
        coverages.clear();
        return apply();
      }
      coverages.cover(codes, -1);
      pending.record(codes, apply);
      coverages.cover(codes, 1);
      if (pending.isLong()) followNext();
    },
    moveLists: ({ of, group }, move) => pending.moveLists(of, Object.keys(GROUPS[of]).indexOf(group), move),
    prepare: () => {
      due.sort((grouping, other) => sizeOf(grouping) - sizeOf(other));
      const next = tallies.calculatedSize < PREPARED_BYTES ? due.shift() : undefined;
      if (next === undefined) return followNext();
      tally(next);
      return true;
    },
  };
}

interface Cube {
  readonly tally: Tally;
  readonly of: RecordType;
  /** Number of changes ever logged that it includes. */
  position: number;
}

type Log = ReturnType<typeof createLog>;

/** Logged changes of a type's records: each has the versions before and after. */
const createLog = (dimensions: number) => ({
  /** Number of changes dropped, and of those left that were logged before the last `trim`. */
  start: 0,
  kept: 0,
  length: 0,
  /** By change, the code of the record. */
  code: new Uint32Array(1),
  /** By version, 1 if the record existed. */
  exists: new Uint8Array(1),
  marks: new Uint8Array(1),
  amount: new Float64Array(1),
  /** By dimension of the type, by version, the index of its list in the pool. */
  lists: Array.from({ length: dimensions }, () => new Uint32Array(1)),
});

const LONG = 20_000;

/** Changes that are applied to a tally on its next use, because most tallies are not used again. */
function createPendingChanges(columns: Columns, dimensions: AllDimensions) {
  const dimensionsOf = RECORD_TYPES.map((type) => Object.values(dimensions[type]));
  const logs = dimensionsOf.map((all) => createLog(all.length));
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
        const { amount, marks } = log;
        tallyRecords(tally, columns.entries, { records: versions, lists, amount, marks }, sign);
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
        for (const column of [log.exists, log.marks, log.amount, ...log.lists])
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
  log.code = ensureCapacity(log.code, log.length + codes.length);
  log.code.set(codes, log.length);
  ensureCapacities(log, ['exists', 'marks', 'amount'], end);
  codes.forEach((code, index) => {
    log.exists[first + index * 2] = columns.isLive[code];
    log.marks[first + index * 2] = columns.marks[code];
    log.amount[first + index * 2] = columns.amount[code];
  });
  for (const [slot, dimension] of dimensions.entries()) {
    const { column, through } = dimension.lists();
    const written = ensureCapacity(log.lists[slot], end);
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
  { code, exists, marks, amount, lists, length }: Log,
  start: number,
  { slots, isMeasured }: { readonly slots: readonly number[]; readonly isMeasured: boolean },
): Changed {
  const isChanged = new Uint8Array(length - start);
  const compared = [exists, marks, ...(isMeasured ? [amount] : []), ...slots.map((slot) => lists[slot])];
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
