import type { ComponentChildren, VNode } from 'preact';
import { dayText, monthText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { filterTexts } from '../../contract/filter-words.ts';
import type { Filters } from '../../contract/filters.ts';
import { isNamed } from '../../contract/named-records.ts';
import { PERIODS } from '../../contract/periods.ts';
import { countsText, isGrant } from '../../contract/rounds.ts';
import { measuredLines, unsourcedPart } from '../../contract/sample-notes.ts';
import { fieldAskedFor, wantsValuation } from '../../contract/sentence-calls.ts';
import { citedSources, isOfEditors, isUnsourced, UNSOURCED } from '../../contract/unsourced.ts';
import { shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { labelOf, NO_GRANTS, stageWords } from '../../contract/vocabulary.ts';
import { Listed, RecordLink } from '../components.tsx';
import { daysOf, placeOf } from '../profile/event-table.tsx';
import { amountText, dayOf, leadsOf } from '../profile/round-table.tsx';
import { type Cell, nameOf } from './aggregate-figures.tsx';
import { listedBy, type Totalled } from './aggregate-page.tsx';
import { fundingNote } from './funding-notes.ts';
import { NamedInvestor } from './named-investor.tsx';
import type { FilterTexts } from './parsed-search.ts';
import { seriesOf } from './result-parts.ts';
import type { SearchOutcome } from './search.ts';

/** The answer to a question in a sentence, of no more than the records below it state; null where only a list answers. */
export function AnswerSentence(outcome: SearchOutcome): VNode | null {
  const { totalled, parsed, found, results } = outcome;
  // A fact beside the one that nothing states is no answer.
  if (parsed.page > 1 || found.understood?.unstated !== undefined) return null;
  const asked =
    totalled === undefined
      ? (rankText(outcome) ?? factText(outcome))
      : totalText(totalled, results, found.understood?.group_by);
  const text = found.understood === undefined ? seriesText(outcome) : asked;
  return text === undefined ? <NamedInvestor {...outcome} /> : <p class="answer">{text}</p>;
}

/** How many editions of a series of events are on record, if a search is for its name, and the newest. */
function seriesText({ parts, results, found }: SearchOutcome): ComponentChildren | undefined {
  const [first] = results;
  const isWhole = results.length === found.total || results.at(-1)?.type !== 'events';
  const [part] = first?.type === 'events' && isWhole ? parts : [];
  const editions = part?.records ?? [];
  const [newest, ...others] = editions;
  const oldest = others.at(-1);
  if (newest === undefined || oldest === undefined || part?.title === '') return undefined;
  const yearIn = (event: RecordData): string => String(event['start_date'] ?? '').slice(0, 4);
  return (
    <>
      <strong>{countText(editions.length)} editions</strong> of {seriesOf(editions)} are on record, {yearIn(oldest)} to{' '}
      {yearIn(newest)}; the newest is <RecordLink to={newest} />, {joinTexts(', ', placeOf(newest), daysOf(newest))}.
    </>
  );
}

/** The period of some filters, such as ` in 2021`; blank for none. */
export function periodText({ from, to }: { from?: string | undefined; to?: string | undefined }): string {
  if (from?.endsWith('-01-01') && to === `${from.slice(0, 4)}-12-31`) return ` in ${from.slice(0, 4)}`;
  if (from !== undefined && to !== undefined) return ` from ${dayText(from)} to ${dayText(to)}`;
  return from === undefined ? (to === undefined ? '' : ` until ${dayText(to)}`) : ` since ${dayText(from)}`;
}

/** The filters that a sentence is about, such as ` in 2021 (tag DeFi)`; blank for none. */
function scopeText({ from, to, company: _, funding_stage: stage, ...others }: FilterTexts): string {
  const further = { ...others, ...(stage !== NO_GRANTS && { funding_stage: stage }) };
  const words = filterTexts(further).map(({ text: one }) => one.charAt(0).toLowerCase() + one.slice(1));
  const text = words.join(', ');
  return periodText({ from, to }) + (text === '' ? '' : ` (${text})`);
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
const TIED_MAX = 3;

/** The first group of an aggregate, or its only figure. */
function totalText(
  { asked, data, note = '' }: Totalled,
  results: readonly RecordData[],
  groupsAsked: readonly string[] | undefined,
): ComponentChildren | undefined {
  const { groups, measure, order, given } = asked;
  const [group = '', ...others] = groups;
  const figureIn = (row: Totalled['data']['rows'][number]): number => Number(row[1] ?? 0);
  const rows = data.rows.filter((row) => row[0] !== null && figureIn(row) > 0);
  const [first] = rows;
  if (first === undefined || others.length > 0 || order === 'smallest') return undefined;
  const figure = measure === 'count' ? countText(figureIn(first)) : shortMoney(figureIn(first));
  if ((PERIODS.includes(group) && order === undefined) || groupsAsked === undefined) {
    // Groups that nobody asked for add up to the total.
    const isWhole = measure === 'sum' && groupsAsked === undefined && data.rows.length === data.groups;
    const sum = data.rows.reduce((total, row) => total + figureIn(row), 0);
    if (measure === 'count' || (rows.length > 1 && !isWhole)) return undefined;
    return figureText({ asked, data }, isWhole ? shortMoney(sum) : figure, results);
  }
  if (rows.some((row, index) => index > 0 && figureIn(row) > figureIn(rows[index - 1] ?? row))) return undefined;
  const tied = rows.filter((row) => figureIn(row) === figureIn(first)).map(([cell = null]) => cell);
  const isOfGrants = asked.kind === 'grants';
  const own = (isOfGrants ? GRANT_DEEDS : DEEDS)[`${group} ${measure}`];
  const noun = isOfGrants ? 'grant' : 'round';
  const isOfTotals = own === undefined && asked.of === 'rounds' && measure === 'sum';
  if (tied.length > TIED_MAX || (own === undefined && (tied.length > 1 || !(isOfTotals || measure === 'count'))))
    return undefined;
  const deed = own ?? (isOfTotals ? 'has the largest total on record' : 'comes first');
  const unnamed = isOfTotals ? data.rows.find(([cell]) => cell === null) : undefined;
  return (
    <>
      <Listed parts={tied.map((cell) => cellName(cell, group))} /> {deed}
      {scopeText(given)}: <strong>{figure}</strong>
      {measure === 'sum'
        ? ` in ${countText(Number(first[2]))} known ${Number(first[2]) === 1 ? noun : `${noun}s`}`
        : ''}
      {tied.length > 1 ? ' each' : note}
      {own === undefined && !isOfTotals ? countedText({ asked, data }) : ''}
      {unnamed === undefined
        ? ''
        : `; of ${shortMoney(figureIn(unnamed))} the ${labelOf(group).toLowerCase()} is not known`}
      .
    </>
  );
}

/** Of how many records a group is the first, such as ` of the 718 companies on record whose country is known`. */
function countedText({ asked: { of, groups }, data }: Pick<Totalled, 'asked' | 'data'>): string {
  const { known, records } = data.covered;
  const whose = known < records ? ` whose ${labelOf(groups[0] ?? '').toLowerCase()} is known` : '';
  return ` of the ${countText(known)} ${of} on record${whose}`;
}

/** The only figure of an aggregate of amounts: of a company's rounds what it raised. */
function figureText({ asked, data }: Totalled, figure: string, results: readonly RecordData[]): ComponentChildren {
  const { of, measure, given } = asked;
  const { known, records } = data.covered;
  const isOfGrants = asked.kind === 'grants';
  const [rounds, grants] = isOfGrants ? [0, records] : [records, 0];
  const all = of === 'rounds' ? countsText({ rounds, grants }) : `${countText(records)} ${of}`;
  const counted = known < records ? `${countText(known)} of the ${all}` : all;
  const whose = known < records ? ' whose amount is known' : '';
  const part = unsourcedPart(data.covered, of);
  const unsourced = part === undefined ? '' : `; ${part} ${UNSOURCED}`;
  const company = given['company'] === undefined ? undefined : (results[0]?.['company'] as RecordData | null);
  return measure === 'sum' && company != null ? (
    <>
      <RecordLink to={company} /> {isOfGrants ? 'received' : 'raised'} <strong>{figure}</strong>
      {scopeText(given)}, in {counted} on record{whose}
      {unsourced}.
    </>
  ) : (
    <>
      The {measure === 'sum' ? 'total' : measure} amount is <strong>{figure}</strong>, by {counted} on record
      {scopeText(given)}
      {whose}
      {unsourced}.
      {measuredLines({ ...asked, measures: [measure], filters: listedBy(asked) as Filters }).map((line) => ` ${line}`)}
    </>
  );
}

function cellName(cell: Cell, group: string): ComponentChildren {
  if (typeof cell === 'object' && cell !== null) return <RecordLink to={cell} />;
  return group === 'month' ? monthText(String(cell)) : nameOf(cell, group);
}

/** What is said of the first record of an order. */
const FIRSTS: Readonly<Record<string, readonly [deed: string, figure: (record: RecordData) => string]>> = {
  'companies -total_funding_usd': ['has the most known funding', fundingOf],
  'investors -lead_count': [
    'led the most rounds on record',
    ({ lead_count: led, investments_count: all }) => `${led} of its ${all}`,
  ],
  'investors -investments_count': ['took part in the most rounds on record', countOf('investments_count')],
  'people -angel_investments': ['took part in the most angel rounds on record', countOf('angel_investments')],
};

function fundingOf(company: RecordData): string {
  return [shortMoney(Number(company['total_funding_usd'] ?? 0)), fundingNote(company)].filter(Boolean).join(', ');
}

function countOf(field: string) {
  return (record: RecordData): string => count(record[field] ?? 0);
}

function count(value: unknown): string {
  return isBlank(value) ? '' : countText(Number(value));
}

/** The first record in the order that was asked for, or the last known valuation. */
function rankText({ parsed, effective, found, results }: SearchOutcome): ComponentChildren | undefined {
  const { type, given } = effective;
  const { sort } = found.understood ?? {};
  const [first] = results;
  if (first === undefined || sort === undefined || effective.sort !== sort || effective.query !== '') return undefined;
  if (type === 'rounds') {
    if (wantsValuation(parsed.query)) return found.total === results.length ? valuationText(results) : undefined;
    const order = { '-amount_usd': 'largest', '-announced_date': 'latest' }[sort];
    if (order === undefined || isGrant(first) || isBlank(first['company'])) return undefined;
    return firstRoundsText(results, { field: sort.slice(1), order, scope: scopeText(given) });
  }
  const rank = FIRSTS[`${type} ${sort}`];
  // Totals are of all time.
  if (rank === undefined || periodText(given) !== '') return undefined;
  return (
    <>
      <RecordLink to={first} /> {rank[0]}
      {scopeText(given)}: <strong>{rank[1](first)}</strong>.
    </>
  );
}

/** The first of some rounds by a field, with those that have the same value; of one, what else is known of it. */
function firstRoundsText(
  rounds: readonly RecordData[],
  { field, order, scope }: Readonly<Record<'field' | 'order' | 'scope', string>>,
) {
  const [first] = rounds;
  const tied = rounds.filter((round) => round === first || (!isBlank(round[field]) && round[field] === first?.[field]));
  if (first === undefined || tied.length > TIED_MAX || tied.some(({ company }) => isBlank(company))) return undefined;
  const parts = tied.map((round) => (
    <>
      the <RecordLink to={round}>{stageWords(round['stage'])}</RecordLink> of{' '}
      <RecordLink to={round['company'] as RecordData} />
    </>
  ));
  const amount = isBlank(first['amount_usd']) ? 'amount not disclosed' : amountText(first);
  const isOne = tied.length === 1;
  return (
    <>
      The {order} {isOne ? 'round' : 'rounds'} on record{scope} {isOne ? 'is' : 'are'} <Listed parts={parts} />:{' '}
      <strong>{isOne ? amount : `${field === 'amount_usd' ? amount : dayOf(first)} each`}</strong>
      {isOne ? `, ${dayOf(first)}` : ''}
      {isOne ? leadsOf(first, ', led by ') : ''}
      {tied.every(isUnsourced) ? `, ${UNSOURCED}` : ''}.
    </>
  );
}

/** The last known valuation of a company by its rounds, the newest of which is the first. */
function valuationText(rounds: readonly RecordData[]): ComponentChildren | undefined {
  const [newest] = rounds;
  const company = newest?.['company'] as RecordData | null | undefined;
  if (company == null || rounds.some((round) => (round['company'] as RecordData | null)?.slug !== company.slug))
    return undefined;
  const at = rounds.findIndex((round) => !isBlank(round['valuation_usd']));
  const round = rounds[at];
  if (round === undefined)
    return (
      <>
        No valuation of <RecordLink to={company} /> is known: none of its{' '}
        {countsText({ rounds: rounds.length, grants: 0 })} on record states one.
      </>
    );
  return (
    <>
      The last valuation of <RecordLink to={company} /> on record is{' '}
      <strong>{shortMoney(Number(round['valuation_usd']))}</strong>, in its{' '}
      <RecordLink to={round}>{stageWords(round['stage'])}</RecordLink> of {dayOf(round)}
      {isUnsourced(round) ? `, ${UNSOURCED}` : ''}
      {at === 0 ? '' : '; no later round on record states a valuation'}.
    </>
  );
}

/** Facts of a company, by their field: what is asked for, and the answer. */
const FACTS: Readonly<Record<string, readonly [what: string, text: (record: RecordData) => string]>> = {
  total_funding_usd: ['how much it raised', raisedText],
  year_founded: ['when it was founded', (record) => said('was founded in', record['year_founded'])],
  total_employees: [
    'how many employees it has',
    (record) => said('has', count(record['total_employees']), ' employees'),
  ],
  location_json: ['where it is based', (record) => said('is based in', placeOf(record))],
};

/** Words that ask for a fact, where the reader of sentences finds none. */
const FACT_WORDS: readonly (readonly [RegExp, field: string])[] = [
  [/\b(?:founded|established|started)\b/i, 'year_founded'],
  [/\bemployees\b/i, 'total_employees'],
  [/\b(?:based|located|headquarter\w*)\b/i, 'location_json'],
];

const said = (before: string, value: unknown, after = ''): string =>
  isBlank(value) ? '' : `${before} ${value}${after}`;

function raisedText(record: RecordData): string {
  const rounds = Number(record['disclosed_rounds'] ?? 0);
  return rounds === 0 ? '' : `raised ${fundingOf(record)} in ${countsText({ rounds, grants: 0 })} of known amount`;
}

/** A fact of the one record that a question names. */
function factText({ parsed, found, results: [first] }: SearchOutcome): ComponentChildren | undefined {
  const { text = '', type } = found.understood ?? {};
  if (first?.type !== 'companies' || type !== undefined || !isNamed(first, text, ['name', 'alias'])) return undefined;
  const field =
    fieldAskedFor(found.understood ?? {}) ?? FACT_WORDS.find(([asked]) => asked.test(parsed.query))?.[1] ?? '';
  const [what, write] = FACTS[field] ?? [];
  if (what === undefined || write === undefined) return undefined;
  const fact = write(first);
  // A number of people says little without its day.
  const stating = field === 'total_employees' && citedSources(first).find(({ fields }) => fields.includes(field));
  const dated = stating ? stating.as_of?.slice(0, 4) : undefined;
  return fact === '' ? (
    <>
      No source on record states of <RecordLink to={first} /> {what}.
    </>
  ) : (
    <>
      <RecordLink to={first} /> <strong>{fact}</strong>
      {isOfEditors(first, field) ? `, ${UNSOURCED}` : dated === undefined ? '' : ` as of ${dated}`}.
    </>
  );
}
