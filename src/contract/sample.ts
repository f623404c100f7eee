import type { AggregateData, AggregateQuery } from './aggregate.ts';
import type { RecordType } from './entities/index.ts';
import type { FilterName, Filters } from './filters.ts';
import type { SearchData } from './record-responses.ts';
import { INVESTORS_LISTED_MAX, NO_GRANTS } from './vocabulary.ts';

/** What answers about rounds and events are a sample of, so that totals and superlatives are not read as complete. */

/** Filters that are a period. */
const PERIOD: readonly FilterName[] = ['from', 'to', 'starts_after', 'starts_before'];

/** Types of what is announced, of which only a part is on record. */
export const isSampled = (type: RecordType | undefined): type is 'rounds' | 'events' =>
  type === 'rounds' || type === 'events';

export const periodOf = (given: Filters): Filters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => PERIOD.includes(name as FilterName)));

export const hasPeriod = (given: Filters): boolean => Object.keys(periodOf(given)).length > 0;

/** Whether an answer is by investor, of whom only some are listed in the rounds. */
const isByInvestor = (type: RecordType | undefined, given: Filters): boolean =>
  given.investor !== undefined || (type === 'investors' && given.company !== undefined);

/** What counts and lists by investor are worth. */
export const INVESTORS_AT_LEAST = `at least: sources list ${INVESTORS_LISTED_MAX} investors of a round at most`;

/** How many of some rounds are grants, and how to leave them out: programs pay many small ones. */
export const grantsText = (records: number, grants: number): string =>
  `${grants} of the ${records} rounds are grants; ${records - grants} without them (funding_stage ${NO_GRANTS})`;

interface Sampled {
  readonly type: RecordType | undefined;
  readonly filters: Filters;
  /** Records on record in the period, if it is a sample of them. */
  readonly onRecord: number | undefined;
  /** Rounds whose investors may be cut; undefined if the answer is not by investor, or nothing is cut. */
  readonly cut?: number | undefined;
}

/** What an answer is a sample of, in a sentence each. */
function sampleLines({ type, filters, onRecord, cut }: Sampled): string[] {
  const [from, to] = [filters.from ?? filters.starts_after, filters.to ?? filters.starts_before];
  const period = `${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`;
  const what = type === 'rounds' ? 'funding rounds (grants aside)' : 'events';
  const cutText = cut === undefined ? '' : `, as of ${cut} of the rounds`;
  return [
    ...(onRecord === undefined ? [] : [`A sample: ${onRecord} ${what} are on record${period}, announced ones only.`]),
    ...(cut !== undefined || isByInvestor(type, filters)
      ? [`By investor this is ${INVESTORS_AT_LEAST}${cutText}.`]
      : []),
  ];
}

/** The same of a search, as it was understood. */
export function searchSample(
  { understood, on_record: onRecord }: Pick<SearchData, 'understood' | 'on_record'>,
  { type, ...given }: Readonly<Record<string, unknown>> & { readonly type: RecordType | 'all' },
): string[] {
  const searched = understood?.type ?? (type === 'all' ? undefined : type);
  return sampleLines({ type: searched, filters: { ...given, ...understood?.filters } as Filters, onRecord });
}

/** The same of an aggregate, and first how many grants it counts. */
export function aggregateSample(
  { covered: { records, grants, on_record: onRecord, may_be_cut: cut } }: Pick<AggregateData, 'covered'>,
  { of, ...given }: AggregateQuery,
): string[] {
  const filters = cut === undefined ? periodOf(given as Filters) : (given as Filters);
  const counted = grants === undefined ? [] : [`${grantsText(records, grants)}.`];
  return [...counted, ...sampleLines({ type: of, filters, onRecord, cut })];
}
