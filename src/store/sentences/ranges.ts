import type { FilterName } from '../../contract/filters.ts';
import { utcDay } from '../../contract/periods.ts';
import type { Amount } from './amounts.ts';
import { countsStaff } from './bound-amounts.ts';
import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { STAGES_IN_ORDER, saysBoth } from './facet-values.ts';
import { type FilterPairs, type OpenPeriod, periodFilters, rangeFilters, type Subject } from './filters.ts';
import { groupFor } from './groups.ts';
import {
  asksForUpcoming,
  BOUNDS,
  type Bound,
  leads,
  leaveNegation,
  leaveUnstated,
  namesValuation,
  type ParseState,
} from './parse-state.ts';
import { type DateRange, isOneUnit, shiftDay, shiftYear, unitOf } from './periods.ts';
import { isValuationAt } from './valuations.ts';

/** The index of a range's end: `between 2020 and 2022`, `2020 to 2022`, `2020 or 2021`, `2020 vs 2021 vs 2022`. */
function rangeEnd(state: ParseState, index: number, is: (chunk: Chunk) => boolean): number | undefined {
  let compared = index;
  while (means(state.chunks[compared + 1], 'versus') && state.chunks[compared + 2]?.period) compared += 2;
  if (compared > index + 2) return compared;
  const listed = listEnd(state.chunks, index);
  if (listed > index) return listed;
  const next = state.chunks[index + 1];
  const after = state.chunks[index + 2];
  const isJoined =
    next?.tokens[0]?.text === '-' ||
    next?.tokens[0]?.text === '–' ||
    means(next, 'to', 'until') ||
    (state.bound === 'between' && means(next, 'and')) ||
    (after?.period !== undefined && means(next, 'and', 'or', 'versus'));
  return isJoined && after && is(after) ? index + 2 : undefined;
}

/** The index of the last of several periods: `2020, 2021 and 2024`; the given one if it is alone or one of two. */
function listEnd(chunks: readonly Chunk[], index: number): number {
  const isListed = (chunk: Chunk | undefined): boolean =>
    chunk?.period !== undefined && chunk.tokens[0]?.isListed === true;
  let end = index;
  while (isListed(chunks[end + 1])) end += 1;
  if (end === index) return index;
  return means(chunks[end + 1], 'and', 'or') && chunks[end + 2]?.period ? end + 2 : end;
}

const UNITS = ['month', 'quarter', 'year'] as const;

/** Reads a period with bounds. Returns the number of chunks read. */
export function readPeriod(state: ParseState, index: number, { from, to, day }: DateRange): number {
  const end = rangeEnd(state, index, ({ period }) => period !== undefined);
  const bound = end === undefined ? boundAt(state, index) : undefined;
  const [low, high] = day !== undefined && bound !== undefined ? [day, day] : [from, to];
  // Of `2019 or 2021`, a range has the year between them as well.
  // `this quarter vs last quarter`
  const following =
    end === undefined ? [] : state.chunks.slice(index + 1, end + 1).flatMap(({ period = [] }) => period);
  const periods = [{ from: low, to: high }, ...following].toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const [first = { from: low, to: high }] = periods;
  const last = following.length === 0 ? undefined : periods.at(-1);
  const isApart = last !== undefined && last.from > shiftDay(first.to, 1);
  // `rounds in Q1 2024 and Q1 2025`
  const areListed =
    isApart &&
    state.type === 'rounds' &&
    state.bound !== 'between' &&
    (means(state.chunks[index + 1], 'and') || listEnd(state.chunks, index) > index);
  const isCompared = last !== undefined && (areListed || means(state.chunks[index + 1], 'versus'));
  // `2021 vs Q1 2022`: the quarters of both.
  const unit = UNITS.find((each) => periods.some((period) => unitOf(period) === each)) ?? 'year';
  const group = isCompared && state.type && groupFor(state.type, unit);
  if (group && state.groups.length === 0) state.groups.push(group);
  const areApart = isApart || periods.some((period) => unitOf(period) !== unit || !isOneUnit(period));
  if (group && state.groups.join() === group && areApart) state.periods = periods.map(({ from, to }) => ({ from, to }));
  else if (isCompared && state.groups.join() !== group) state.isPartial = true;
  // `companies that raised in 2021 and 2024`
  const isEach = isApart && state.type === 'companies' && means(state.chunks[index + 1], 'and');
  if (end !== undefined && isEach && state.bound !== 'between' && subjectAt(state, index) === 'raised')
    return readFirstPeriod(state, index, end);
  // `in both 2021 and 2022`
  if (end !== undefined && saysBoth(state.chunks[index - 1]))
    leaveUnstated(state, state.chunks.slice(index - 1, end + 1));
  if (isApart && !areListed && state.bound !== 'between' && means(state.chunks[index + 1], 'and', 'or'))
    state.isPartial = true;
  const stated: OpenPeriod =
    bound === 'since' || bound === 'min'
      ? { from: low }
      : bound === 'after'
        ? { from: shiftDay(high, 1) }
        : bound === 'before'
          ? { to: shiftDay(low, -1) }
          : bound === 'until' || bound === 'max'
            ? { to: high }
            : { from: first.from, to: periods.reduce((end, { to }) => (to > end ? to : end), high) };
  const span = withinUpcoming(state, stated, wordsOf(state.chunks.slice(index, index + 1)));
  const subject = subjectAt(state, index);
  const filters = unraisedFilters(state, span) ?? periodFilters(state.types, subject, span);
  const length = (end ?? index) - index + 1 + (isOpenAt(state, (end ?? index) + 1) ? 1 : 0);
  // `raised in 2021 and again in 2024`
  const isUpcoming = span !== stated && state.filters.get('from') === utcDay(state.request.today);
  if (!isUpcoming && filters.some(([name, value]) => (state.filters.get(name) ?? value) !== value)) {
    state.unstated.push(wordsOf(state.chunks.slice(index - 1, index + length)).join(' '));
    state.isPartial = true;
    state.bound = undefined;
    return length;
  }
  // Only the year of a foundation is known.
  if (subject === 'founded' && span.from?.slice(0, 4) === span.to?.slice(0, 4) && !isYear(span)) {
    state.isPartial = true;
    state.ignored.push(...wordsOf(state.chunks.slice(index, index + length)).filter((word) => !/^\d{4}$/.test(word)));
  }
  leaveNegation(state);
  const { isPartial } = state;
  const isIgnored = addFilters(state, filters, index, length);
  // What is counted may have such days.
  if (isIgnored) Object.assign(state, { period: span, isPartial });
  state.bound = undefined;
  return length;
}

/** Reads the first of two periods in each of which something is to have happened, which no filter expresses of one company. */
function readFirstPeriod(state: ParseState, index: number, end: number): number {
  const { period } = state.chunks[index] as Required<Pick<Chunk, 'period'>>;
  leaveUnstated(state, state.chunks.slice(index + 1, end + 1));
  addFilters(state, periodFilters(state.types, subjectAt(state, index), period), index, 1);
  state.bound = undefined;
  return end - index + 1;
}

/**
 * A period without the days before today, if only what is to come is asked for: `upcoming events in 2026`. One without its year
 * is the next one: `upcoming events in March`.
 */
function withinUpcoming(state: ParseState, span: OpenPeriod, words: readonly string[]): OpenPeriod {
  const { from, to } = span;
  const today = utcDay(state.request.today);
  if (!state.chunks.some((chunk) => asksForUpcoming(state, chunk))) return span;
  if (to !== undefined && to < today) {
    const isOfYear = from === undefined || words.some((word) => /\d{4}/.test(word));
    return isOfYear ? span : { from: shiftYear(from, 1), to: shiftYear(to, 1) };
  }
  return { ...span, from: from === undefined || from < today ? today : from };
}

/** The subject of a period: of `founded in 2021 that raised in 2023`, each has the verb before it. */
function subjectAt({ chunks, subject }: ParseState, index: number): Subject | undefined {
  if (subject !== 'founded') return subject;
  const isFounding = (chunk: Chunk | undefined): boolean => means(chunk, 'founds', 'foundedBy');
  const isRaising = (chunk: Chunk): boolean =>
    means(chunk, 'raised', 'backs', 'backed') || chunk.closed?.[0] === 'funding_stage';
  const verb = chunks.slice(0, index).findLast((chunk) => isFounding(chunk) || isRaising(chunk));
  return verb === undefined || isFounding(verb) || isFounding(chunks[index + 1]) ? subject : 'raised';
}

const isYear = ({ from, to }: OpenPeriod): boolean => from?.slice(5) === '01-01' && to?.slice(5) === '12-31';

/** Companies that have not raised since a day raised before it. Undefined for any other period. */
function unraisedFilters(state: ParseState, { from, to }: OpenPeriod): FilterPairs | undefined {
  const isUntilToday = to === undefined || to >= utcDay(state.request.today);
  if (!state.negation || state.subject !== 'raised' || from === undefined || !isUntilToday) return undefined;
  const filters = periodFilters(state.types, 'lastRound', { to: shiftDay(from, -1) });
  if (filters.length > 0) state.negation = undefined;
  return filters;
}

const isOpenAt = (state: ParseState, index: number): boolean => means(state.chunks[index], 'orMore', 'orLess');

/** The bound of a period: stated before it, or after it. */
function boundAt(state: ParseState, index: number): Bound | undefined {
  const next = state.chunks[index + 1];
  if (means(next, 'orMore')) return 'since';
  if (means(next, 'orLess')) return 'until';
  // Postpositions in Chinese: `2020年以后`.
  const behind = BOUNDS.find((each) => /\p{Script=Han}/u.test(next?.tokens[0]?.raw ?? '') && means(next, each));
  if (behind !== undefined) return behind;
  const ofAgo = state.chunks[index]?.tokens.at(-1)?.text === 'ago' && AGO[state.bound ?? ''];
  if (ofAgo) return ofAgo;
  if (state.bound !== undefined) return state.bound;
  const before = state.chunks[index - 1];
  return means(before, 'since') ? 'since' : undefined;
}

/** `more than three years ago` is before that day. */
const AGO: Readonly<Record<string, Bound>> = { over: 'before', under: 'since' };

type ReadAmount = Pick<Amount, 'value' | 'isMoney'> & Partial<Amount> & { readonly what?: 'rounds' };

/** Reads an amount, or a number, with bounds. Returns the number of chunks read. */
export function readAmount(state: ParseState, index: number, amount: ReadAmount): number {
  const end = rangeEnd(state, index, (chunk) => chunk.amount !== undefined);
  const high = end === undefined ? undefined : state.chunks[end]?.amount?.value;
  const length = (end ?? index) - index + 1;
  if (amount.isForeign) {
    state.unstated.push(wordsOf(state.chunks.slice(index, index + length)).join(' '));
    state.isPartial = true;
    state.bound = undefined;
    return length;
  }
  const counted = index + length + (isOpenAt(state, index + length) ? 1 : 0);
  const unit = amount.isMoney ? undefined : unitAt(state.chunks, counted);
  const isOfStaff = unit !== undefined && countsStaff(unit.tokens);
  const isOfEmployees = isOfStaff || means(unit, 'employees');
  const ofMoney = isValuationAt(state, index) ? 'valuation' : 'funding';
  const what = amount.what ?? (isOfEmployees ? 'employees' : isOfInvestments(unit) ? countedOf(state, unit) : ofMoney);
  const bounds = high === undefined ? boundsOf(state, index, { amount, what }) : { min: amount.value, max: high };
  // These numbers are of all years and investors.
  const isOfParty = what === 'rounds' && means(state.chunks[counted + 1], 'led', 'backs', 'backed');
  const isOfPeriod = isOfParty || ((what === 'led' || what === 'rounds') && hasPeriodOfRounds(state));
  const isOfFact = state.chunks.some(
    (chunk) =>
      means(chunk, 'unstated', 'condition') || (state.type !== 'rounds' && namesValuation(state.chunks, chunk)),
  );
  const isUnstated = isOfPeriod || (what === 'funding' && isOfFact);
  const parameters = rangeFilters(isUnstated ? [] : state.types, what, bounds);
  // Companies are fewer than investments in them.
  if (means(unit, 'backed')) state.isPartial = true;
  addFilters(state, parameters, index, length);
  state.bound = undefined;
  return parameters.length > 0 && (isOfStaff || means(unit, 'rounds', 'led'))
    ? counted - index + 1
    : length + (what === 'funding' && isTotal(state.chunks[index + length]) ? 1 : 0);
}

/** Whether a word says of an amount that it is a sum: `more than $100M total`. */
const isTotal = (chunk: Chunk | undefined): boolean => textOf(chunk ? [chunk] : []) === 'total';

/** Whether a period is of rounds, rather than of when companies were founded. */
export const hasPeriodOfRounds = (state: ParseState): boolean =>
  state.chunks.some(({ period }, index) => period && subjectAt(state, index) !== 'founded');

/** The unit of a number before an index, which may be stated with a second one: `more than 2 and less than 5 rounds`. */
function unitAt(chunks: readonly Chunk[], index: number): Chunk | undefined {
  const isJoined = means(chunks[index], 'and', 'or') || chunks[index]?.tokens[0]?.text === 'but';
  const isBounded = isJoined && means(chunks[index + 1], ...BOUNDS) && chunks[index + 2]?.amount?.isMoney === false;
  return isBounded ? unitAt(chunks, index + 3) : chunks[index];
}

/** What a number of rounds is of: what companies raised, or what investors led or made. */
function countedOf({ types, chunks }: ParseState, unit: Chunk | undefined): 'rounds' | 'led' | 'investments' {
  if (means(unit, 'led')) return 'led';
  if (types.join() === 'companies') return 'rounds';
  return chunks.some((chunk, index) => leads(chunk) && !chunks[index - 1]?.amount) ? 'led' : 'investments';
}

/** Whether a word after a number counts investments: `10 deals`, `10 rounds`, `10 leads`, `10 portfolio companies`. */
const isOfInvestments = (unit: Chunk | undefined): boolean =>
  means(unit, 'investments', 'rounds', 'led') || (means(unit, 'backed') && means(unit, 'companies'));

/** Whether a word makes a number after it both a minimum and a maximum. */
export const saysExactly = (chunk: Chunk | undefined): boolean => EXACTLY.test(textOf(chunk ? [chunk] : []));

const EXACTLY = /^(?:exactly|only|just|genau|nur|exactement|seulement|exactamente|solo|exatamente|apenas|somente)$/;

/** How far `around` an amount goes, of the amount. */
const NEAR = 0.2;

/** Minimum and maximum of an amount, which are whole numbers: `more than 10` begins with 11, also of dollars. */
function boundsOf(
  state: ParseState,
  index: number,
  { amount: { value, high, isOpen }, what }: { readonly amount: ReadAmount; readonly what: string },
): { min?: number; max?: number } {
  // `5 or more rounds`, `5 rounds or more`
  const after = state.chunks.slice(index + 1, what === 'funding' ? index + 2 : index + 3);
  if (anyMeans(after, 'orMore')) return { min: value };
  if (anyMeans(after, 'orLess')) return { max: value };
  switch (state.bound) {
    case 'over':
    case 'after':
      return { min: Math.floor(value) + 1 };
    case 'under':
    case 'before':
      return { max: Math.ceil(value) - 1 };
    case 'max':
    case 'until':
      return { max: value };
    case undefined:
      if (high !== undefined) return { min: value, max: high };
      if (saysExactly(state.chunks[index - 1])) return { min: value, max: value };
      if (means(state.chunks[index - 1], 'around')) return { min: value * (1 - NEAR), max: value * (1 + NEAR) };
      // A company's amount is a total, to which later rounds may have added.
      return (state.type === 'rounds' || what === 'rounds' || what === 'led') && !isOpen
        ? { min: value, max: value }
        : { min: value };
    default:
      return { min: value };
  }
}

const wordsOf = (chunks: readonly Chunk[]): string[] => chunks.flatMap(({ tokens }) => tokens.map(({ raw }) => raw));

/** Rarely known fields. */
const SPARSE: ReadonlySet<FilterName> = new Set([
  ...(['founded_from', 'founded_to', 'employees_min', 'employees_max'] as const),
  ...(['status_from', 'status_to'] as const),
]);

/**
 * Adds the filters of some chunks. Without any, the chunks are keywords if a name continues (`Token 2049`); otherwise
 * the sentence is partly understood. Returns whether they are ignored.
 */
export function addFilters(state: ParseState, parameters: FilterPairs, index: number, length: number): boolean {
  const words = wordsOf(state.chunks.slice(index, index + length));
  const [before, after] = [state.chunks[index - 1], state.chunks[index + length]];
  const isCounted = means(after, 'employees') || isOfInvestments(after);
  const bounded = [means(before, ...BOUNDS) ? before : undefined, isCounted ? after : undefined];
  const [first = [], last = []] = bounded.map((chunk) => (chunk === undefined ? [] : wordsOf([chunk])));
  for (const [name, value] of parameters) {
    state.filters.set(name, value);
    if (SPARSE.has(name)) state.sparse.set(name, [...first, ...words, ...last].join(' '));
  }
  if (parameters.length > 0) return false;
  const isOfName = isContent(before) && state.text.at(-1) === before.tokens.at(-1)?.raw;
  if (isOfName) state.text.push(...words);
  else state.ignored.push(...words);
  state.isPartial ||= !isOfName;
  return !isOfName;
}

/**
 * Reads a further stage with a period of its own, of which no filter is about both: `seed in 2021 and Series A in 2022`. Returns
 * the number of chunks read; 0 if the index is not one.
 */
export function readFurtherStage(state: ParseState, index: number): number {
  const { chunks, filters } = state;
  const and = chunks.findLastIndex((chunk, at) => at < index && !means(chunk, 'empty'));
  const isFurther = filters.has('funding_stage') && filters.has('from') && means(chunks[and], 'and');
  const end = chunks.findIndex(({ period }, at) => at > index && period !== undefined);
  const isDated = end > index && chunks.slice(index + 1, end).every((chunk) => means(chunk, 'in', 'rounds', ...BOUNDS));
  if (!isFurther || !isDated) return 0;
  leaveUnstated(state, chunks.slice(and, end + 1));
  return end - index + 1;
}

/** The stages of `Series C or later`; undefined for a stage alone. */
export function openStages({ closed }: Chunk, next: Chunk | undefined): string | undefined {
  const place = STAGES_IN_ORDER.indexOf(closed?.[1] ?? '');
  if (place < 0 || !means(next, 'orMore', 'orLess')) return undefined;
  return (means(next, 'orMore') ? STAGES_IN_ORDER.slice(place) : STAGES_IN_ORDER.slice(0, place + 1)).join('|');
}
