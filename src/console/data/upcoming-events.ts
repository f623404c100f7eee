import type { RecordData } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import { groupBy } from '../../contract/group-by.ts';
import { utcDay } from '../../contract/periods.ts';
import type { Records, SearchPage, Window } from '../../store/port/records.ts';
import { isOfUpcoming, type ParsedSearch } from './parsed-search.ts';

/** A window of the events that pass some filters: the next one first and then the later ones, then the past ones, the newest first. */
export async function listEvents(
  records: Records,
  { filters, window: { offset, limit }, now }: { filters: Filters; window: Window; now: Date },
): Promise<SearchPage['results']> {
  const today = utcDay(now);
  const { starts_after: given = today } = filters;
  const list = (isUpcoming: boolean, window: Window) =>
    records.search({
      types: ['events'],
      text: '',
      filters: isUpcoming ? { ...filters, starts_after: given > today ? given : today } : filters,
      sort: { field: 'start_date', isDescending: !isUpcoming },
      window,
    });
  const upcoming = await list(true, { offset, limit });
  // Of all events with the latest first, as many are upcoming; events without a date come last.
  const past = { offset: Math.max(offset, upcoming.total), limit: limit - upcoming.results.length };
  if (past.limit === 0) return upcoming.results;
  return [...upcoming.results, ...(await list(false, past)).results];
}

/** Events in the order of their dates by year; other records in one part without a name. */
export function partsOf(search: ParsedSearch, records: readonly RecordData[]): readonly [part: string, RecordData[]][] {
  const yearOf = (record: RecordData): string => String(record['start_date'] ?? '').slice(0, YEAR_LENGTH);
  return [...groupBy(records, (record) => (isOfUpcoming(search) ? yearOf(record) || 'No date on record' : ''))];
}

const YEAR_LENGTH = 4;
