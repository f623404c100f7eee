import { LRUCache } from 'lru-cache';
import type { Aggregate } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { type Columns, typePlace } from './columns.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type EntryBuffers, liveCodes } from './entries.ts';
import { type Grouping, groupingOf } from './grouping.ts';
import { bytesOf } from './totals.ts';

/** Bounds the memory: at a million records, 40 MB are all groups of all types, and as many a pair with 800,000 groups. */
const KEPT_BYTES = 2 ** 27;

interface Kept {
  readonly grouping: Grouping;
  readonly coverage: Coverage;
}

/** Groupings of all records of a type, kept until facts change. */
export interface KeptGroupings {
  /** Groups all records of a type, unless that is kept. */
  group(columns: Columns, request: Pick<Aggregate, 'of' | 'groups'>, isMeasured: boolean): Kept;
  clear(): void;
}

export function createKeptGroupings(buffers: EntryBuffers): KeptGroupings {
  const groupings = new LRUCache<string, Grouping>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ totals }) => bytesOf(totals),
  });
  const coverages = new Map<RecordType, Coverage>();
  return {
    group(columns, request, isMeasured) {
      const { of, groups } = request;
      const key = `${of} ${groups}`;
      const kept = groupings.get(key);
      const records = kept?.records ?? liveCodes(columns, columns.records[typePlace(of)]);
      const coverage = coverages.get(of) ?? coverageOf(columns, of, records);
      coverages.set(of, coverage);
      if (kept !== undefined && (kept.isMeasured || !isMeasured)) return { grouping: kept, coverage };
      const grouping = groupingOf(columns, request, { records, isMeasured, buffers });
      groupings.set(key, grouping);
      return { grouping, coverage };
    },
    clear() {
      groupings.clear();
      coverages.clear();
    },
  };
}
