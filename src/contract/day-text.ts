import { enumerated } from './answer-parts.ts';
import { daysOfPeriod, type Period, statedValue } from './periods.ts';

const DAYS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const DAY = /^\d{4}-\d\d-\d\d$/;
const MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A date, or the days from one to another, as people write them: `11 – 14 Oct 2022`. Years and months stay as they are. */
export function dayText(start: unknown, end?: unknown): string {
  if (!DAY.test(String(start))) return String(start ?? '');
  const first = new Date(String(start));
  const last = new Date(String(end ?? start));
  return (last > first ? DAYS.formatRange(first, last) : DAYS.format(first)).replace('Sept', 'Sep');
}

/** The month of a date, such as `Oct 2022`; blank for a year alone. */
export const monthText = (date: string): string =>
  /^\d{4}-\d\d/.test(date) ? MONTHS.format(new Date(date)).replace('Sept', 'Sep') : '';

const QUARTERS: Readonly<Record<string, string>> = {
  ...{ '01-01 03-31': 'Q1', '04-01 06-30': 'Q2', '07-01 09-30': 'Q3', '10-01 12-31': 'Q4' },
  ...{ '01-01 06-30': 'H1', '07-01 12-31': 'H2' },
};

/** A period by its first and last day: `2024`, `H1 2024`, `Q1 2024`, `Jan 2024`, or its days. */
export function periodName({ from, to }: Period): string {
  const year = from.slice(0, 4);
  if (year === to.slice(0, 4)) {
    const days = `${from.slice(5)} ${to.slice(5)}`;
    if (days === '01-01 12-31') return year;
    if (QUARTERS[days] !== undefined) return `${QUARTERS[days]} ${year}`;
  }
  const month = daysOfPeriod(from.slice(0, 7));
  return month?.from === from && month.to === to ? monthText(from) : `${dayText(from)} to ${dayText(to)}`;
}

/** A date as it is stated: its day, or its month if that is all. */
export const statedText = (date: string): string => (DAY.test(date) ? '' : monthText(date)) || dayText(date);

/** The periods that a sentence compares, such as `Q1 2024 and Q1 2025`. */
export const periodNames = (periods: readonly Period[]): string => enumerated(periods.map(periodName)).join('');

/** Until when a year or month is on record, as `to 9 Jun`, or `to Jun`; undefined for a whole one, and where that is not known. */
export function partOfPeriod(period: string, to: string | null): string | undefined {
  if (to === null || !to.startsWith(`${period}-`) || (daysOfPeriod(to) ?? { to }).to === daysOfPeriod(period)?.to)
    return undefined;
  return `to ${statedText(to).replace(` ${period.slice(0, 4)}`, '')}`;
}

/** A value of a record; a date of which only the month is known is `Oct 2022`. */
export function shownValue(record: Readonly<Record<string, unknown>>, field: string): unknown {
  const value = statedValue(record, field);
  return value === record[field] ? value : monthText(String(value));
}

/** The date of a record's newest source; of one that is the date of its last round, only the month may be known. */
export function newestSource(record: Readonly<Record<string, unknown>>): string {
  const months = (record['month_only'] ?? []) as readonly string[];
  return String(shownValue(record, months.find((field) => record[field] === record['as_of']) ?? 'as_of'));
}
