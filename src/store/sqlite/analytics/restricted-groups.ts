import type { Choice, FilterName } from '../../../contract/filters.ts';
import { FILTER_NAMES, partyFilterOf, typesWithValues, valuePathIn } from '../../../contract/filters.ts';
import { ensureCapacity } from '../ensure-capacity.ts';
import { type Columns, typeIndex } from './columns.ts';
import { type Dimension, fieldLists, filteredField } from './dimensions.ts';
import type { ResolvedAggregate } from './filter-records.ts';

/** The groups by the parties of a record. */
const OF_PARTIES = /^(?:lead_)?investor$/;

/** Replaces the dimension of a group. */
export type Restriction = (group: string, dimension: Dimension) => Dimension;

/**
 * Restricts groups by parties to the kinds that a filter asks for, for the records that pass it. A filter that excludes kinds
 * leaves no such party in these.
 */
export function restrictionOf(
  columns: Columns,
  { of, filters }: ResolvedAggregate,
  records: Uint32Array,
): Restriction | undefined {
  const kinds = FILTER_NAMES.filter(
    (name) => filters.given[name] !== undefined && partyFilterOf(of, name) !== undefined,
  );
  const tests = kinds.flatMap((kind) => {
    const { mode, values } = filters.given[kind] as Choice;
    const wanted = new Set(filters.keys.get(kind)?.keys.slice(0, values.length).flat());
    return mode === 'none' || mode === 'except' ? [] : [{ kind, wanted }];
  });
  if (tests.length === 0) return undefined;
  const isKept = (code: number): boolean =>
    tests.every(({ kind, wanted }) =>
      typesWithValues(of, kind).some((type) => hasValue(columns, { type, kind, code, wanted })),
    );
  return (group, dimension) => (OF_PARTIES.test(group) ? keptOf(dimension, records, isKept) : dimension);
}

interface Tested {
  readonly type: ReturnType<typeof typesWithValues>[number];
  readonly kind: FilterName;
  readonly code: number;
  /** Keys of the values. */
  readonly wanted: ReadonlySet<string>;
}

function hasValue(columns: Columns, { type, kind, code, wanted }: Tested): boolean {
  if (columns.type[code] !== typeIndex(type)) return false;
  const { lists, column } = fieldLists(columns, filteredField(type, valuePathIn(type, kind) ?? ''));
  const list = column[code];
  const entries = lists.pool.subarray(list + 1, list + 1 + lists.pool[list]);
  return entries.some((entry) => wanted.has(lists.keys[entry]));
}

/** A dimension of records or names, of which some are kept. Its lists are those of these records alone. */
function keptOf(dimension: Dimension, records: Uint32Array, isKept: (code: number) => boolean): Dimension {
  const { size, column, pool } = dimension.lists();
  const kept = Uint8Array.from({ length: size }, (_, number) => {
    const value = number === 0 ? undefined : dimension.valueAt(number);
    return Number(typeof value === 'object' && isKept(value.code));
  });
  const own = new Uint32Array(column.length);
  let lists = new Uint32Array(1);
  let length = 1;
  for (const code of records) {
    const start = length;
    const list = column[code];
    const end = list + pool[list];
    lists = ensureCapacity(lists, start + pool[list] + 1);
    for (let entry = list + 1; entry <= end; entry += 1) {
      if (kept[pool[entry]] === 1) lists[++length] = pool[entry];
    }
    lists[start] = length - start;
    if (length > start) own[code] = start;
    length = length > start ? length + 1 : start;
  }
  return {
    ...dimension,
    lists: () => ({ size, column: own, through: undefined, pool: lists, numberOf: undefined }),
  };
}
