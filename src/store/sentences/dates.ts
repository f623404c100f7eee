import { once } from '../../contract/lazy.ts';
import { utcDay } from '../../contract/periods.ts';
import type { DateRange } from './periods.ts';

/** A date range found by chrono-node, by its position in the text. */
export interface DateMatch extends DateRange {
  readonly start: number;
  readonly end: number;
}

/** Signs of a date that justify loading the library: a day next to a month, or `N units ago`. */
const SIGNS =
  /\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?\p{L}{3,}|\p{L}{3,}\.?\s+\d{1,2}\b|\d\s*[./]\s*\d|\b(?:ago|yesterday|tomorrow|today|hace|ayer|gestern|heute|vor|hier|il y a)\b|[日号天前]/iu;
const LOCALES_MAX = 8;

type Parse = typeof import('./chrono.ts')['parsers'][number];

/** Importing a module again takes tens of microseconds. */
const chrono = once(() => import('./chrono.ts'));

/** The chrono-node parsers for a text, loaded with the first text that has a sign of a date. */
export const dateParsersFor = async (text: string): Promise<readonly Parse[]> =>
  SIGNS.test(text) ? (await chrono()).parsers : [];

/** Date ranges that only chrono-node parses, in six languages: `15 March 2026`, `two months ago`. */
export function datesIn(text: string, today: Date, parsers: readonly Parse[]): readonly DateMatch[] {
  const found: DateMatch[] = [];
  for (const parse of parsers) {
    for (const { index, text: part, start, end } of parse(text, today)) {
      const isWhole = start.isCertain('day') && start.isCertain('month');
      const isAgo = start.isCertain('month') && start.isCertain('year') && !/\d{4}/.test(part);
      // `within 18 months` is a span between two things, and no date.
      if ((!isWhole && !isAgo) || /^within\b/i.test(part)) continue;
      if (found.some((known) => known.start < index + part.length && known.end > index)) continue;
      if (found.length === LOCALES_MAX) return found;
      const from = utcDay(start.date());
      found.push({ start: index, end: index + part.length, from, to: end ? utcDay(end.date()) : from });
    }
  }
  return found;
}
