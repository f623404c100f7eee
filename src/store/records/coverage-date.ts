import { NAMED_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Dialect } from '../sql/dialect.ts';
import { type SqlProgram, value } from '../sql/program.ts';
import { columnOf } from './conditions.ts';

/** Date field of types with events in time. Other types use the date of their newest source. */
const DAY_OF: Readonly<Partial<Record<RecordType, string>>> = { rounds: 'announced_date', events: 'start_date' };

/**
 * The newest date of the searched records: for one type that of its latest round or event, or of its newest source; for
 * several types that of the newest source.
 * @param epoch state of the index; dates are cached until it changes
 */
export type CoverageDate = (types: readonly RecordType[], epoch: number | undefined) => SqlProgram<string | null>;

export function createCoverageDate(dialect: Dialect): CoverageDate {
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

/** A range condition skips NULLs in the index, which may be all rows; IS NOT NULL does not. */
function newest(dialect: Dialect, type: RecordType, field: string): string {
  const column = columnOf(dialect, type, field);
  return `SELECT ${column} AS day FROM ${type} WHERE ${column} > '' AND ${type}.deleted_at IS NULL
    ORDER BY ${column} DESC LIMIT 1`;
}
