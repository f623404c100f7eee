import { NAMED_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Dialect } from '../sql/dialect.ts';
import { type SqlProgram, value } from '../sql/program.ts';
import { columnOf } from './conditions.ts';

/** The day that records of a type happen on. The others are of the day on which a source last stated them. */
const DAY_OF: Readonly<Partial<Record<RecordType, string>>> = { rounds: 'announced_date', events: 'start_date' };

/**
 * The newest day that the records of a search are of: what came later is not on record. For one type it is the day of its newest
 * round or event, or of the newest source; for several types that of the newest source.
 * @param epoch the state of the index, whose days are remembered until it is another one
 */
export type Covered = (types: readonly RecordType[], epoch: number | undefined) => SqlProgram<string | null>;

export function createCovered(dialect: Dialect): Covered {
  const days = new Map<string, string | null>();
  let known: number | undefined;
  return function* covered(types, epoch) {
    if (epoch === undefined || epoch !== known) days.clear();
    known = epoch;
    const key = types.join();
    const day = days.get(key);
    if (day !== undefined) return day;
    const found = yield* coveredUntil(dialect, types);
    days.set(key, found);
    return found;
  };
}

export function* coveredUntil(dialect: Dialect, types: readonly RecordType[]): SqlProgram<string | null> {
  const [type] = types;
  const places: (readonly [RecordType, string])[] =
    types.length === 1 && type !== undefined
      ? [[type, DAY_OF[type] ?? 'as_of']]
      : NAMED_TYPES.filter((named) => types.includes(named)).map((named) => [named, 'as_of']);
  const days = places.map(([each, field]) => `SELECT * FROM (${newest(dialect, each, field)}) AS ${each}`);
  return (yield* value<string>(`SELECT max(day) FROM (${days.join(' UNION ALL ')}) AS days`)) ?? null;
}

/** A bound lets the index leave out the records without a day, which may be all; a test for NULL does not. */
function newest(dialect: Dialect, type: RecordType, field: string): string {
  const column = columnOf(dialect, type, field);
  return `SELECT ${column} AS day FROM ${type} WHERE ${column} > '' AND ${type}.deleted_at IS NULL
    ORDER BY ${column} DESC LIMIT 1`;
}
