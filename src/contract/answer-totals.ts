import type { AggregateData } from './aggregate.ts';
import { cellName } from './aggregate-rows.ts';
import { type AnswerPart, type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import { dayText, monthText } from './day-text.ts';
import type { RecordData } from './entities/index.ts';
import { filtersText } from './filter-words.ts';
import type { Filters } from './filters.ts';
import { PERIODS } from './periods.ts';
import { countsText } from './rounds.ts';
import { isOfGrants, measuredLines, unsourcedPart } from './sample-notes.ts';
import type { AskedAggregate } from './sentence-calls.ts';
import { UNSOURCED } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { countText } from './value-text.ts';
import { GRANT, labelOf, NO_GRANTS } from './vocabulary.ts';

/** The answer of an aggregate in a sentence. */

/** An aggregate that answers a search, with its figure in the second column. */
export interface AnsweredTotal {
  readonly asked: Pick<AskedAggregate, 'of' | 'group_by' | 'measure' | 'order' | 'filters'>;
  readonly data: AggregateData;
  /** What is to be said of the first group; blank for nothing. */
  readonly note?: string;
}

type Row = AggregateData['rows'][number];

/** The period of some filters, such as ` in 2021`; blank for none. */
export function periodText({ from, to }: { from?: unknown; to?: unknown }): string {
  const [first, last] = [from, to].map((day) => (day === undefined ? undefined : String(day)));
  if (first?.endsWith('-01-01') && last === `${first.slice(0, 4)}-12-31`) return ` in ${first.slice(0, 4)}`;
  if (first !== undefined && last !== undefined) return ` from ${dayText(first)} to ${dayText(last)}`;
  return first === undefined ? (last === undefined ? '' : ` until ${dayText(last)}`) : ` since ${dayText(first)}`;
}

/** The filters that a sentence is about, such as ` in 2021 (tag DeFi)`, without some; blank for none. */
export function scopeText(filters: Readonly<Record<string, unknown>>, without: readonly string[] = []): string {
  const { from, to, ...others } = filters;
  const further = Object.entries(others).filter(
    ([name, value]) => !without.includes(name) && value !== NO_GRANTS && value !== GRANT,
  );
  const words = filtersText(Object.fromEntries(further));
  return periodText({ from, to }) + (words.length === 0 ? '' : ` (${words.join(', ')})`);
}

/** What the first of a ranking did, by group and measure. */
const DEEDS: Readonly<Record<string, string>> = {
  'company sum': 'raised the most',
  'company count': 'raised the most rounds on record',
  'investor count': 'took part in the most rounds on record',
  'investor sum': 'took part in the rounds of the largest total on record',
  'lead_investor count': 'led the most rounds on record',
  'lead_investor sum': 'led the rounds of the largest total on record',
  'event count': 'had the most speakers on record',
  'speaker count': 'spoke at the most events on record',
};
/** The same of grants. */
const GRANT_DEEDS: Readonly<Record<string, string>> = {
  'company sum': 'received the grants of the largest total on record',
  'company count': 'received the most grants on record',
  'company max': 'received the largest grant on record',
  'investor count': 'gave the most grants on record',
  'investor max': 'gave the largest grant on record',
  'investor sum': 'gave the grants of the largest total on record',
};
/** Filters that the groups name themselves. */
const OWN_SUBJECT: Readonly<Record<string, readonly string[]>> = { company: ['company'] };

export const TIED_MAX = 3;

/** The first group of an aggregate, or its only figure; undefined where only its rows answer. */
export function totalSentence(
  { asked, data, note = '' }: AnsweredTotal,
  results: readonly RecordData[],
  groupsAsked: readonly string[] | undefined,
): AnswerParts | undefined {
  const { group_by, measure = 'count', order, filters } = asked;
  const [group = '', ...others] = group_by;
  const rows = data.rows.filter((row) => row[0] !== null && figureIn(row) > 0);
  const [first] = rows;
  if (first === undefined || others.length > 0 || order === 'smallest') return undefined;
  const figure = measure === 'count' ? countText(figureIn(first)) : shortMoney(figureIn(first));
  if (groupsAsked === undefined) {
    // Groups that nobody asked for add up to the total.
    const { sum } = data.covered;
    const isWhole = measure === 'sum' && sum !== undefined;
    if (measure === 'count' || (rows.length > 1 && !isWhole)) return undefined;
    return figureSentence({ asked, data }, isWhole ? shortMoney(Number(sum)) : figure, results);
  }
  if (PERIODS.includes(group) && order === undefined) return periodsSentence({ asked, data }, rows);
  if (rows.some((row, index) => index > 0 && figureIn(row) > figureIn(rows[index - 1] ?? row))) return undefined;
  const tied = rows.filter((row) => figureIn(row) === figureIn(first)).map(([cell = null]) => cell);
  const isGrants = isOfGrants(filters as Filters);
  const own = (isGrants ? GRANT_DEEDS : DEEDS)[`${group} ${measure}`];
  const noun = isGrants ? 'grant' : 'round';
  const isOfTotals = own === undefined && asked.of === 'rounds' && measure === 'sum';
  // Those that are not shown might be tied as well.
  const isCut = tied.length === data.rows.length && data.groups > data.rows.length;
  if (
    isCut ||
    tied.length > TIED_MAX ||
    (own === undefined && (tied.length > 1 || !(isOfTotals || measure === 'count')))
  )
    return undefined;
  const deed = own ?? (isOfTotals ? 'has the largest total on record' : 'comes first');
  const unnamed = isOfTotals ? data.rows.find(([cell]) => cell === null) : undefined;
  const counted =
    measure === 'sum' ? ` in ${countText(Number(first[2]))} known ${Number(first[2]) === 1 ? noun : `${noun}s`}` : '';
  const beside = tied.length > 1 ? ' each' : note;
  const outOf = own === undefined && !isOfTotals ? countedText({ asked, data }) : '';
  const unknown =
    unnamed === undefined ? '' : `; of ${shortMoney(figureIn(unnamed))} the ${wordsOf(group)} is not known`;
  return say`${enumerated(tied.map((cell) => cellPart(cell, group)))} ${deed}${scopeText(filters, OWN_SUBJECT[group])}: ${strong(figure)}${counted}${beside}${outOf}${unknown}.`;
}

const figureIn = (row: Row): number => Number(row[1] ?? 0);

/** How many records of a row have a known amount. */
const knownIn = ({ rows, covered }: AggregateData, row: Row): number =>
  covered.known_by_row?.[rows.indexOf(row)] ?? Number(row[2]);

const wordsOf = (group: string): string => labelOf(group).toLowerCase();

/** The periods of an aggregate: two are compared, and of more that with the most is named. */
function periodsSentence({ asked, data }: AnsweredTotal, rows: readonly Row[]): AnswerParts | undefined {
  const { group_by, measure = 'count', filters } = asked;
  const [group = ''] = group_by;
  if (measure !== 'sum' || asked.of !== 'rounds' || data.groups !== data.rows.length) return undefined;
  const [latest, earlier, ...others] = rows.toSorted(([one], [other]) => (String(one) < String(other) ? 1 : -1));
  if (latest === undefined || earlier === undefined) return undefined;
  const noun = isOfGrants(filters as Filters) ? 'grants' : 'rounds';
  const raised = (row: Row): AnswerParts =>
    say`${strong(shortMoney(figureIn(row)))} in ${countText(knownIn(data, row))} known ${noun} of ${cellPart(row[0] ?? null, group)}`;
  const { from: _, to: __, ...scope } = filters;
  if (others.length === 0) return say`On record${scopeText(scope)}: ${raised(latest)}, after ${raised(earlier)}.`;
  const most = rows.reduce((best, row) => (figureIn(row) > figureIn(best) ? row : best));
  return say`On record${scopeText(filters)}: ${strong(shortMoney(Number(data.covered.sum ?? 0)))} in all, the most in one ${wordsOf(group)} in ${cellPart(most[0] ?? null, group)}: ${shortMoney(figureIn(most))}.`;
}

/** Of how many records a group is the first, such as ` of the 718 companies on record whose country is known`. */
function countedText({ asked: { of, group_by }, data }: Pick<AnsweredTotal, 'asked' | 'data'>): string {
  const { known, records } = data.covered;
  const whose = known < records ? ` whose ${wordsOf(group_by[0] ?? '')} is known` : '';
  return ` of the ${countText(known)} ${of} on record${whose}`;
}

/** The only figure of an aggregate of amounts: of a company's rounds what it raised. */
function figureSentence({ asked, data }: AnsweredTotal, figure: string, results: readonly RecordData[]): AnswerParts {
  const { of, measure = 'count', group_by: groups, filters } = asked;
  const { known, records } = data.covered;
  const isGrants = isOfGrants(filters as Filters);
  const [rounds, grants] = isGrants ? [0, records] : [records, 0];
  const all = of === 'rounds' ? countsText({ rounds, grants }) : `${countText(records)} ${of}`;
  const counted = known < records ? `${countText(known)} of the ${all}` : all;
  const whose = known < records ? ' whose amount is known' : '';
  const part = unsourcedPart(data.covered, of);
  const unsourced = part === undefined ? '' : `; ${part} ${UNSOURCED}`;
  const company = filters['company'] === undefined ? undefined : (results[0]?.['company'] as RecordData | null);
  if (measure === 'sum' && company != null)
    return say`${linked(company)} ${isGrants ? 'received' : 'raised'} ${strong(figure)}${scopeText(filters, ['company'])}, in ${counted} on record${whose}${unsourced}.`;
  const lines = measuredLines({ of, groups, measures: [measure], filters: filters as Filters }).map(
    (line) => ` ${line}`,
  );
  return say`The ${measure === 'sum' ? 'total' : measure} amount is ${strong(figure)}, by ${counted} on record${scopeText(filters)}${whose}${unsourced}.${lines}`;
}

function cellPart(cell: Row[number], group: string): AnswerPart {
  if (typeof cell === 'object' && cell !== null) return linked(cell);
  return group === 'month' ? monthText(String(cell)) : cellName(cell, group);
}
