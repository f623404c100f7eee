import { enumerated } from '../../contract/answer-parts.ts';
import { dayText, shownValue } from '../../contract/day-text.ts';
import type { RecordData, RecordType } from '../../contract/entities/index.ts';
import { amountText, daysOf, leadsMark, placeOf, UNDISCLOSED, usdText } from '../../contract/record-texts.ts';
import { backersOf, countsText, isGrant, leadNames, type NamedReference, namedIn } from '../../contract/rounds.ts';
import { isUnsourcedIn, ledMark, UNSOURCED, unsourcedMark } from '../../contract/unsourced.ts';
import { isRounded, shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { stageOfCompany, vocabularyLabel } from '../../contract/vocabulary.ts';
import { partyPath, usePage } from '../components.tsx';
import { roleMark } from '../data/people-order.ts';
import type { RoundStatistics } from '../data/round-statistics.ts';
import { fundingWords, moneyText } from '../data/values.tsx';
import { Figures } from '../lists.tsx';
import { amountsText, inTime } from './funding.tsx';
import { mainRole } from './roles.tsx';
import { orMore } from './round-table.tsx';

type FigureOf = readonly [
  label: string,
  text: (record: RecordData, shown: FigureContext) => string,
  /** What the figure's text names. */
  named?:
    | ((record: RecordData, shown: FigureContext) => NamedReference | readonly NamedReference[] | undefined)
    | undefined,
  note?: (shown: FigureContext, record: RecordData) => string | undefined,
];
type FigureContext = Omit<KeyFiguresProps, 'record'>;

const field =
  (name: string, write: (value: unknown) => string = String) =>
  (record: RecordData): string =>
    isBlank(record[name]) ? '' : write(shownValue(record, name));
const listed =
  (name: string) =>
  (_: RecordData, { totals }: FigureContext): string =>
    positive(totals.get(name));
const positive = (count = 0): string => (count > 0 ? countText(count) : '');
/** The rounds of an investor in the last twelve months on record; blank for none. */
const lately = ({ rounds_last_year: rounds }: RecordData): string => positive(Number(rounds));
/** A count over all rounds; for a host's result without the rounds, the value of the record. */
const dealt =
  (kind: 'rounds' | 'grants' | 'led' | 'companies', stated = '') =>
  (record: RecordData, { statistics }: FigureContext): string =>
    positive(statistics?.[kind] ?? Number(record[stated] ?? 0));
const inShort = (value: unknown): string => shortMoney(Number(value));
/** An amount in full that its short form rounds. */
const exactText = (value: unknown): string | undefined => (isRounded(Number(value)) ? moneyText(value) : undefined);
/** The amount of the grants, or their number if it is not known. */
const granted = (_: RecordData, { statistics, rounds = [] }: FigureContext): string => {
  if (statistics === undefined || statistics.grantedUsd === 0) return positive(statistics?.grants);
  return usdText(statistics.grantedUsd, rounds.filter(isGrant));
};
const GRANTS: FigureOf = [
  'Grants',
  granted,
  undefined,
  ({ statistics, rounds = [] }, { type }) => {
    if (statistics === undefined || statistics.grants === 0) return undefined;
    const givers = type === 'companies' ? [...new Set(rounds.filter(isGrant).flatMap(namesIn))] : [];
    const count = statistics.grantedUsd > 0 ? countsText({ rounds: 0, grants: statistics.grants }) : '';
    return joinTexts(' ', count, givers.length > 0 && `from ${inFew(givers)}`) || undefined;
  },
];
/** That a fact is unsourced. */
const markOf =
  (name: string) =>
  (_: FigureContext, record: RecordData): string | undefined =>
    withMark(undefined, record, name);
/** A note, and that a fact of a round is unsourced. */
const withMark = (note: string | undefined, round: RecordData | undefined, name: string): string | undefined =>
  joinTexts(', ', note, round !== undefined && isUnsourcedIn(round, name) && UNSOURCED) || undefined;
const asCount = (value: unknown): string => countText(Number(value));

/** Companies funded, where they are more than those with a record. */
const isFundedMore = ({ totals, statistics }: FigureContext): boolean =>
  (statistics?.companies ?? 0) > (totals.get('portfolio') ?? 0);
/** Whether all rounds of a list are grants. */
export const onlyGrants = ({ statistics }: Pick<FigureContext, 'statistics'> = {}): boolean =>
  statistics !== undefined && statistics.rounds === 0;

/** What a company's funding is the sum of, if all of its rounds are loaded. */
const amountsOf = ({ rounds = [], statistics }: FigureContext): string | undefined =>
  rounds.length === (statistics?.rounds ?? 0) + (statistics?.grants ?? 0) ? amountsText(rounds) : undefined;

const namesIn = (round: RecordData): readonly string[] => namedIn(round, 'investors').map(({ name }) => name);

const label = (word: unknown): string => (isBlank(word) ? '' : vocabularyLabel(String(word)));

/** The known funding of a company, or that none of its rounds has a known amount. */
const fundingText = (record: RecordData, shown: FigureContext): string =>
  field('total_funding_usd', inShort)(record) || (dealt('rounds')(record, shown) === '' ? '' : UNDISCLOSED);

/** What became of a company, unless its status beside the name says so. */
const ownStage = (record: RecordData): string => {
  const stage = stageOfCompany(record);
  return stage === record['funding_stage'] || stage === record['status'] ? '' : label(stage);
};

const sizeText = (round: RecordData): string =>
  joinTexts(', ', label(round['stage']), !isBlank(round['amount_usd']) && amountText(round));

/** The stage and the amount of the latest round, or its date. */
const latestText = (round: RecordData | undefined): string =>
  round === undefined ? '' : sizeText(round) || announcedText(round);

/** The stage of an earlier round, where the latest states none. */
const latestStage = (record: RecordData, shown: FigureContext): string =>
  isBlank(latestRound(shown)?.['stage']) ? label(record['funding_stage']) : '';

/** Key figures per type. Numbers of linked records are those of the lists, so that a page is consistent. */
const KEY_FIGURES: Readonly<Partial<Record<RecordType, readonly FigureOf[]>>> = {
  companies: [
    ['Known funding', fundingText, undefined, amountsOf],
    ['Stage', ownStage, undefined, markOf('company_stage')],
    [
      'Latest round',
      (_, shown) => latestText(latestRound(shown)),
      (_, shown) => latestRound(shown),
      (shown) => withMark(leadText(latestRound(shown)), latestRound(shown), 'amount_usd'),
    ],
    [
      'Last known valuation',
      (_, shown) => valuationText(valuedRound(shown)),
      (_, shown) => valuedRound(shown),
      (shown) => withMark(roundText(valuedRound(shown)), valuedRound(shown), 'valuation_usd'),
    ],
    ['Last stated stage', latestStage, undefined, (_, record) => dayText(shownValue(record, 'funding_stage_date'))],
    ['Investors', (record, { rounds = [] }) => orMore(field('investors_count', asCount)(record), rounds)],
    GRANTS,
    ['Employees', field('total_employees', asCount)],
  ],
  investors: [
    ['Rounds', dealt('rounds', 'investments_count'), undefined, (shown, record) => ledText(record, shown)],
    GRANTS,
    ['Companies funded', (record, shown) => (isFundedMore(shown) ? dealt('companies')(record, shown) : '')],
    [
      'Last 12 months on record',
      lately,
      undefined,
      (shown, record) => `since ${dayText(record['rounds_since'])}, latest ${latestDay(record, shown)}`,
    ],
    ['Portfolio', (record, shown) => (isFundedMore(shown) ? '' : listed('portfolio')(record, shown))],
    ['Co-investors', listed('co_investors')],
    ['Latest grant', (record, shown) => (onlyGrants(shown) ? field('last_investment_date', dayText)(record) : '')],
    [
      'Latest round',
      (record, shown) => (onlyGrants(shown) || lately(record) !== '' ? '' : latestDay(record, shown)),
      undefined,
      (_, { rounds_since: since }) => (isBlank(since) ? undefined : `none on record since ${dayText(since)}`),
    ],
  ],
  people: [
    ['Role', roleText, (record, shown) => mainRole(record, shown.organisations)?.organisation, roleNote],
    ['Angel rounds', dealt('rounds'), undefined, ({ rounds }) => latestNote(rounds)],
    GRANTS,
    ['Events spoken at', listed('events'), undefined, ({ events }) => yearsNote(events)],
    ['Co-founders', listed('co_founders')],
    ['Colleagues', listed('colleagues')],
  ],
  events: [
    ['Date', daysOf],
    ['Place', placeOf],
    ['Speakers', listed('speakers')],
    ['Organisers', listed('organizers')],
    ['Sponsors', listed('sponsors')],
    ['Editions on record', (_, { editions = [] }) => positive(editions.length)],
    ['Followed by', (record, shown) => nextOf(record, shown)?.name ?? '', nextOf],
  ],
  rounds: [
    [
      'Amount',
      (record) => amountText(record),
      undefined,
      (_, record) =>
        withMark(
          isBlank(record['amount_raw']) ? exactText(record['amount_usd']) : `paid as ${record['amount_raw']}`,
          record,
          'amount_usd',
        ),
    ],
    ['Stage', (record) => (isGrant(record) ? '' : label(record['stage'])), undefined, markOf('stage')],
    ['Announced', field('announced_date', dayText), undefined, markOf('announced_date')],
    ['Given by', (record) => (isGrant(record) ? inFew(namesIn(record)) : ''), (record) => namedIn(record, 'investors')],
    [
      'Led by',
      (record) => inFew(leadNames(record)),
      (record) => namedIn(record, 'lead_investors'),
      markOf('lead_investors'),
    ],
    [
      'Investors',
      (record) => (isGrant(record) ? '' : orMore(positive(backersOf([record]).length), [record])),
      undefined,
      markOf('investors'),
    ],
    ['Valuation', field('valuation_usd', inShort), undefined, markOf('valuation_usd')],
  ],
};

interface KeyFiguresProps {
  readonly record: RecordData;
  /** Totals of related lists by name. */
  readonly totals: ReadonlyMap<string, number>;
  /** The loaded rounds, the newest first: all of a company. */
  readonly rounds?: readonly RecordData[] | undefined;
  readonly statistics?: RoundStatistics | undefined;
  readonly organisations?: readonly RecordData[] | undefined;
  readonly events?: readonly RecordData[] | undefined;
  readonly editions?: readonly RecordData[] | undefined;
}

const announcedText = (round: RecordData | undefined): string => dayText(shownValue(round ?? {}, 'announced_date'));
/** The last round by date, of several the largest. */
const newestOf = (rounds: readonly RecordData[]): RecordData | undefined =>
  inTime(rounds).findLast(({ announced_date: date }) => date);
/** The latest funding round, which is no grant. */
const latestRound = ({ rounds = [] }: FigureContext): RecordData | undefined =>
  newestOf(rounds.filter((round) => !isGrant(round)));

/** The day of the latest funding round; for a host's result without the rounds, the value of the record. */
const latestDay = (record: RecordData, shown: FigureContext): string =>
  announcedText(latestRound(shown)) || field('last_investment_date', dayText)(record);

const valuedRound = ({ rounds = [] }: FigureContext): RecordData | undefined =>
  newestOf(rounds.filter((round) => !isBlank(round['valuation_usd'])));

const valuationText = (round: RecordData | undefined): string => (round ? inShort(round['valuation_usd']) : '');
const roundText = (round: RecordData | undefined): string | undefined =>
  round && joinTexts(', ', label(round['stage']), announcedText(round));

/** Date of a round that is labelled by its stage or amount, and its lead investor. */
function leadText(round: RecordData | undefined): string | undefined {
  if (round === undefined) return undefined;
  const leads = leadNames(round);
  const date = sizeText(round) === '' ? '' : announcedText(round);
  return joinTexts(', ', date, leads.length > 0 && `led by ${inFew(leads)}${leadsMark(round)}`) || undefined;
}

function ledText(record: RecordData, shown: FigureContext): string | undefined {
  const led = dealt('led', 'lead_count')(record, shown);
  return led === '' ? undefined : `${led} of them led${ledMark(record)}`;
}

function roleText(record: RecordData, { organisations }: FigureContext): string {
  const { title = '', organisation } = mainRole(record, organisations) ?? {};
  return joinTexts(', ', title, organisation?.name);
}

/** The funding of the organisation and the day of the role, each with what of it is unsourced. */
function roleNote({ organisations }: FigureContext, record: RecordData): string | undefined {
  const { at, asOf = '' } = mainRole(record, organisations) ?? {};
  const [funding, ofFunding] = at === undefined ? ['', ''] : [fundingWords(at), unsourcedMark(at)];
  const mark = roleMark(record, asOf || null);
  const isBoth = mark && mark === ofFunding;
  const role = (asOf || mark) && joinTexts(' ', 'role', asOf && `as of ${dayText(asOf)}`);
  const part = isBoth ? `both ${mark}` : mark;
  const line = joinTexts(' ', funding, !isBoth && ofFunding && `(${ofFunding})`);
  return joinTexts(', ', line, role && joinTexts(' ', role, part && `(${part})`)) || undefined;
}

function latestNote(rounds: readonly RecordData[] = []): string | undefined {
  const latest = announcedText(newestOf(rounds));
  return latest === '' ? undefined : `latest ${latest}`;
}

function yearsNote(events: readonly RecordData[] = []): string | undefined {
  const years = events.flatMap(({ start_date: date }) => (isBlank(date) ? [] : [String(date).slice(0, 4)])).toSorted();
  return [...new Set([years[0], years.at(-1)])].filter(Boolean).join(' to ') || undefined;
}

/** The first of the editions of an event that is after it. */
function nextOf({ start_date: date }: RecordData, { editions = [] }: FigureContext): RecordData | undefined {
  const later = editions.filter(({ start_date: other }) => !isBlank(date) && String(other ?? '') > String(date));
  return later.toSorted((one, other) => (String(one['start_date']) < String(other['start_date']) ? -1 : 1))[0];
}

/** Two names, or the first and the number of others. */
const inFew = (names: readonly string[]): string => enumerated(names, names.length > 2 ? 1 : 2).join('');

export function KeyFigures({ record, ...shown }: KeyFiguresProps) {
  const page = usePage();
  const figures = (KEY_FIGURES[record.type] ?? [])
    .map(([label, text, named, note]) => {
      const links = [named?.(record, shown) ?? []].flat().slice(0, 2);
      return {
        ...{ label, value: text(record, shown), note: note?.(shown, record) },
        links: links.flatMap((link) =>
          link.slug || / by$/.test(label) ? [{ name: link.name, to: partyPath(page, link) }] : [],
        ),
      };
    })
    .filter(({ value }) => value !== '');
  return figures.length === 0 ? null : <Figures figures={figures} />;
}
