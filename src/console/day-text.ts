const DAYS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const DAY = /^\d{4}-\d\d-\d\d$/;
const MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const MONTH = /^\d{4}-\d\d$/;

/** A date, or the days from one to another, as people write them: `11 – 14 Oct 2022`, `Oct 2022`. Years stay as they are. */
export function dayText(start: unknown, end?: unknown): string {
  if (MONTH.test(String(start))) return MONTHS.format(new Date(String(start))).replace('Sept', 'Sep');
  if (!DAY.test(String(start))) return String(start ?? '');
  const first = new Date(String(start));
  const last = new Date(String(end ?? start));
  return (last > first ? DAYS.formatRange(first, last) : DAYS.format(first)).replace('Sept', 'Sep');
}
