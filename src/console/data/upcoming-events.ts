import type { Filters } from '../../contract/filters.ts';
import { utcDay } from '../../contract/periods.ts';
import type { Records, SearchPage, Window } from '../../store/port/records.ts';

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
