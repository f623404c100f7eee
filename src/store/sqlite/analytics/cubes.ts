import { LRUCache } from 'lru-cache';
import { GROUPS, MEASURED_FIELD } from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { type ChangeObserver, type Columns, liveCodes } from './columns.ts';
import { createCoverages, type TypeCoverage } from './coverage.ts';
import { createDimensions } from './dimensions.ts';
import { rankAmounts } from './order-statistics.ts';
import { type Cube, createPendingChanges } from './pending-changes.ts';
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
  /** The tally of all records: cached, or computed. */
  tally(grouping: Grouping): Tally;
  coverage(of: RecordType): TypeCoverage;
  create(grouping: Grouping, isMeasured: boolean): Tally;
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
  const create: Cubes['create'] = (grouping, isMeasured) => {
    const names = namesOf(grouping);
    const by = names.map((name) => dimensions[grouping.of][name]);
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
