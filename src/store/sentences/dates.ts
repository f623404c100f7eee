import { once } from '../../contract/lazy.ts';
import { daysOfPeriod, utcDay } from '../../contract/periods.ts';
import { type DateRange, shiftYear } from './periods.ts';

/** A date range found by chrono-node, by its position in the text. */
export interface DateMatch extends DateRange {
  readonly start: number;
  readonly end: number;
}

/** Signs of a date that justify loading the library: a day next to a month, or `N units ago`. */
const SIGNS =
  /\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?\p{L}{3,}|\p{L}{3,}\.?\s+\d{1,2}\b|\d\s*[./]\s*\d|\b(?:ago|yesterday|tomorrow|today|hace|ayer|gestern|heute|vor|hier|il y a)\b|[日号天前]/iu;
const DATES_MAX = 8;

type Parse = typeof import('./chrono.ts')['parsers'][number];

/** Importing a module again takes tens of microseconds. */
const chrono = once(() => import('./chrono.ts'));

/** The chrono-node parsers for a text, loaded with the first text that has a sign of a date. */
export const dateParsersFor = async (text: string): Promise<readonly Parse[]> =>
  SIGNS.test(text) ? (await chrono()).parsers : [];

/**
 * Date ranges that only chrono-node parses, in six languages: `15 March 2026`, `two months ago`. One without a year has that of
 * the date that it is joined with: `between 15 March and 30 April 2022`. Alone, it is the last that has begun.
 */
export function datesIn(text: string, today: Date, parsers: readonly Parse[]): readonly DateMatch[] {
  const found: FoundDate[] = [];
  for (const { index, text: part, start, end } of parsers.flatMap((parse) => parse(withRange(text), today))) {
    const isWhole = start.isCertain('day') && start.isCertain('month');
    const isAgo = start.isCertain('year') && !/\d{4}/.test(part);
    // `within 18 months` is a span between two things, and no date.
    if ((!isWhole && !isAgo) || /^within\b/i.test(part)) continue;
    if (found.some((known) => known.start < index + part.length && known.end > index)) continue;
    if (found.length === DATES_MAX) break;
    const day = utcDay(start.date());
    // `three years ago`, `two months ago`
    const period = isWhole ? undefined : daysOfPeriod(day.slice(0, start.isCertain('month') ? 7 : 4));
    const range = period ? { ...period, day } : { from: day, to: end ? utcDay(end.date()) : day };
    const hasYear = start.isCertain('year') || end?.isCertain('year') === true;
    found.push({ start: index, end: index + part.length, ...range, hasYear });
  }
  const dates = found.toSorted((one, other) => one.start - other.start);
  // From the last one on, so that each has the year of the next.
  for (const [at, date] of [...dates.entries()].reverse()) {
    const [before, next] = [dates[at - 1], dates[at + 1]];
    if (date.hasYear) continue;
    if (next && isJoined(text.slice(date.end, next.start))) dates[at] = lastUntil(next.from, date);
    else if (before?.hasYear && isJoined(text.slice(before.end, date.start))) dates[at] = firstFrom(before.to, date);
    else dates[at] = lastUntil(utcDay(today), date);
  }
  return dates;
}

type FoundDate = DateMatch & { readonly hasYear: boolean };

/** `between 1 and 15 March`, which chrono-node does not parse, as a range of the same length. */
const withRange = (text: string): string =>
  text.replace(/(\bbetween \d{1,2}(?:st|nd|rd|th)?) and (?=\d{1,2}(?:st|nd|rd|th)? \p{L})/iu, '$1 to  ');

/** Whether only a word or two, or a sign, stand between two dates: `and`, `y el`. */
const isJoined = (between: string): boolean => /^[^\d,;.]{1,8}$/.test(between);

const lastUntil = (day: string, date: FoundDate): FoundDate =>
  inYear(date, Number(day.slice(0, 4)) - (date.from.slice(4) > day.slice(4) ? 1 : 0));

const firstFrom = (day: string, date: FoundDate): FoundDate =>
  inYear(date, Number(day.slice(0, 4)) + (date.from.slice(4) < day.slice(4) ? 1 : 0));

/** The same days, of another year. */
function inYear(date: FoundDate, year: number): FoundDate {
  const years = year - Number(date.from.slice(0, 4));
  return { ...date, from: shiftYear(date.from, years), to: shiftYear(date.to, years) };
}
