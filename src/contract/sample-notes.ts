import type { AggregateData, AggregateQuery } from './aggregate.ts';
import { periodNames } from './day-text.ts';
import type { RecordType } from './entities/index.ts';
import { type FilterName, type Filters, kindsGiven } from './filters.ts';
import { DAY_MS, type Period } from './periods.ts';
import type { SearchData } from './record-responses.ts';
import type { ReadSentence } from './sentence-calls.ts';
import { isNotable } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { counted, countText, withAnd } from './value-text.ts';
import { GRANT, INVESTORS_LISTED_MAX, NO_GRANTS } from './vocabulary.ts';

/** What is missing from responses about rounds and events, so that totals and superlatives are not read as complete. */

const PERIOD: readonly FilterName[] = ['from', 'to', 'starts_after', 'starts_before'];

/** Types of announced records, of which only some are on record. */
export const isSampled = (type: RecordType | undefined): type is 'rounds' | 'events' =>
  type === 'rounds' || type === 'events';

/** Whether the date that a filter is about is that of the rounds of a record, which has none of its own. */
export const isDateOfRounds = (filter: string, type: RecordType | 'all'): boolean =>
  type !== 'all' && !isSampled(type) && (filter === 'from' || filter === 'to');

export const filtersOfPeriod = (given: Filters): Filters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => PERIOD.includes(name as FilterName)));

export const withoutPeriod = (given: Filters): Filters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !PERIOD.includes(name as FilterName)));

export const hasPeriod = (given: Filters): boolean => Object.keys(filtersOfPeriod(given)).length > 0;

/** Whether only grants are asked for: registers list them, each with its one giver. */
export const isOfGrants = ({ funding_stage: stage }: Filters): boolean =>
  [stage].flat().join() === GRANT ||
  (typeof stage === 'object' && stage.mode === 'any' && stage.values.join() === GRANT);

/** What is missing; therefore an empty response is no proof that there are none. */
function missingOf(type: RecordType | undefined, given: Filters): string | undefined {
  if (given.event !== undefined) return MISSING.speakers;
  if (isByInvestor(type, given)) return MISSING.investors;
  if (type === 'rounds' && isOfGrants(given)) return MISSING.grants;
  if (given.company === undefined) return undefined;
  return type === 'people' ? MISSING.people : MISSING.rounds;
}

/** What sources leave out, by what is asked for. */
export const MISSING = {
  rounds: 'not all rounds are announced',
  investors: 'sources name only some investors of a round',
  grants: 'the registers of only some givers are on record',
  people: 'sources name only some people of a company',
  speakers: 'speakers of most events are on no record',
} as const;

/** Note that an empty result proves little, because data is missing. */
export const noProof = (missing: string): string => `That is no proof of absence: ${missing}.`;

/** The newest date of the searched types, whether or not the filters pass its record. */
export const latestText = (covered: string): string =>
  `The latest date on record, whatever the filters, is ${covered}.`;

/** Whether a response is by investor; rounds list only some investors. */
const isByInvestor = (type: RecordType | undefined, given: Filters): boolean =>
  ((given.investor !== undefined || (type === 'rounds' && kindsGiven(given).length > 0)) && !isOfGrants(given)) ||
  (type === 'investors' && given.company !== undefined);

/** What sources say of who took part in a round. */
export const INVESTORS_LISTED = `sources list ${INVESTORS_LISTED_MAX} investors of a round at most, beside its leads`;

/** How complete counts and lists by investor are. */
export const INVESTORS_AT_LEAST = `there may be more: ${INVESTORS_LISTED}`;

/** How many of these rounds are grants, and how to exclude them: programs pay many small ones. */
export const grantsText = (records: number, grants: number): string =>
  grants === records
    ? ONLY_GRANTS_MATCH
    : `${grants} of the ${records} rounds are grants; ${records - grants} without them (funding_stage ${NO_GRANTS})`;

/** That what was found was given, not raised. */
export const ONLY_GRANTS_MATCH = 'only grants, no funding round';

/** How many of some rounds are grants, after their number: `, 5,295 of them grants`; blank for none. */
export const amongGrants = (grants = 0): string =>
  grants === 0 ? '' : `, ${countText(grants)} of them ${grants === 1 ? 'a grant' : 'grants'}`;

/** How much of an aggregate of rounds or companies only the editors of the data set state, such as `$6.9B of the $9.37B`, `all 2 rounds`; undefined for little. */
export function unsourcedPart(
  { records, known, sum, unsourced }: AggregateData['covered'],
  of: RecordType,
): string | undefined {
  if (unsourced === undefined) return undefined;
  const isOfAmounts = unsourced.sum !== undefined;
  const number = of === 'companies' ? known : records;
  const [part, all] = isOfAmounts ? [Number(unsourced.sum), Number(sum)] : [unsourced.records ?? 0, number];
  if (!isNotable(part, all)) return undefined;
  const whole = isOfAmounts ? shortMoney(all) : counted(all, of);
  if (part === all) return `${all === 1 ? 'the' : 'all'} ${whole}`;
  return `${isOfAmounts ? shortMoney(part) : countText(part)} of the ${whole}`;
}

/** The same as a sentence without its end; of little, none. */
export function unsourcedSentence(covered: AggregateData['covered'], of: RecordType): string | undefined {
  const part = unsourcedPart(covered, of);
  const what = of === 'companies' && covered.unsourced?.sum === undefined ? 'funding of ' : '';
  const leads = covered.unsourced?.leads === undefined ? '' : ', or who led them';
  return part && `Only the editors of the data set state ${what}${part}${leads}, without a page`;
}

function unsourcedLines(covered: AggregateData['covered'], of: RecordType): string[] {
  const sentence = unsourcedSentence(covered, of);
  const end = of === 'rounds' ? '; the filter sourced leaves that out' : '';
  return sentence === undefined ? [] : [`${sentence}${end}.`];
}

/** What is unsourced of each row of amounts or leads, such as `$2B`, or `3` records, blank for nothing; undefined where it is little of every row. */
export function unsourcedByRow({ columns, rows, covered }: AggregateData): readonly string[] | undefined {
  if (!columns.some((column) => column.endsWith('_usd')) && covered.unsourced?.leads === undefined) return undefined;
  const isSummed = covered.unsourced?.sum !== undefined;
  const whole = columns.findIndex((column) => (isSummed ? /^sum_/ : /^count$/).test(column));
  const parts = covered.unsourced_by_row?.map(Number) ?? [];
  if (!parts.some((part, row) => isNotable(part, Number(rows[row]?.[whole] ?? 0)))) return undefined;
  return parts.map((part) => (part === 0 ? '' : isSummed ? shortMoney(part) : String(part)));
}

/** The sum of those without a value of the group: `, $10.6B in all`; blank where it is not known or no money. */
export const ungroupedText = ({ columns, covered: { ungrouped_sum: sum } }: AggregateData): string =>
  sum === undefined || !columns.some((column) => column.endsWith('_usd')) ? '' : `, ${shortMoney(Number(sum))} in all`;

/** What amounts by investor are of. */
export const WHOLE_ROUNDS = 'What one investor paid is on no record: amounts are those of whole rounds.';

const PAID_IN_TOKENS = 'Of grants paid in tokens, amounts are the US dollars that their source converts them to.';

/** What sums of the rounds of investors are of. */
const EACH_INVESTOR = 'A round counts once for each of its investors.';

/** What companies by investor include; they cannot be told apart there. */
const GIVERS_COUNT = `Givers of grants count as investors of companies; rounds by investor with funding_stage ${NO_GRANTS} are without them.`;

/** A company is in one of these groups, and passes the filter of every stage that it raised. */
const LATEST_STAGE = 'Companies by latest stage; the filter funding_stage finds those that ever raised it.';

export const OF_ALL_YEARS = 'The funding of companies is of all years; the period only requires a round in it.';

const AMOUNTS_IN_PERIOD = 'For amounts raised in the period, search rounds with the same filters.';

/** Whether companies are restricted by their funding and by a period, which are not those of one round. */
export const hasTotalsAndPeriod = (type: RecordType | 'all' | undefined, filters: Filters): boolean =>
  type === 'companies' && (filters.funding_min ?? filters.funding_max) !== undefined && hasPeriod(filters);

interface Sampled {
  readonly type: RecordType | undefined;
  readonly filters: Filters;
  /** Records on record in the period, if they are a sample. */
  readonly onRecord: number | undefined;
  /** Rounds whose list of investors may be truncated; undefined if the response is not by investor, or none is. */
  readonly cut?: number | undefined;
}

/** What a response is a sample of, one sentence each. */
function sampleLines({ type, filters, onRecord, cut }: Sampled): string[] {
  const [from, to] = [filters.from ?? filters.starts_after, filters.to ?? filters.starts_before];
  const period = `${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`;
  const [noun, are] = onRecord === 1 ? ['', 'is'] : ['s', 'are'];
  const what = type === 'rounds' ? `funding round${noun} (grants aside)` : `event${noun}`;
  const cutText = cut === undefined ? '' : `, as in ${cut} of the rounds`;
  return [
    ...(onRecord === undefined
      ? []
      : [`A sample: ${onRecord} ${what} ${are} on record${period}, announced ones only.`]),
    ...(cut !== undefined || (isByInvestor(type, filters) && filters.led !== true)
      ? [`By investor ${INVESTORS_AT_LEAST}${cutText}.`]
      : []),
    ...placedLines(filters),
    ...(type === 'companies' ? ofSeveralRounds(filters) : []),
  ];
}

/** Where the investors of rounds are counted, if a filter asks for that. */
export const placedLines = ({ investor_country: places }: Readonly<Record<string, unknown>>): string[] =>
  places === undefined
    ? []
    : ['An investor is where its own record says; one whose record does not say is in no country.'];

/** That filters of companies by their rounds may each hold for another one; nothing in a period, where they hold for one. */
function ofSeveralRounds(filters: Filters): string[] {
  const given = (['funding_stage', 'investor', 'led'] as const).filter((name) => filters[name] !== undefined);
  const isOfOne = given.length < 2 || filters.funding_stage === undefined || hasPeriod(filters);
  return isOfOne ? [] : [`${withAnd(given)} may be of different rounds of a company; search rounds for those of one.`];
}

type GivenSearch = Readonly<Record<string, unknown>> & { readonly type: RecordType | 'all' };

interface Understood {
  readonly understood?: Pick<ReadSentence, 'type' | 'filters' | 'list_of' | 'periods'> | undefined;
}

/** Type and filters of a search as parsed from the sentence. */
const searchedFor = ({ understood }: Understood, { type, ...given }: GivenSearch) => ({
  type: understood?.type ?? (type === 'all' ? undefined : type),
  filters: { ...given, ...understood?.filters } as Filters,
});

/** What a search is a sample of, and what its filters mean together, one sentence each. */
export function searchSample(found: Pick<SearchData, 'understood' | 'on_record'>, given: GivenSearch): string[] {
  const searched = searchedFor(found, given);
  const isOfTotals = hasTotalsAndPeriod(searched.type, searched.filters);
  return [
    ...(isOfTotals ? [OF_ALL_YEARS, AMOUNTS_IN_PERIOD] : []),
    ...betweenPeriods(found.understood?.periods),
    ...sampleLines({ ...searched, onRecord: found.on_record }),
  ];
}

/** That a list also has what is between the periods that its sentence compares, in their order; nothing if they follow each other. */
export function betweenPeriods(periods: readonly Period[] = []): string[] {
  const isNext = ({ to }: Period, { from }: Period): boolean => Date.parse(from) - Date.parse(to) <= DAY_MS;
  const areNext = periods.every((period, index) => index === 0 || isNext(periods[index - 1] ?? period, period));
  return areNext ? [] : [`The list also has what was announced between ${periodNames(periods)}.`];
}

/** Texts in the scripts of the languages that sentences are read in. */
const READ_SCRIPTS = /^[\p{Script=Latin}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}]*$/u;
const READ_LANGUAGES =
  'Sentences are read in English, Spanish, German, French, Portuguese and Chinese; of other languages, only names are found.';

/** Why an empty search is no proof that there is nothing; undefined if nothing is known to be missing. */
export function searchAbsence(
  found: Understood & Pick<SearchData, 'without_dates' | 'without_filters'>,
  given: GivenSearch,
): string | undefined {
  const { type, filters } = searchedFor(found, given);
  const missing = missingOf(type, filters);
  const noun = type === 'events' ? 'event' : isOfGrants(filters) ? 'grant' : 'funding round';
  const owner = found.understood?.list_of;
  const notes = [
    ...(owner === undefined ? [] : [`Nothing on record is similar to ${owner.name}.`]),
    ...(READ_SCRIPTS.test(String(given.query ?? '')) ? [] : [READ_LANGUAGES]),
    ...(missing === undefined ? [] : [noProof(missing)]),
    ...(found.without_dates === undefined ? [] : [undatedText(found.without_dates, noun)]),
    ...fewerFiltersLines(found),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** What matches without the dates, such as `Without the dates, 3 funding rounds match; the latest is of 2026-05-07.` */
function undatedText({ records, latest }: NonNullable<SearchData['without_dates']>, noun: string): string {
  const newest = latest === null ? '' : records === 1 ? `, of ${latest}` : `; the latest is of ${latest}`;
  return `Without the dates, ${records} ${noun}${records === 1 ? ' matches' : 's match'}${newest}.`;
}

/** How many match with one filter less, such as `With one filter less: 9 without the filter country, 4 without tag.` */
function fewerFiltersLines(found: Pick<SearchData, 'without_dates' | 'without_filters'>): string[] {
  const texts = Object.entries(found.without_filters ?? {})
    .filter(([name]) => found.without_dates === undefined || !PERIOD.includes(name as FilterName))
    .map(([name, records], index) => `${records} without ${index === 0 ? 'the filter ' : ''}${name}`);
  return texts.length === 0 ? [] : [`With one filter less: ${texts.join(', ')}.`];
}

interface Measured {
  readonly of: RecordType;
  readonly groups: readonly string[];
  readonly measures: readonly string[];
  readonly filters: Filters;
}

/** What amounts of grants, by investor, or sums of their rounds, are of, in at most one line. */
export function measuredLines({ of, groups, measures, filters }: Measured): string[] {
  if (of === 'investors') return measures.includes('sum') ? [EACH_INVESTOR] : [];
  const isOfParties =
    filters.investor !== undefined ||
    kindsGiven(filters).length > 0 ||
    groups.some((group) => group.endsWith('investor'));
  const isOfAmounts = of === 'rounds' && measures.some((each) => each !== 'count');
  if (!isOfAmounts) return [];
  return isOfGrants(filters) ? [PAID_IN_TOKENS] : isOfParties ? [WHOLE_ROUNDS] : [];
}

/** Sample notes of an aggregate, and how many grants it counts. */
export function aggregateSample(data: Pick<AggregateData, 'covered'>, { of, ...given }: AggregateQuery): string[] {
  const { records, grants, on_record: onRecord, may_be_cut: cut } = data.covered;
  const filters = cut === undefined ? filtersOfPeriod(given as Filters) : (given as Filters);
  const counted = grants === undefined ? [] : [`${grantsText(records, grants)}.`];
  const isOf = (group: string): boolean => of === 'companies' && given.group_by.includes(group);
  return [
    ...counted,
    ...unsourcedLines(data.covered, of),
    ...(isOf('investor') ? [GIVERS_COUNT] : []),
    ...(isOf('funding_stage') ? [LATEST_STAGE] : []),
    ...measuredLines({ of, groups: given.group_by, measures: given.measure, filters: given as Filters }),
    ...sampleLines({ type: of, filters, onRecord, cut }),
  ];
}
