import { LRUCache } from 'lru-cache';
import { type Aggregate, GROUPS, type GroupSource } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { type Columns, typeIndex } from './columns.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type EntryBuffers, liveCodes } from './entries.ts';
import { type Grouping, groupingOf } from './grouping.ts';
import { bytesOf } from './totals.ts';

/** Bounds the memory: at a million records, all single groups take 20 MB, and a pair with 800,000 groups 35 MB. */
const KEPT_BYTES = 2 ** 27;

interface Kept {
  readonly grouping: Grouping;
  readonly coverage: Coverage;
}

type Grouped = Pick<Aggregate, 'of' | 'groups'>;

/** Groupings of all records of a type, kept until facts that they depend on change. */
export interface GroupingCache {
  /** Groups all records of a type, unless that is kept. */
  group(columns: Columns, request: Grouped, isMeasured: boolean): Kept;
  /** Drops the groupings that depend on facts of some types. */
  drop(changed: ReadonlySet<RecordType>): void;
}

export function createGroupingCache(buffers: EntryBuffers): GroupingCache {
  const groupings = new LRUCache<string, Grouping & { readonly sources: readonly RecordType[] }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ totals }) => bytesOf(totals),
  });
  const coverages = new Map<RecordType, Coverage>();
  return {
    group(columns, request, isMeasured) {
      const { of, groups } = request;
      const key = `${of} ${groups}`;
      const kept = groupings.get(key);
      const records = kept?.records ?? liveCodes(columns, columns.records[typeIndex(of)]);
      const coverage = coverages.get(of) ?? coverageOf(columns, of, records);
      coverages.set(of, coverage);
      if (kept !== undefined && (kept.isMeasured || !isMeasured)) return { grouping: kept, coverage };
      const grouping = groupingOf(columns, request, { records, isMeasured, buffers });
      groupings.set(key, { ...grouping, sources: sourcesOf(request) });
      return { grouping, coverage };
    },
    drop(changed) {
      for (const type of changed) coverages.delete(type);
      for (const [key, { sources }] of [...groupings.entries()]) {
        if (sources.some((type) => changed.has(type))) groupings.delete(key);
      }
    },
  };
}

/** The types from whose facts the groups of records follow. */
function sourcesOf({ of, groups }: Grouped): RecordType[] {
  return groups.reduce<RecordType[]>(
    (sources, group) => {
      const source = GROUPS[of][group] as GroupSource;
      if (source.kind === 'links') sources.push(...source.paths.flat().map(({ relation }) => relation.from));
      if (source.kind === 'value') sources.push(...(source.through?.to ?? []));
      return sources;
    },
    [of],
  );
}
