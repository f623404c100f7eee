export type PeriodUnit = 'year' | 'quarter' | 'month';

/** Groups by time, which are shown in its order. */
export const PERIODS: readonly string[] = ['year', 'quarter', 'month'] satisfies PeriodUnit[];

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC day of a moment, such as `2026-11-21`. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

export type CountingPeriod = ReturnType<typeof periodOf>;

export function periodOf(moment: Date) {
  const text = moment.toISOString();
  return { day: text.slice(0, 10), month: text.slice(0, 7) };
}

export const endOfDay = (moment: Date): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));

export const endOfMonth = (moment: Date): Date => new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1));

export const startOfMonth = (moment: Date): Date => new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()));

/** The years from one to another, both included; none if the first is after the last. */
export const yearsBetween = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index);

/** A year, quarter or month: `2024`, `2024-Q1`, `2024-01`. */
const PERIOD = /^(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?$/i;

/** A value as sources state it: a date is `2021-03` if only the month is known. */
export function statedValue(record: Readonly<Record<string, unknown>>, field: string): unknown {
  const isOfMonth = ((record['month_only'] ?? []) as readonly string[]).includes(field);
  return isOfMonth ? String(record[field]).slice(0, 7) : record[field];
}

/** The period of which a span of days has several: years, in one year quarters, and in one quarter months. */
export function periodWithin(from: string, to: string): PeriodUnit {
  if (from.slice(0, 4) !== to.slice(0, 4)) return 'year';
  const quarterOf = (day: string): number => Math.ceil(Number(day.slice(5, 7)) / 3);
  return quarterOf(from) === quarterOf(to) ? 'month' : 'quarter';
}

/** The first and last day of a period. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Whether a year, quarter or month is within some days. */
export function isPeriodWithin(text: string, { from, to }: Period): boolean {
  const days = daysOfPeriod(text);
  return days !== undefined && from <= days.from && days.to <= to;
}

/** The first and last day of a year, quarter or month; undefined for any other text. */
export function daysOfPeriod(text: string): Period | undefined {
  const [, year, quarter, month] = PERIOD.exec(text) ?? [];
  if (year === undefined) return undefined;
  const first = month === undefined ? 3 * (Number(quarter ?? 1) - 1) : Number(month) - 1;
  const months = month === undefined ? (quarter === undefined ? 12 : 3) : 1;
  const last = new Date(`${year}-01-01`);
  last.setUTCMonth(first + months, 0);
  return { from: `${year}-${String(first + 1).padStart(2, '0')}-01`, to: utcDay(last) };
}
