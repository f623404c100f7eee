import type { LRUCache } from 'lru-cache';
import type { AggregateData } from '../../../contract/aggregate.ts';
import type { FilterName } from '../../../contract/filters.ts';
import type { ResolvedAggregate } from '../../answers/answer-index.ts';
import { filterSets } from '../../records/conditions.ts';
import type { Condition } from '../../search/search-index.ts';
import { type SqlProgram, value } from '../../sql/program.ts';
import { sqliteDialect } from '../dialect.ts';
import { type Columns, codeOf, typePlace } from './columns.ts';
import { liveCodes } from './entries.ts';

/** Codes as a bitmap; it may include deleted records. */
export type IdSet = Uint32Array;

interface Filtering {
  readonly columns: Columns;
  /** Cached sets by statement, of the current epoch. */
  readonly filtered: LRUCache<string, IdSet>;
}

interface Matching {
  /** Codes of the records that pass the filters. */
  readonly records: Uint32Array;
  readonly leftOut: Pick<AggregateData['covered'], 'left_out'>;
}

/** The records of a type that pass the filters, and how many were left out only because a field is unknown. */
export function* matching(filtering: Filtering, { of, filters }: ResolvedAggregate): SqlProgram<Matching | undefined> {
  const facts = filterSets(sqliteDialect, of, filters);
  if (facts?.length === 0) return undefined;
  if (facts === undefined) return { records: new Uint32Array(0), leftOut: {} };
  const { columns } = filtering;
  const all = liveCodes(columns, columns.records[typePlace(of)]);
  const sets: IdSet[] = [];
  for (const { matches } of facts) sets.push(yield* setOf(filtering, of, matches));
  const left: Partial<Record<FilterName, number>> = {};
  for (const [place, { names, unknown, known, lacking }] of facts.entries()) {
    if (names.length === 0) continue;
    let count = lacking;
    if (facts.length > 1 || known !== undefined) {
      const without = passing(passing(all, sets.toSpliced(place, 1)), [yield* setOf(filtering, of, unknown)]);
      const stated = known === undefined ? 0 : passing(without, [yield* setOf(filtering, of, known)]).length;
      count = without.length - stated;
    }
    for (const name of names) if (count > 0) left[name] = count;
  }
  return { records: passing(all, sets), leftOut: Object.keys(left).length === 0 ? {} : { left_out: left } };
}

function* setOf(
  { columns, filtered }: Filtering,
  of: ResolvedAggregate['of'],
  condition: Condition,
): SqlProgram<IdSet> {
  const { sql, parameters } = condition;
  const key = JSON.stringify([sql, parameters]);
  const known = filtered.get(key);
  if (known !== undefined) return known;
  const set = new Uint32Array((columns.size >>> 5) + 1);
  // As one JSON text, because many small rows cost more to fetch than to find.
  const ids = (yield* value<string>(`SELECT json_group_array(id) FROM (${sql})`, ...(parameters as string[]))) ?? '[]';
  for (const id of JSON.parse(ids) as number[]) {
    const code = codeOf(columns, of, id);
    set[code >>> 5] |= 1 << (code & 31);
  }
  filtered.set(key, set);
  return set;
}

/** The codes that are in all sets, in their order. */
function passing(codes: Uint32Array, sets: readonly IdSet[]): Uint32Array {
  const passed = codes.slice();
  let length = codes.length;
  for (const set of sets) {
    let kept = 0;
    for (let place = 0; place < length; place += 1) {
      const code = passed[place];
      if (((set[code >>> 5] >>> (code & 31)) & 1) === 1) passed[kept++] = code;
    }
    length = kept;
  }
  return passed.subarray(0, length);
}
