import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import type { DateRange } from './periods.ts';

/** Subject of a period or amount. */
export type Subject = 'founded' | 'raised' | 'lastRound' | 'held' | 'updated' | 'status' | 'listed';

export type OpenPeriod = Partial<DateRange>;

/** Filters in the form of request parameters. */
export type FilterPairs = readonly (readonly [FilterName, string | number])[];

const yearOf = (date: string): number => Number(date.slice(0, 4));

/** Filters of a period, by subject. */
const PERIODS: Readonly<Record<string, (span: OpenPeriod) => FilterPairs>> = {
  founded: ({ from, to }) => [
    ...(from === undefined ? [] : [['founded_from', yearOf(from)] as const]),
    ...(to === undefined ? [] : [['founded_to', yearOf(to)] as const]),
  ],
  days: ({ from, to }) => [
    ...(from === undefined ? [] : [['from', from] as const]),
    ...(to === undefined ? [] : [['to', to] as const]),
  ],
  lastRound: ({ from, to }) => [
    ...(from === undefined ? [] : [['last_round_after', from] as const]),
    ...(to === undefined ? [] : [['last_round_before', to] as const]),
  ],
  // A date of which only the month or year is known is not before its first day.
  status: ({ from, to }) => [
    ...(from === undefined ? [] : [['status_from', from.replace(/(?:-01)?-01$/, '')] as const]),
    ...(to === undefined ? [] : [['status_to', to] as const]),
  ],
  updated: ({ from }) => (from === undefined ? [] : [['updated_since', from]]),
};

/** Filters of a period for some types; empty if they have no such date. */
export function periodFilters(
  types: readonly RecordType[],
  subject: Subject | undefined,
  span: OpenPeriod,
): FilterPairs {
  const ofCompanies =
    types.join() === 'companies'
      ? { days: 'founded', lastRound: 'lastRound' }
      : types.join() === 'investors'
        ? { lastRound: 'lastRound' }
        : {};
  const kinds: Readonly<Record<string, string>> = {
    updated: 'updated',
    founded: 'founded',
    status: 'status',
    listed: 'listed',
    ...ofCompanies,
  };
  return applying(types, PERIODS[kinds[subject ?? 'days'] ?? 'days']?.(span) ?? []);
}

/** Filters of an amount or number for some types, as whole numbers. */
export const rangeFilters = (
  types: readonly RecordType[],
  counted: 'funding' | 'valuation' | 'employees' | 'investments' | 'rounds' | 'led',
  { min, max }: { min?: number; max?: number },
): FilterPairs =>
  applying(types, [
    ...(min === undefined ? [] : [[`${counted}_min`, Math.ceil(min)] as const]),
    ...(max === undefined ? [] : [[`${counted}_max`, Math.floor(max)] as const]),
  ]);

/** The filters that some of the types have. */
const applying = (types: readonly RecordType[], parameters: FilterPairs): FilterPairs =>
  parameters.filter(([name]) => types.some((type) => hasFilter(type, name)));
