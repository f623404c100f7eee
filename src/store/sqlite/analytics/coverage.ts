import type { AggregateData } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { isoDateOf, MARKS } from '../../analytics/facts.ts';
import { cached } from '../../cached.ts';
import { type Columns, liveCodes, typeIndex } from './columns.ts';
import { CARRY } from './tally.ts';

/** Totals of records, independent of groups. Records can be added and removed. */
export type TypeCoverage = ReturnType<typeof createCoverage>;

const createCoverage = () => ({
  records: 0,
  /** Records with a known amount, and the exact sum of these. */
  known: 0,
  sum: 0n,
  /** Numbers of grants, and of rounds whose list of investors may be truncated. */
  grants: 0,
  cut: 0,
  /** Number of records of which only the editors of the data set state a part, and the sum of that, exact up to 90 trillion dollars. */
  unsourced: 0,
  unsourcedSum: 0,
  /** The same of further rounds of which they state who led them. */
  unsourcedLeads: 0,
  unsourcedLeadsSum: 0,
  /** First and last day, as YYYYMMDD; infinite and 0 if none is known. */
  from: Number.POSITIVE_INFINITY,
  to: 0,
  /** Records of the first and of the last day. */
  first: 0,
  last: 0,
});

export function coverageOf(columns: Columns, records: Uint32Array): TypeCoverage {
  const coverage = createCoverage();
  coverRecords(coverage, columns, { records, sign: 1 });
  return coverage;
}

interface Covered {
  readonly records: Uint32Array;
  readonly sign: 1 | -1;
}

/** Adds records, or removes them. Returns false if none of the first or last day is left, so that others are unknown. */
function coverRecords(coverage: TypeCoverage, columns: Columns, { records, sign }: Covered): boolean {
  const { date, amount, marks, unsourced: unsourcedAmount } = columns;
  let { from, to, first, last, known, sum, grants, cut } = coverage;
  let { unsourced, unsourcedSum, unsourcedLeads, unsourcedLeadsSum } = coverage;
  let part = 0;
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    if (!Number.isNaN(amount[code])) {
      known += sign;
      part += sign * amount[code];
    }
    if (Math.abs(part) >= CARRY) {
      sum += BigInt(part);
      part = 0;
    }
    const mark = marks[code];
    if (mark !== 0) {
      if ((mark & MARKS.grant) !== 0) grants += sign;
      if ((mark & MARKS.cut) !== 0) cut += sign;
      if ((mark & MARKS.unsourced) !== 0) {
        unsourced += sign;
        unsourcedSum += sign * unsourcedAmount[code];
      }
      if ((mark & MARKS.unsourcedLeads) !== 0) {
        unsourcedLeads += sign;
        if (!Number.isNaN(amount[code])) unsourcedLeadsSum += sign * amount[code];
      }
    }
    const day = date[code];
    if (day === 0) continue;
    if (day > to) {
      to = day;
      last = 0;
    }
    if (day < from) {
      from = day;
      first = 0;
    }
    if (day === to) last += sign;
    if (day === from) first += sign;
  }
  Object.assign(coverage, { from, to, first, last, known, grants, cut });
  Object.assign(coverage, { unsourced, unsourcedSum, unsourcedLeads, unsourcedLeadsSum });
  coverage.sum = sum + BigInt(part);
  coverage.records += sign < 0 ? -records.length : records.length;
  return to === 0 || (first > 0 && last > 0);
}

/** The coverage of all records of each type, which follows changes. */
export function createCoverages(columns: Columns) {
  const coverages = new Map<RecordType, TypeCoverage>();
  return {
    of: (type: RecordType): TypeCoverage =>
      cached(coverages, type, () => coverageOf(columns, liveCodes(columns, type))),
    /** Removes records before a change, or adds them after it. */
    cover: (codes: Uint32Array, sign: 1 | -1): void => {
      for (const [of, coverage] of coverages) {
        const records = codes.filter((code) => columns.type[code] === typeIndex(of) && columns.isLive[code] === 1);
        if (!coverRecords(coverage, columns, { records, sign })) coverages.delete(of);
      }
    },
    clear: (): void => coverages.clear(),
  };
}

/** Period and number of grants, which is omitted if all or none are. */
export function shownCoverage(coverage: TypeCoverage): Pick<AggregateData['covered'], 'from' | 'to' | 'grants'> {
  const { records, grants, from, to } = coverage;
  const days = to === 0 ? { from: null, to: null } : { from: isoDateOf(from), to: isoDateOf(to) };
  return grants === 0 || grants === records ? days : { ...days, grants };
}
