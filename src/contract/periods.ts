/** UTC calendar days and months. */

export const DAY_MS = 86_400_000;

/** The UTC day of a moment, such as `2026-11-21`. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

export interface CountingPeriod {
  /** Such as `2026-11-21`. */
  readonly day: string;
  /** Such as `2026-11`. */
  readonly month: string;
}

export function periodOf(moment: Date): CountingPeriod {
  const text = moment.toISOString();
  return { day: text.slice(0, 10), month: text.slice(0, 7) };
}

export function endOfDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));
}

export function endOfMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1));
}

export function startOfMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()));
}
