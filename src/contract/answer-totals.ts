import type { AggregateData, Measure } from './aggregate.ts';
import { cellName } from './aggregate-rows.ts';
import { type AnswerPart, type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import { capitalize } from './capitalize.ts';
import { monthText, periodName } from './day-text.ts';
import type { RecordData } from './entities/index.ts';
import type { Filters } from './filters.ts';
import { daysOfPeriod, isPeriodWithin, PERIODS, type Period } from './periods.ts';
import { countedRecords, partiesText, type RecordsPhrase, recordsPhrase, withoutParties } from './records-phrase.ts';
import type { NamedReference } from './rounds.ts';
import { isOfGrants, measuredLines, unsourcedPart } from './sample-notes.ts';
import type { AskedAggregate, ReadSentence } from './sentence-calls.ts';
import { isNotable, UNSOURCED } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { counted, countText } from './value-text.ts';
import { labelOf } from './vocabulary.ts';

/** The answer of an aggregate in a sentence. */

/** An aggregate that answers a search, with its figure in the second column. */
export interface AnsweredTotal {
  readonly asked: Pick<AskedAggregate, 'of' | 'group_by' | 'measure' | 'order' | 'filters'>;
  readonly data: AggregateData;
  /** What is to be said of the first group; blank for nothing. */
  readonly note?: string;
}

type Row = AggregateData['rows'][number];

/** What the first of a ranking did, by type, group and measure; in brackets what is said only of some records. */
const DEEDS: Readonly<Record<string, string>> = {
  'rounds company sum': 'raised the most[ in rounds]',
  'rounds company count': 'raised the most rounds on record',
  'rounds investor count': 'took part in the most rounds on record',
  'rounds investor sum': 'took part in rounds of the largest total on record',
  'rounds lead_investor count': 'led the most rounds on record',
  'rounds lead_investor sum': 'led rounds of the largest total on record',
  'companies investor count': 'funded the most companies on record',
  'people event count': 'had the most speakers on record',
  'events speaker count': 'spoke at the most events on record',
};
/** The same of grants. */
const GRANT_DEEDS: Readonly<Record<string, string>> = {
  'rounds company sum': 'received the grants of the largest total on record',
  'rounds company count': 'received the most grants on record',
  'rounds company max': 'received the largest grant on record',
  'rounds investor count': 'gave the most grants on record',
  'rounds investor max': 'gave the largest grant on record',
  'rounds investor sum': 'gave the grants of the largest total on record',
};
/** Filters that the groups name themselves. */
const OWN_SUBJECT: Readonly<Record<string, string>> = { company: 'company' };

/** A deed with the records that it is about: `led the most seed rounds on record`. */
function deedText(deed: string, { before, after }: RecordsPhrase): string {
  const named = (text: string): string =>
    text.replace(/(?:round|grant|event|speaker)s?|companies/, (noun) => before + noun + after);
  const [start = '', some, end = ''] = deed.split(/[[\]]/);
  if (some === undefined) return named(deed);
  return start + (before === '' && /^(?: in| on|$)/.test(after) ? after : named(some)) + end;
}

export const TIED_MAX = 3;

/** The first group of an aggregate, or its only figure; undefined where only its rows answer. */
export function totalSentence(
  { asked, data, note = '' }: AnsweredTotal,
  results: readonly RecordData[],
  { group_by: groupsAsked, periods, compared: isCompared }: Pick<ReadSentence, 'group_by' | 'periods' | 'compared'>,
): AnswerParts | undefined {
  const { group_by, measure = 'count', order } = asked;
  const [group = '', ...others] = group_by;
  const rows = data.rows.filter((row) => row[0] !== null && figureIn(row) > 0);
  const [first] = rows;
  if (first === undefined || others.length > 0 || order === 'smallest') return undefined;
  // Of investors and people, what is measured is no money.
  if (measure !== 'count' && !data.columns.some((column) => column.endsWith('_usd'))) return undefined;
  const total = { asked, data, note };
  if (groupsAsked === undefined) {
    // Groups that nobody asked for.
    const { [measure as 'sum']: whole } = data.covered;
    if (measure === 'count' || (rows.length > 1 && whole === undefined)) return undefined;
    return figureSentence(total, whole === undefined ? figureText(total, first) : shortMoney(Number(whole)), results);
  }
  if (PERIODS.includes(group) && order === undefined) return periodsSentence(total, rows, periods);
  const isInOrder = rows.every((row, index) => index === 0 || figureIn(row) <= figureIn(rows[index - 1] ?? row));
  if (!isInOrder) return undefined;
  const isOfNamed = namesIn(asked).length > 1 && comparedDeed(asked) !== undefined;
  return isOfNamed && (isCompared || !/investor$/.test(group))
    ? comparedSentence(total, rows)
    : rankedSentence(total, rows);
}

/** What the first group of a ranking did, and what is ranked; undefined for groups of which that is no deed. */
function deedOf({ of, group_by: [group = ''], measure = 'count', filters }: AnsweredTotal['asked']) {
  const isGrants = isOfGrants(filters as Filters);
  const nouns = isGrants ? 'grants' : 'rounds';
  const own = (isGrants ? GRANT_DEEDS : DEEDS)[`${of} ${group} ${measure}`];
  const isOfTotals = own === undefined && of === 'rounds' && measure === 'sum';
  return { nouns, isGrants, isOfTotals, deed: isOfTotals ? `has the largest total[ of ${nouns}] on record` : own };
}

/** What the first of those did that are compared; of groups of which that is no deed, of what they have most. */
const comparedDeed = (asked: AnsweredTotal['asked']): string | undefined =>
  deedOf(asked).deed ?? ((asked.measure ?? 'count') === 'count' ? `has the most ${asked.of} on record` : undefined);

const figureText = ({ asked: { measure = 'count' } }: AnsweredTotal, row: Row): string =>
  measure === 'count' ? countText(figureIn(row)) : shortMoney(figureIn(row));

/** The known records of a row of amounts: ` in 3 known rounds`; blank for counts. */
const knownText = ({ asked, data }: AnsweredTotal, row: Row): string =>
  asked.measure === 'sum' ? ` in ${counted(knownIn(data, row), `known ${deedOf(asked).nouns}`)}` : '';

/** Whether a figure is of the middle of amounts, which do not add up. */
const isMean = (measure: Measure): boolean => measure === 'average' || measure === 'median';

/** What of the figure of a row is unsourced; 0 of an average or another figure that is no sum. */
function unsourcedOf({ asked: { measure = 'count' }, data }: AnsweredTotal, row: Row): number {
  const isSum = measure === 'sum' || measure === 'count';
  return isSum ? Number(data.covered.unsourced_by_row?.[data.rows.indexOf(row)] ?? 0) : 0;
}

/** What of some rows is unsourced, in brackets: ` ($2B unsourced)`; blank for little, and for averages. */
function unsourcedIn(total: AnsweredTotal, rows: readonly Row[]): string {
  const { measure = 'count' } = total.asked;
  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  const part = sumOf(rows.map((row) => unsourcedOf(total, row)));
  const all = sumOf(rows.map(figureIn));
  if (!isNotable(part, all)) return '';
  const figure = measure === 'sum' ? shortMoney : countText;
  return part === all ? ` (${UNSOURCED})` : ` (${figure(part)} ${UNSOURCED})`;
}

/** The same of rows that are equal, after the figure of each: ` (together $2B unsourced)`. */
const unsourcedTogether = (total: AnsweredTotal, rows: readonly Row[]): string =>
  unsourcedIn(total, rows).replace(/\((?=[\d$])/, '(together ');

/** The filter that names groups of an aggregate. */
const filterOfGroups = ([group = '']: readonly string[]): string => (/investor$/.test(group) ? 'investor' : group);

/** The groups that a sentence names. */
const namesIn = ({ group_by: groups, filters }: AnsweredTotal['asked']): readonly string[] =>
  String(filters[filterOfGroups(groups)] ?? '').split('|');

/** The groups that a sentence names and an aggregate has no figure of. */
const namesWithout = (asked: AnsweredTotal['asked'], rows: readonly Row[]): readonly string[] =>
  namesIn(asked).filter((name) => {
    const isNamed = (cell: Row[number]): boolean =>
      [cellName(cell ?? null, ''), (cell as NamedReference | null)?.slug].some(
        (known) => known?.toLowerCase() === name.toLowerCase(),
      );
    return !rows.some(([cell = null]) => isNamed(cell));
  });

/** Groups that a sentence names, such as two investors, the first against the others; undefined if it is not known whose figure each is. */
function comparedSentence(total: AnsweredTotal, rows: readonly Row[]): AnswerParts | undefined {
  const { asked, data } = total;
  const [group = ''] = asked.group_by;
  const { nouns } = deedOf(asked);
  const deed = comparedDeed(asked);
  const [first] = rows;
  const without = rows.length === namesIn(asked).length ? [] : namesWithout(asked, rows);
  const isWhole = data.groups <= data.rows.length && rows.length + without.length === namesIn(asked).length;
  if (first === undefined || deed === undefined || !isWhole) return undefined;
  const { [filterOfGroups(asked.group_by)]: _, led: __, ...given } = asked.filters;
  const phrase = recordsPhrase(asked.of, given);
  const behind = rows.filter((row) => figureIn(row) < figureIn(first));
  const ahead = rows.slice(0, rows.length - behind.length);
  const named = (some: readonly Row[]) => enumerated(some.map(([cell = null]) => cellPart(cell, group)));
  const figure = strong(figureText(total, first));
  const isSum = asked.measure === 'sum';
  const unknown =
    without.length === 0 ? [] : say`, and none is ${isSum ? 'known' : 'on record'} of ${enumerated(without)}`;
  if (rows.length === 1) {
    const known = isSum
      ? say`${figure}${knownText(total, first)}`
      : strong(counted(figureIn(first), `${phrase.before}${nouns}`));
    return say`${named(ahead)}: ${known}${phrase.after} on record${phrase.scope}${unsourcedIn(total, rows)}${unknown}.`;
  }
  if (ahead.length > 1)
    return say`${named(ahead)} are equal in ${phrase.before}${nouns}${phrase.after} on record${phrase.scope}: ${figure} each${unsourcedTogether(total, ahead)}${unknown}.`;
  const more = deedText(deed.replace('the most', 'more').replace('the largest', 'a larger'), phrase);
  const others = enumerated(behind.map((row) => figureText(total, row) + unsourcedIn(total, [row])));
  return say`${named(ahead)} ${more}${phrase.scope} than ${named(behind)}: ${figure}${knownText(total, first)}${unsourcedIn(total, [first])} against ${others}${unknown}${turned(total, rows, ahead)}.`;
}

/** That others come first without what is unsourced; blank where the order is the same. */
function turned(total: AnsweredTotal, rows: readonly Row[], ahead: readonly Row[]): AnswerParts {
  const { measure, group_by: groups } = total.asked;
  const sourced = (row: Row): number => figureIn(row) - unsourcedOf(total, row);
  const most = Math.max(...rows.map(sourced));
  const first = rows.filter((row) => sourced(row) === most);
  if (first.some((row) => ahead.includes(row))) return [];
  const names = enumerated(first.map(([cell = null]) => cellPart(cell, groups[0] ?? '')));
  const [verb, each] = first.length === 1 ? ['comes', ''] : ['come', ' each'];
  return say`; without what is ${UNSOURCED}, ${names} ${verb} first: ${measure === 'sum' ? shortMoney(most) : countText(most)}${each}`;
}

/** The first group, with those that have the same figure. */
function rankedSentence(total: AnsweredTotal, rows: readonly Row[]): AnswerParts | undefined {
  const { asked, data, note = '' } = total;
  const { group_by, measure = 'count', filters } = asked;
  const [group = ''] = group_by;
  const [first] = rows;
  if (first === undefined) return undefined;
  const tiedRows = rows.filter((row) => figureIn(row) === figureIn(first));
  const tied = tiedRows.map(([cell = null]) => cell);
  const { deed, nouns, isGrants, isOfTotals } = deedOf(asked);
  // Those that are not shown might be tied as well.
  const isCut = tied.length === data.rows.length && data.groups > data.rows.length;
  const isFirst = (tied.length === 1 && isOfTotals) || ((measure === 'count' || isMean(measure)) && deed === undefined);
  if (isCut || tied.length > TIED_MAX || ((deed === undefined || isOfTotals) && !isFirst)) return undefined;
  const among = amongText(asked);
  const { [OWN_SUBJECT[group] ?? '']: _, ...others } = filters;
  const phrase = recordsPhrase(asked.of, among.length === 0 ? others : withoutParties(filters));
  const unnamed = isOfTotals ? data.covered.ungrouped_sum : undefined;
  const figure = strong(figureText(total, first));
  const [unsourced, beside] =
    tied.length > 1 ? ['', ` each${unsourcedTogether(total, tiedRows)}`] : [unsourcedIn(total, tiedRows), note];
  const unknown = unnamed === undefined ? '' : `; of ${shortMoney(Number(unnamed))} the ${wordsOf(group)} is not known`;
  const leaders = enumerated(tied.map((cell) => cellPart(cell, group)));
  if (deed !== undefined)
    return say`${among}${leaders} ${deedText(deed, phrase)}${phrase.scope}: ${figure}${knownText(total, first)}${unsourced}${beside}${unknown}.`;
  if (isMean(measure))
    return say`${leaders} ${tied.length === 1 ? 'has' : 'have'} the highest ${measure} on record${phrase.scope}: ${figure}${beside}, of ${counted(knownIn(data, first), `known ${phrase.before}${nouns}`)}${phrase.after}.`;
  const { covered } = data;
  const whose = covered.known < covered.records ? ` whose ${wordsOf(group)} is known` : '';
  return say`${leaders} ${tied.length === 1 ? 'comes' : 'come'} first: ${figure}${unsourced}${beside} of the ${countedRecords(covered.known, asked.of, phrase, isGrants)} on record${phrase.scope}${whose}.`;
}

/** The investors that an aggregate by investor is of, at the start of its sentence: `Among hedge funds and DAOs in Germany, `; nothing for all. */
export function amongText({ of, group_by: [group = ''], filters }: AnsweredTotal['asked']): AnswerParts {
  const text = of === 'rounds' && /investor$/.test(group) ? partiesText(filters) : undefined;
  const [kinds = '', where] = text?.split(/(?= in )/) ?? [];
  return text === undefined ? [] : say`Among ${enumerated(kinds.split(' or '))}${where ?? ''}, `;
}

const figureIn = (row: Row): number => Number(row[1] ?? 0);

/** How many records of a row have a known amount. */
const knownIn = ({ rows, covered }: AggregateData, row: Row): number =>
  covered.known_by_row?.[rows.indexOf(row)] ?? Number(row[2]);

const wordsOf = (group: string): string => labelOf(group).toLowerCase();

/** The periods of an aggregate: those that a sentence compares, or two, latest first; of more that with the most. */
function periodsSentence(
  total: AnsweredTotal,
  rows: readonly Row[],
  compared: readonly Period[] | undefined,
): AnswerParts | undefined {
  const { asked, data } = total;
  const { group_by, measure = 'count', filters } = asked;
  const [group = ''] = group_by;
  const isAnswered =
    measure === 'sum' || measure === 'count' || (isMean(measure) && (compared !== undefined || rows.length === 2));
  // No average of a period is that of the averages of its parts.
  const isSplit = isMean(measure) && compared !== undefined && rows.length !== compared.length;
  if (!isAnswered || isSplit || asked.of !== 'rounds' || data.groups !== data.rows.length) return undefined;
  const { nouns } = deedOf(asked);
  const figure = (some: readonly Row[]): AnswerParts => {
    const known = some.reduce((sum, row) => sum + (measure === 'count' ? figureIn(row) : knownIn(data, row)), 0);
    const rounds = counted(known, measure === 'count' ? nouns : `known ${nouns}`);
    const sum = shortMoney(some.reduce((all, row) => all + figureIn(row), 0));
    const unsourced = unsourcedIn(total, some);
    if (isMean(measure))
      return say`${strong(sum)} ${measure === 'average' ? 'on average' : 'in the median'} of ${rounds}`;
    return measure === 'sum' ? say`${strong(sum)} in ${rounds}${unsourced}` : say`${strong(rounds)}${unsourced}`;
  };
  const { from: _, to: __, ...scope } = filters;
  const periods = compared ?? rows.flatMap(([label]) => daysOfPeriod(String(label)) ?? []);
  const shown = periods
    .toSorted((one, other) => (one.from < other.from ? 1 : -1))
    .map(
      (period) =>
        say`${figure(rows.filter(([label]) => isPeriodWithin(String(label), period)))} of ${periodName(period)}`,
    );
  const [latest, ...earlier] = shown;
  if (latest === undefined) return undefined;
  if (earlier.length < 2)
    return say`${onRecord(nouns, scope)}: ${latest}${earlier.map((each) => say`, after ${each}`)}.`;
  if (compared !== undefined) return say`${onRecord(nouns, scope)}: ${enumerated(shown)}.`;
  const most = Math.max(...rows.map(figureIn));
  const tied = rows.filter((row) => figureIn(row) === most);
  const [whole, top] =
    measure === 'sum'
      ? [shortMoney(Number(data.covered.sum ?? 0)), shortMoney(most)]
      : [counted(data.covered.records, nouns), countText(most)];
  const where = enumerated(tied.map((row) => cellPart(row[0] ?? null, group)));
  const each = tied.length > 1 ? ' each' : '';
  return say`${onRecord(nouns, filters)}: ${strong(whole)} in all${unsourcedIn(total, data.rows)}, the most in one ${wordsOf(group)} in ${where}: ${top}${each}${unsourcedIn(total, tied)}.`;
}

/** Rounds or grants on record at the start of a sentence. */
function onRecord(noun: string, filters: Filters): string {
  const { before, after, scope } = recordsPhrase('rounds', filters);
  return `${before + after === '' ? 'On record' : capitalize(`${before}${noun}${after} on record`)}${scope}`;
}

/** The only figure of an aggregate of amounts: of a company's rounds what it raised. */
function figureSentence({ asked, data }: AnsweredTotal, figure: string, results: readonly RecordData[]): AnswerParts {
  const { of, measure = 'count', group_by: groups, filters } = asked;
  const { known, records } = data.covered;
  const isGrants = isOfGrants(filters as Filters);
  const companies = filters['company'] === undefined ? [] : companiesOf(data, groups, results);
  // One without a known amount has no part in the sum.
  const isOfCompany = measure === 'sum' && companies.length === String(filters['company']).split('|').length;
  const { company: _, ...scope } = filters;
  const phrase = recordsPhrase(of, isOfCompany ? scope : filters);
  const all = countedRecords(records, of, phrase, isGrants);
  const some = known < records ? `${countText(known)} of the ${all}` : all;
  const whose = known < records ? ' whose amount is known' : '';
  const part = unsourcedPart(data.covered, of);
  const unsourced = part === undefined ? '' : `; ${part} ${UNSOURCED}`;
  if (isOfCompany) {
    const together = companies.length > 1 ? ' together' : '';
    return say`${enumerated(companies)} ${isGrants ? 'received' : 'raised'} ${strong(figure)}${together}${phrase.scope}, in ${some} on record${whose}${unsourced}.`;
  }
  const lines = measuredLines({ of, groups, measures: [measure], filters: filters as Filters }).map(
    (line) => ` ${line}`,
  );
  return say`The ${measure === 'sum' ? 'total' : measure} amount is ${strong(figure)}, ${of === 'rounds' ? 'in' : 'of'} ${some} on record${phrase.scope}${whose}${unsourced}.${lines}`;
}

/** The companies of an aggregate: its groups, or that of the rounds found. */
function companiesOf({ rows }: AggregateData, [group]: readonly string[], [round]: readonly RecordData[]): AnswerParts {
  if (group === 'company')
    return rows.flatMap((row) => (row[0] == null || figureIn(row) === 0 ? [] : cellPart(row[0], group)));
  const company = round?.['company'] as NamedReference | null | undefined;
  return company == null ? [] : [linked(company)];
}

function cellPart(cell: Row[number], group: string): AnswerPart {
  if (typeof cell === 'object' && cell !== null) return linked(cell);
  return group === 'month' ? monthText(String(cell)) : cellName(cell, group);
}
