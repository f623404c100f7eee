import type { AggregateData } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { GRANT } from '../../../contract/vocabulary.ts';
import { CUT_FIELD, isoDateOf } from '../../answers/facts.ts';
import { type Columns, liveCodes, typeIndex } from './columns.ts';
import { fieldLists } from './dimensions.ts';

/** What some records are, however they are grouped. Records can be added and removed. */
export interface Coverage {
  records: number;
  /** Records with a known amount. */
  known: number;
  /** Rounds that are grants, and rounds whose investors may be cut. */
  grants: number;
  cut: number;
  /** First and last day, as YYYYMMDD; infinite and 0 if none is known. */
  from: number;
  to: number;
}

export function coverageOf(columns: Columns, of: RecordType, records: Uint32Array): Coverage {
  const coverage: Coverage = { records: 0, known: 0, grants: 0, cut: 0, from: Number.POSITIVE_INFINITY, to: 0 };
  coverRecords(coverage, columns, { of, records, sign: 1 });
  return coverage;
}

interface Covered {
  readonly of: RecordType;
  readonly records: Uint32Array;
  readonly sign: 1 | -1;
}

/** Adds records, or removes them. Returns false if the first or last day is removed, which leaves others unknown. */
function coverRecords(coverage: Coverage, columns: Columns, { of, records, sign }: Covered): boolean {
  const { date, amount } = columns;
  let { from, to, known } = coverage;
  let isEdge = false;
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    const day = date[code];
    if (sign < 0 && (day === from || day === to)) isEdge = true;
    if (day > to) to = day;
    if (day > 0 && day < from) from = day;
    if (!Number.isNaN(amount[code])) known += sign;
  }
  Object.assign(coverage, { records: coverage.records + sign * records.length, known, from, to });
  if (of === 'rounds') {
    coverage.grants += sign * grantsAmong(columns, records).length;
    coverage.cut += sign * roundsWith(columns, records, { field: CUT_FIELD, value: 'true' }).length;
  }
  return !isEdge;
}

/** The coverage of all records of each type, which follows changes. */
interface Coverages {
  of(type: RecordType): Coverage;
  /** Removes records before a change, or adds them after it. */
  cover(codes: Uint32Array, sign: 1 | -1): void;
  clear(): void;
}

export function createCoverages(columns: Columns): Coverages {
  const coverages = new Map<RecordType, Coverage>();
  return {
    of: (type) => {
      const coverage = coverages.get(type) ?? coverageOf(columns, type, liveCodes(columns, type));
      coverages.set(type, coverage);
      return coverage;
    },
    cover: (codes, sign) => {
      for (const [of, coverage] of coverages) {
        const records = codes.filter((code) => columns.type[code] === typeIndex(of) && columns.isLive[code] === 1);
        if (!coverRecords(coverage, columns, { of, records, sign })) coverages.delete(of);
      }
    },
    clear: () => coverages.clear(),
  };
}

export const grantsAmong = (columns: Columns, records: Uint32Array): Uint32Array =>
  roundsWith(columns, records, { field: 'stage', value: GRANT });

/** The rounds with this value of a field with one value. */
function roundsWith(
  columns: Columns,
  records: Uint32Array,
  { field, value }: { readonly field: string; readonly value: string },
): Uint32Array {
  const { lists, column } = fieldLists(columns, { type: 'rounds', field, isOfCompany: false });
  const { pool, values } = lists;
  const wanted = values.indexOf(value);
  const found = new Uint32Array(records.length);
  let length = 0;
  for (let index = 0; index < records.length; index += 1) {
    const list = column[records[index]];
    if (wanted > 0 && pool[list] > 0 && pool[list + 1] === wanted) found[length++] = records[index];
  }
  return found.subarray(0, length);
}

/** Period and number of grants, which is omitted if all or none are. */
export function shownCoverage({
  records,
  grants,
  from,
  to,
}: Coverage): Pick<AggregateData['covered'], 'from' | 'to' | 'grants'> {
  const days = to === 0 ? { from: null, to: null } : { from: isoDateOf(from), to: isoDateOf(to) };
  return grants === 0 || grants === records ? days : { ...days, grants };
}
