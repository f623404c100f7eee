import { daysOfPeriod, utcDay } from '../../contract/periods.ts';
import type { Lexicon, Meaning, Phrase } from './lexicon.ts';
import type { Token } from './sentence-tokens.ts';

/** A period as inclusive ISO dates. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
  /** The day that a bound is of, if it is not the whole period: of `more than three years ago`. */
  readonly day?: string | undefined;
}

export interface PeriodMatch extends DateRange {
  readonly length: number;
}

/** Context of parsing periods. */
export interface Calendar {
  readonly lexicon: Lexicon;
  readonly today: Date;
}

const YEAR = /^(?:19|20)\d\d$/;
const DECADE = /^(?:19|20)\d0s$/;
const ISO_DAY = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
const MONTH_OF_YEAR = /^(\d{1,2})\/(\d{4})$/;
const PART = /^(?:[qt]([1-4])|([1-4])[qt]|h([12])|([12])h)((?:20)?\d\d)?$/;
const WHOLE_YEAR = /^[cf]y((?:20)?\d\d)$/;
/** A year of two digits, which is one only after a part of it. */
const SHORT_YEAR = /^\d\d$/;
/** Parts of a year, with their months. */
const PARTS = { quarter: 3, season: 3, third: 4, half: 6 } as const;
/** Fiscal years are taken for calendar years. */
const YEAR_SIGN = new Set(['年', '年度']);
const MONTH_SIGN = '月';
const DAY_SIGN = /^[日号]$/;
type Unit = keyof typeof UNIT_LENGTHS;
const COUNTED_MAX = 1_000;
const DAY_MS = 86_400_000;

/** The period that begins at a token; undefined if there is none. */
export function periodAt(tokens: readonly Token[], start: number, calendar: Calendar): PeriodMatch | undefined {
  for (const read of [isoDay, spanTo, yearAndMore, partOfYear, monthAndYear, relative]) {
    const found = read(tokens, start, calendar);
    if (found) return found;
  }
  return undefined;
}

type Read = (tokens: readonly Token[], start: number, calendar: Calendar) => PeriodMatch | undefined;

const isoDay: Read = (tokens, start) => {
  const text = tokens[start]?.text ?? '';
  const [, year, month, day] =
    ISO_DAY.exec(text.replace(MONTH_OF_YEAR, (_, of, its) => `${its}-${of.padStart(2, '0')}`)) ?? [];
  if (year === undefined || !isMonth(Number(month))) return undefined;
  if (day === undefined) return { ...monthOf(Number(year), Number(month)), length: 1 };
  const date = dayOf(Number(year), Number(month) - 1, Number(day));
  return date.slice(5, 7) === month ? { from: date, to: date, length: 1 } : undefined;
};

/** A year or decade; in Chinese with the parts after it: `2026年7月15日`, `2026年第一季度`, `2026年初`. */
const yearAndMore: Read = (tokens, start, calendar) => {
  const text = tokens[start]?.text ?? '';
  if (DECADE.test(text)) return { ...monthOf(Number(text.slice(0, -1)), 1, 120), length: 1 };
  const [, written] = WHOLE_YEAR.exec(text) ?? [];
  if (written !== undefined) return { ...yearOf(longYear(written)), length: 1 };
  if (!YEAR.test(text)) return undefined;
  const year = Number(text);
  const third = /^年/.test(tokens[start + 1]?.text ?? '') ? partAt(tokens, start + 1, calendar) : undefined;
  if (third) return { ...partOf(year, third), length: 2 };
  const behind = partBehind(tokens, start + 1, calendar);
  if (behind) return { ...partOf(year, behind), length: 1 + behind.length };
  if (!YEAR_SIGN.has(tokens[start + 1]?.text ?? '')) return { ...yearOf(year), length: 1 };
  const month = Number(tokens[start + 2]?.text);
  if (isMonth(month) && tokens[start + 3]?.text === MONTH_SIGN) {
    const day = Number(tokens[start + 4]?.text);
    if (!(day >= 1 && day <= 31 && DAY_SIGN.test(tokens[start + 5]?.text ?? '')))
      return { ...monthOf(year, month), length: 4 };
    const date = dayOf(year, month - 1, day);
    return { from: date, to: date, length: 6 };
  }
  const part = partAt(tokens, start + 2, calendar);
  return part ? { ...partOf(year, part), length: 2 + part.length } : { ...yearOf(year), length: 2 };
};

/** The quarter or half behind a year, which has none of its own: `2024 Q1`, `2024-H1`, `2024 first quarter`. */
function partBehind(tokens: readonly Token[], start: number, calendar: Calendar): Part | undefined {
  const joint = tokens[start]?.text === '-' ? 1 : 0;
  const part = partAt(tokens, start + joint, calendar);
  const isOfUnit = part?.months === PARTS.half || (part?.months === PARTS.quarter && part.offset === undefined);
  if (!part || !isOfUnit || part.year !== undefined) return undefined;
  const length = joint + part.length;
  return yearAfter(tokens, start + length, calendar) ? undefined : { ...part, length };
}

/** `Q1 2026`, `H1 '26`, `first quarter of 2026`, `second half of 2026`, `early 2026`. */
const partOfYear: Read = (tokens, start, calendar) => {
  const part = partAt(tokens, start, calendar);
  if (part === undefined) return undefined;
  if (part.year !== undefined) return { ...partOf(part.year, part), length: part.length };
  const short = part.months === PARTS.third ? undefined : SHORT_YEAR.exec(tokens[start + part.length]?.text ?? '')?.[0];
  if (short !== undefined) return { ...partOf(longYear(short), part), length: part.length + 1 };
  const after = yearAfter(tokens, start + part.length, calendar);
  if (after !== undefined) return { ...partOf(after.year, part), length: part.length + after.length };
  // `H1 vs H2 2021`: the year stands once.
  const isJoined = (['and', 'or', 'versus'] as const).some((each) =>
    means(calendar, tokens[start + part.length], each),
  );
  const later = isJoined ? partOfYear(tokens, start + part.length + 1, calendar) : undefined;
  // `first half of 2022 vs second half`
  const earlier = yearBefore(tokens, start, calendar);
  if (later === undefined && earlier !== undefined) return { ...partOf(earlier, part), length: part.length };
  if (later === undefined) return undefined;
  const same = partOf(Number(later.from.slice(0, 4)), part);
  return { ...(same.from < later.from ? same : partOf(Number(later.from.slice(0, 4)) - 1, part)), length: part.length };
};

/** The year before `vs` and the like, of which a further part is compared. */
function yearBefore(tokens: readonly Token[], start: number, calendar: Calendar): number | undefined {
  const joint = tokens[start - 1]?.text === 'the' ? start - 2 : start - 1;
  const isJoined = (['and', 'or', 'versus'] as const).some((each) => means(calendar, tokens[joint], each));
  const year = tokens[joint - 1]?.text ?? '';
  return isJoined && YEAR.test(year) ? Number(year) : undefined;
}

const BEFORE_MONTH = ['in', 'since', 'from', 'until', 'before', 'after'] as const;

/** `July 2026`, `julio de 2026`. A month alone is the latest that has begun, or the next one after `next`. */
const monthAndYear: Read = (tokens, start, calendar) => {
  const isNext = means(calendar, tokens[start], 'next');
  const isLast = means(calendar, tokens[start], 'last');
  const skipped = isNext || isLast ? 1 : 0;
  const token = tokens[start + skipped];
  const month = phraseOf(calendar, token)?.month;
  if (month === undefined || token === undefined) return undefined;
  const after = yearAfter(tokens, start + skipped + 1, calendar) ?? shortYearAfter(tokens, start, calendar);
  if (after) return { ...monthOf(after.year, month), length: skipped + 1 + after.length };
  const range = monthsTo(tokens, start + skipped + 1, month, calendar);
  if (range !== undefined) return { ...range, length: range.length + skipped + 1 };
  // Short names such as `may` and `mar` are months only if capitalized, or after a preposition.
  const isPrepositional = BEFORE_MONTH.some((each) => means(calendar, tokens[start - 1], each));
  if (token.raw === token.text && skipped === 0 && token.text.length < 4 && !isPrepositional) return undefined;
  const thisYear = calendar.today.getUTCFullYear();
  const isPassed = month <= calendar.today.getUTCMonth() + 1;
  const offset = isNext ? (isPassed ? 1 : 0) : isPassed ? 0 : -1;
  return { ...monthOf(thisYear + offset, month), length: skipped + 1 };
};

/**
 * The months of `jan and mar 2022`, `jan - mar 2022` or `jan-mar 2022`, of which only the last states the year. After `between`
 * or `from`, or before `vs`, only the first; the end is parsed separately.
 */
function monthsTo(tokens: readonly Token[], end: number, month: number, calendar: Calendar) {
  const isJoined =
    (['to', 'and', 'until', 'versus'] as const).some((each) => means(calendar, tokens[end], each)) ||
    /^[-–—]$/.test(tokens[end]?.text ?? '');
  const at = isJoined ? end + 1 : end;
  const last = phraseOf(calendar, tokens[at])?.month;
  const after = yearAfter(tokens, at + 1, calendar);
  if (last === undefined || after === undefined) return undefined;
  const first = monthOf(after.year - (month > last ? 1 : 0), month);
  const isBound =
    means(calendar, tokens[end], 'versus') ||
    (['between', 'from'] as const).some((each) => means(calendar, tokens[end - 2], each));
  if (isBound && isJoined) return { ...first, length: 0 };
  return { from: first.from, to: monthOf(after.year, last).to, length: at + 1 + after.length - end };
}

/** `last year`, `mes pasado`, `last 30 days`, `next week`. */
const relative: Read = (tokens, start, calendar) => {
  const [one, two, three] = [tokens[start], tokens[start + 1], tokens[start + 2]];
  for (const [way, sign] of [
    ['last', -1],
    ['this', 0],
    ['next', 1],
  ] as const) {
    const count = countOf(calendar, two);
    const counted =
      means(calendar, one, way) && count >= 1 && count <= COUNTED_MAX ? unitAt(calendar, three) : undefined;
    if (counted && sign !== 0) return { ...countedSpan(calendar.today, counted, sign * count), length: 3 };
    const unit = means(calendar, one, way) ? unitAt(calendar, two) : undefined;
    const behind = means(calendar, two, way) ? unitAt(calendar, one) : undefined;
    const named = unit ?? behind;
    if (named) return { ...unitSpan(calendar.today, named, sign), length: 2 };
  }
  return undefined;
};

/** `the twelve months to June 2022`, `the year ending March 2023`, `year to date`, `YTD 2026`. */
const spanTo: Read = (tokens, start, calendar) => {
  const ofYear = [start, start + 1].find((at) => YEAR.test(tokens[at]?.text ?? ''));
  if (tokens[start]?.text === 'ytd' || (ofYear === start && tokens[start + 1]?.text === 'ytd')) {
    const span = ofYear === undefined ? unitSpan(calendar.today, 'year', 0) : yearOf(Number(tokens[ofYear]?.text));
    const today = utcDay(calendar.today);
    const isNow = span.from <= today && today < span.to;
    return { from: span.from, to: isNow ? today : span.to, length: ofYear === undefined ? 1 : 2 };
  }
  const count = countOf(calendar, tokens[start]);
  const at = start + (count >= 1 ? 1 : 0);
  const unit = count <= COUNTED_MAX || at === start ? unitAt(calendar, tokens[at]) : undefined;
  const isTo = means(calendar, tokens[at + 1], 'to') || /^end(?:ing|ed)$/.test(tokens[at + 1]?.text ?? '');
  if (unit && isTo && tokens[at + 2]?.text === 'date')
    return { ...unitSpan(calendar.today, unit, 0), to: utcDay(calendar.today), length: at + 3 - start };
  const end = unit && isTo ? periodAt(tokens, at + 2, calendar) : undefined;
  if (unit === undefined || end === undefined) return undefined;
  const [months, days] = UNIT_LENGTHS[unit];
  const [year = 0, month = 1, day = 1] = shiftDay(end.to, 1).split('-').map(Number);
  const back = count >= 1 ? count : 1;
  return {
    from: dayOf(year, month - 1 - months * back, day - days * back),
    to: end.to,
    length: at + 2 - start + end.length,
  };
};

const countOf = ({ lexicon }: Calendar, { text = '' }: Partial<Token> = {}): number =>
  lexicon.number(text) ?? Number(text);

const phraseOf = ({ lexicon }: Calendar, token: Token | undefined): Phrase | undefined =>
  token && lexicon.phrase(token.text);
const means = (calendar: Calendar, token: Token | undefined, meaning: Meaning): boolean =>
  phraseOf(calendar, token)?.meanings.has(meaning) ?? false;
const unitAt = (calendar: Calendar, token: Token | undefined): Unit | undefined =>
  (Object.keys(UNIT_LENGTHS) as Unit[]).find((unit) => means(calendar, token, unit));

interface Part {
  readonly number: number;
  readonly months: number;
  /** Months by which it begins later than the parts of a year. */
  readonly offset?: number;
  /** The year written with it: `1H23`. */
  readonly year?: number | undefined;
  readonly length: number;
}

/** The part of a year that begins at a token: `q1`, `first quarter`, `mid-`, `summer`, `第一季度`, `上半年`. */
function partAt(tokens: readonly Token[], start: number, calendar: Calendar): Part | undefined {
  const [one, two] = [tokens[start], tokens[start + 1]];
  const [written, quarter, ofQuarters = quarter, half, ofHalves = half, year] = PART.exec(one?.text ?? '') ?? [];
  if (written !== undefined) {
    const months = PARTS[ofQuarters ? 'quarter' : 'half'];
    return {
      number: Number(ofQuarters ?? ofHalves),
      months,
      year: year === undefined ? year : longYear(year),
      length: 1,
    };
  }
  if (/^[上下]半年$/.test(one?.text ?? ''))
    return { number: one?.text[0] === '上' ? 1 : 2, months: PARTS.half, length: 1 };
  const season = phraseOf(calendar, one)?.season;
  if (season !== undefined) return { number: season, months: PARTS.season, offset: 2, length: 1 };
  const third = phraseOf(calendar, one)?.third;
  if (third !== undefined) return { number: third, months: PARTS.third, length: two?.text === '-' ? 2 : 1 };
  const unit = (['quarter', 'half'] as const).find((each) => means(calendar, two, each));
  if (unit === undefined) return undefined;
  const most = 12 / PARTS[unit];
  const ordinal = phraseOf(calendar, one)?.ordinal ?? numberUpTo(one?.text, most);
  const number = means(calendar, one, 'last') ? most : ordinal;
  return number === undefined || number > most ? undefined : { number, months: PARTS[unit], length: 2 };
}

const numberUpTo = (text: string | undefined, most: number): number | undefined =>
  Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined;

const longYear = (digits: string): number => Number(digits) + (digits.length === 2 ? 2000 : 0);

/** A year, optionally after a word such as `of`. */
function yearAfter(tokens: readonly Token[], start: number, { lexicon }: Calendar) {
  const isYear = (index: number): boolean => YEAR.test(tokens[index]?.text ?? '');
  if (isYear(start)) return { year: Number(tokens[start]?.text), length: 1 };
  const between = lexicon.phrase(tokens[start]?.text ?? '')?.meanings;
  const isPassedOver = between !== undefined && ['empty', 'in', 'from'].some((each) => between.has(each as Meaning));
  return isPassedOver && isYear(start + 1) ? { year: Number(tokens[start + 1]?.text), length: 2 } : undefined;
}

/** The year of `in Sept 22`, where a day would follow `on`. */
function shortYearAfter(tokens: readonly Token[], start: number, calendar: Calendar) {
  const [before, year, next] = [tokens[start - 1], tokens[start + 1], tokens[start + 2]];
  const isYear =
    means(calendar, before, 'in') && SHORT_YEAR.test(year?.text ?? '') && !/^(?:[-–]|\d+)$/.test(next?.text ?? '');
  return isYear ? { year: longYear(year?.text ?? ''), length: 1 } : undefined;
}

const isMonth = (month: number): boolean => month >= 1 && month <= 12;
/** ISO date of a day in a zero-based month; values may overflow. */
const dayOf = (year: number, month: number, day: number): string => utcDay(new Date(Date.UTC(year, month, day)));
/** Whole months from a one-based one, which may overflow. */
const monthOf = (year: number, month: number, months = 1): DateRange => ({
  from: dayOf(year, month - 1, 1),
  to: dayOf(year, month - 1 + months, 0),
});
const yearOf = (year: number): DateRange => monthOf(year, 1, 12);
const partOf = (year: number, { number, months, offset = 0 }: Part): DateRange =>
  monthOf(year, months * (number - 1) + 1 + offset, months);
/** Months and days of a unit. */
const UNIT_LENGTHS = { year: [12, 0], quarter: [3, 0], month: [1, 0], week: [0, 7], day: [0, 1] } as const;

/** A whole unit, offset from today's. Weeks begin on Monday (ISO 8601). */
function unitSpan(today: Date, unit: Unit, offset: number): DateRange {
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const [months, days] = UNIT_LENGTHS[unit];
  if (months > 0) return monthOf(year, 1 + month - (month % months) + months * offset, months);
  const first = day - (unit === 'week' ? (today.getUTCDay() + 6) % 7 : 0) + days * offset;
  return { from: dayOf(year, month, first), to: dayOf(year, month, first + days - 1) };
}

/** From some units ago until today, or from today on. */
function countedSpan(today: Date, unit: Unit, count: number): DateRange {
  const [months, days] = UNIT_LENGTHS[unit];
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const now = utcDay(today);
  const other = dayOf(year, month + months * count, day + days * count);
  return count < 0 ? { from: other, to: now } : { from: now, to: other };
}

/** The unit of time that a period is about as long as. */
export function unitOf({ from, to }: DateRange): 'year' | 'quarter' | 'month' {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return days > 300 ? 'year' : days > 80 ? 'quarter' : 'month';
}

/** Whether a period is a whole year, quarter or month, rather than several, such as a half. */
export function isOneUnit({ from, to }: DateRange): boolean {
  const [year, month] = [from.slice(0, 4), from.slice(0, 7)];
  const quarter = `${year}-Q${Math.ceil(Number(from.slice(5, 7)) / 3)}`;
  const days = daysOfPeriod({ year, quarter, month }[unitOf({ from, to })]);
  return days?.from === from && days.to === to;
}

export const shiftDay = (date: string, days: number): string => shifted(date, 0, days);

export const shiftYear = (date: string, years: number): string => shifted(date, years, 0);

function shifted(date: string, years: number, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return dayOf(year + years, month - 1, day + days);
}
