import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { type Columns, typeIndex } from './columns.ts';
import type { AllDimensions } from './dimensions.ts';
import { type Tally, tallyRecords } from './tally.ts';

/** A tally of all records of a type. */
export interface Cube extends Tally {
  readonly of: RecordType;
  /** Number of changes ever logged that it includes. */
  position: number;
}

/** What a record is grouped by at a time. */
interface Version {
  /** By dimension of its type, the index of its list in the pool. */
  readonly lists: readonly number[];
  readonly amount: number;
}

/** A record before and after a change; undefined if it did not exist. */
interface Change {
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

/** Changes that a tally includes only when it is asked for, because most are not. */
interface Changelog {
  /** Applies a change of some records. */
  record(codes: Uint32Array, apply: () => void): void;
  /** Number of changes of a type ever logged. */
  position(of: RecordType): number;
  /** Whether tallies are to follow at each change, and not only when there is time. */
  isLong(): boolean;
  /** Takes records out of a tally as they were, and adds them as they are. */
  follow(cube: Cube): void;
  /** Drops changes logged before the last call, which all tallies have followed since. Returns false if none is left. */
  trim(): boolean;
}

const LONG = 1_000;

export function createChangelog(columns: Columns, dimensions: AllDimensions): Changelog {
  const logs = RECORD_TYPES.map(() => ({ start: 0, kept: 0, changes: [] as Change[] }));
  const versionOf = (code: number): Version | undefined => {
    if (columns.isLive[code] === 0) return undefined;
    const lists = Object.values(dimensions[RECORD_TYPES[columns.type[code]] as RecordType]).map((dimension) => {
      const { column, through } = dimension.lists();
      return column[through === undefined ? code : through[code]];
    });
    return { lists, amount: columns.amount[code] };
  };
  const position = (of: RecordType): number => {
    const { start, changes } = logs[typeIndex(of)];
    return start + changes.length;
  };
  return {
    record: (codes, apply) => {
      const before = Array.from(codes, versionOf);
      apply();
      codes.forEach((code, index) => {
        logs[columns.type[code]].changes.push({ before: before[index], after: versionOf(code) });
      });
    },
    position,
    isLong: () => logs.some(({ changes }) => changes.length > LONG),
    follow: (cube) => {
      const slots = cube.dimensions.map((dimension) => Object.values(dimensions[cube.of]).indexOf(dimension));
      const isSame = ({ before, after }: Change): boolean =>
        before !== undefined &&
        after !== undefined &&
        slots.every((slot) => before.lists[slot] === after.lists[slot]) &&
        (!cube.isMeasured || Object.is(before.amount, after.amount));
      const { start, changes } = logs[typeIndex(cube.of)];
      const changed = changes.slice(cube.position - start).filter((change) => !isSame(change));
      cube.position = position(cube.of);
      const tally = (versions: readonly Version[], sign: 1 | -1): void => {
        const records = Uint32Array.from(versions.keys());
        const amount = Float64Array.from(versions, (version) => version.amount);
        const lists = cube.dimensions.map((dimension, index) => {
          const column = Uint32Array.from(versions, (version) => version.lists[slots[index]]);
          return { ...dimension.lists(), column, through: undefined };
        });
        tallyRecords(cube, columns.entries, { records, lists, amount }, sign);
      };
      const removed = changed.flatMap(({ before }) => before ?? []);
      const added = changed.flatMap(({ after }) => after ?? []);
      if (removed.length > 0) tally(removed, -1);
      if (added.length > 0) tally(added, 1);
    },
    trim: () => {
      for (const log of logs) {
        log.changes.splice(0, log.kept);
        log.start += log.kept;
        log.kept = log.changes.length;
      }
      return logs.some(({ kept }) => kept > 0);
    },
  };
}
