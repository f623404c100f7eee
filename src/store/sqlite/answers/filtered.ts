import type { LRUCache } from 'lru-cache';
import type { AggregateData } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import type { FilterName } from '../../../contract/filters.ts';
import type { ResolvedAggregate } from '../../answers/answer-index.ts';
import { type FacetTest, filterSets } from '../../records/conditions.ts';
import { UNKNOWN } from '../../records/facets.ts';
import type { Condition } from '../../search/search-index.ts';
import { type SqlProgram, value } from '../../sql/program.ts';
import { sqliteDialect } from '../dialect.ts';
import { type Columns, codeOf, typeIndex } from './columns.ts';
import { facetDimension } from './dimensions.ts';
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
  const all = liveCodes(columns, columns.records[typeIndex(of)]);
  const sets: IdSet[] = [];
  for (const { facet, matches } of facts) {
    sets.push(
      facet === undefined ? yield* setOf(filtering, of, matches) : facetSet(columns, { of, records: all, facet }),
    );
  }
  const othersOf = (index: number, names: readonly FilterName[]): IdSet[] =>
    sets.filter((_, place) => place !== index && !names.some((name) => name === facts[place]?.restricts));
  const left: Partial<Record<FilterName, number>> = {};
  for (const [index, { names, unknown, known, lacking, facet }] of facts.entries()) {
    if (names.length === 0) continue;
    let count = lacking;
    if (facts.length > 1 || known !== undefined) {
      const records = passing(all, othersOf(index, names));
      const unstated =
        facet === undefined
          ? yield* setOf(filtering, of, unknown)
          : facetSet(columns, { of, records, facet: { ...facet, mode: 'any', keys: [UNKNOWN] } });
      const without = passing(records, [unstated]);
      const stated = known === undefined ? 0 : passing(without, [yield* setOf(filtering, of, known)]).length;
      count = without.length - stated;
    }
    for (const name of names) if (count > 0) left[name] = count;
  }
  return { records: passing(all, sets), leftOut: Object.keys(left).length === 0 ? {} : { left_out: left } };
}

interface FacetFiltering {
  readonly of: RecordType;
  readonly records: Uint32Array;
  readonly facet: FacetTest;
}

/** Those of some records that pass a test of facets, from the columns. */
function facetSet(columns: Columns, { of, records, facet }: FacetFiltering): IdSet {
  const { column, through, pool, numberOf, size, valueAt } = facetDimension(columns, of, facet.field);
  const { mode, keys } = facet;
  const keyOf = Array.from({ length: size }, (_, number) => (number === 0 ? UNKNOWN : valueAt(number)));
  const isOneOf = Uint8Array.from(keyOf, (key) => Number(keys.includes(String(key))));
  const isKnown = Uint8Array.from(keyOf, (key) => Number(key !== UNKNOWN));
  const set = new Uint32Array((columns.size >>> 5) + 1);
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    const list = column[through === undefined ? code : through[code]];
    const end = list + pool[list];
    let [has, knows] = end === list ? [isOneOf[0], 0] : [0, 0];
    for (let entry = list + 1; entry <= end; entry += 1) {
      const number = numberOf === undefined ? pool[entry] : numberOf[pool[entry]];
      has |= isOneOf[number];
      knows |= isKnown[number];
    }
    if (mode === 'any' ? has === 1 : has === 0 && (knows === 1 || mode === 'except')) {
      set[code >>> 5] |= 1 << (code & 31);
    }
  }
  return set;
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
    for (let index = 0; index < length; index += 1) {
      const code = passed[index];
      if (((set[code >>> 5] >>> (code & 31)) & 1) === 1) passed[kept++] = code;
    }
    length = kept;
  }
  return passed.subarray(0, length);
}
