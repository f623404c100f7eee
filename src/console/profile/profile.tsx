import type { ComponentChildren, VNode } from 'preact';
import type { RecordType } from '../../contract/entities/index.ts';
import { backersOf, countsText, isGrant, type NamedReference, namedIn } from '../../contract/rounds.ts';
import { shortMoney } from '../../contract/usd.ts';
import { GRANT, INVESTORS_LISTED_MAX, stageOfCompany, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, Copyable, countText, Link, usePage } from '../components.tsx';
import { isInList, type Related, RelatedCard } from '../data/related.tsx';
import type { RoundStatistics } from '../data/round-statistics.ts';
import { FieldValue, isBlank, moneyText, type RecordData } from '../data/values.tsx';
import { dayText, newestSource, shownValue } from '../day-text.ts';
import { Figures } from '../lists.tsx';
import { CitedSources } from './cited-sources.tsx';
import { daysOf, placeOf } from './event-table.tsx';
import { FactsCard } from './facts.tsx';
import { amountsText, Backers, FundingHistory } from './funding.tsx';
import { InvestmentsByYear } from './investments.tsx';
import { Overview } from './record-overview.tsx';
import { Roles, rolesOf } from './roles.tsx';
import { amountText, UNDISCLOSED } from './round-table.tsx';

export interface ProfileProps {
  /** What stands below the lists. */
  readonly children?: ComponentChildren;
  readonly record: RecordData;
  /** The first entries of each related list; none for a deleted record. */
  readonly related: readonly Related[];
  readonly now: Date;
  /** The public address of the service, without a slash at its end. */
  readonly url: string;
}

/** All known facts of a record, for any page. */
export function Profile(props: ProfileProps): VNode {
  const { record, related } = props;
  const { type } = record;
  const rounds = related.find(({ list }) => list.name === 'rounds');
  const hasRounds = (rounds?.total ?? 0) > 0;
  const isElsewhere = (name: string): boolean =>
    ['roles', 'lead_investors'].includes(name) ||
    (related.length > 0 && isInList(type, name)) ||
    (type === 'rounds' && ['company', 'investors'].includes(name));
  const isDrawn = ({ list }: Related): boolean =>
    (hasRounds && (list.name === 'rounds' || (type === 'companies' && list.name === 'investors'))) ||
    (type === 'people' && list.name === 'companies');
  return (
    <>
      <KeyFigures
        record={record}
        totals={new Map([...related.flatMap(totalOf), ['roles', rolesOf(record, related).length]])}
        rounds={rounds?.records}
        statistics={rounds?.statistics}
        editions={related.find(({ list }) => list.name === 'editions')?.records}
      />
      {type === 'investors' && hasRounds ? (
        <p class="hint under">
          All counts are lower bounds: rounds that nobody announced are missing, and sources list at most{' '}
          {INVESTORS_LISTED_MAX} investors of a round beside its leads, often the first by alphabet.
        </p>
      ) : null}
      <div class="profile">
        <div>
          <Overview record={record} />
          {type === 'rounds' ? <Backers rounds={[record]} all="" total={0} /> : null}
          {type === 'people' ? <Roles record={record} related={related} /> : null}
          {rounds === undefined ? null : <Rounds {...{ record, rounds, related }} />}
          {related
            .filter((one) => !isDrawn(one))
            .map((one) => (
              <RelatedCard
                key={one.list.name}
                record={record}
                related={one}
                funded={one.list.name === 'portfolio' ? rounds?.statistics?.companies : undefined}
              />
            ))}
          {props.children}
        </div>
        <aside aria-label="Facts">
          <FactsCard record={record} isElsewhere={isElsewhere}>
            {(name, value) => <FieldValue of={type} field={name} value={value} />}
          </FactsCard>
        </aside>
        <aside aria-label="Use and sources">
          <UseThisRecord {...props} />
          <CitedSources record={record} />
        </aside>
      </div>
    </>
  );
}

const totalOf = ({ list, total, isPart }: Related): readonly (readonly [string, number])[] =>
  isPart ? [] : [[list.name, total]];

interface RoundsProps extends Pick<ProfileProps, 'record' | 'related'> {
  readonly rounds: Related;
}

function Rounds({ record, rounds, related }: RoundsProps): VNode | null {
  const { records, total, statistics } = rounds;
  if (total === 0) return null;
  const owner = record.type === 'rounds' ? (record['company'] as RecordData) : record;
  const { recordsAt, searchAt } = usePage();
  const at = `${recordsAt}/${owner.type}/${owner.slug}`;
  const given = { rounds: records, total, statistics, all: `${at}/rounds` };
  if (record.type === 'rounds')
    return total === 1 ? null : (
      <FundingHistory
        {...given}
        title={`${isGrant(record) ? 'Grants to' : 'Funding history of'} ${owner.name}`}
        current={record}
      />
    );
  if (record.type !== 'companies')
    return (
      <>
        {statistics === undefined ? null : (
          <InvestmentsByYear statistics={statistics} listOf={(year) => listOf(searchAt, record, year)} />
        )}
        <RelatedCard record={record} related={rounds} />
      </>
    );
  return (
    <>
      <FundingHistory {...given} />
      <Backers
        rounds={records}
        all={`${at}/investors`}
        total={related.find(({ list }) => list.name === 'investors')?.total ?? 0}
      />
    </>
  );
}

/** The address of the rounds of a year in which an investor took part; of grants if there are only such. */
function listOf(
  searchAt: string,
  { slug }: RecordData,
  { year, led, joined }: RoundStatistics['years'][number],
): string {
  const period = { from: String(year), to: String(year), ...(led + joined === 0 && { funding_stage: GRANT }) };
  return `${searchAt}?${new URLSearchParams({ type: 'rounds', investor: slug, ...period })}`;
}

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
/** A count over all rounds; for a host's result without the rounds, the value of the record. */
const dealt =
  (kind: 'rounds' | 'grants' | 'led' | 'companies', stated = '') =>
  (record: RecordData, { statistics }: FigureContext): string =>
    positive(statistics?.[kind] ?? Number(record[stated] ?? 0));
const inShort = (value: unknown): string => shortMoney(Number(value));
/** An amount in full that its short form rounds. */
const exactText = (value: unknown): string | undefined =>
  Number(value ?? 0) % ROUNDED_USD === 0 ? undefined : moneyText(value);
const ROUNDED_USD = 100_000;
/** The amount of the grants, marked if a source converted some of it, or their number if it is not known. */
const granted = (_: RecordData, { statistics, rounds = [] }: FigureContext): string => {
  if (statistics === undefined || statistics.grantedUsd === 0) return positive(statistics?.grants);
  const isConverted = rounds.some((round) => isGrant(round) && !isBlank(round['amount_raw']));
  return `${isConverted ? '≈ ' : ''}${inShort(statistics.grantedUsd)}`;
};
const GRANTS: FigureOf = [
  'Grants',
  granted,
  undefined,
  ({ statistics, rounds = [] }, { type }) => {
    if (statistics === undefined || statistics.grants === 0) return undefined;
    const givers = type === 'companies' ? [...new Set(rounds.filter(isGrant).flatMap(namesIn))] : [];
    const count = statistics.grantedUsd > 0 ? countsText({ rounds: 0, grants: statistics.grants }) : '';
    return [count, givers.length === 0 ? '' : `from ${inFew(givers)}`].filter(Boolean).join(' ') || undefined;
  },
];
const asCount = (value: unknown): string => countText(Number(value));

/** Companies funded, where they are more than those with a record. */
const isFundedMore = ({ totals, statistics }: FigureContext): boolean =>
  (statistics?.companies ?? 0) > (totals.get('portfolio') ?? 0);
const onlyGrants = ({ statistics }: FigureContext): boolean => statistics !== undefined && statistics.rounds === 0;

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

/** The stage and the amount of a round, as far as they are known. */
const sizeText = (round: RecordData): string =>
  [label(round['stage']), isBlank(round['amount_usd']) ? '' : amountText(round)].filter(Boolean).join(', ');

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
    ['Stage', ownStage],
    [
      'Latest round',
      (_, shown) => latestText(latestRound(shown)),
      (_, shown) => latestRound(shown),
      (shown) => leadText(latestRound(shown)),
    ],
    ['Last stated stage', latestStage, undefined, (_, record) => dayText(shownValue(record, 'funding_stage_date'))],
    ['Investors', field('investors_count', asCount)],
    GRANTS,
    ['Employees', field('total_employees', asCount)],
  ],
  investors: [
    ['Rounds', dealt('rounds', 'investments_count'), undefined, (shown, record) => ledText(record, shown)],
    GRANTS,
    ['Companies funded', (record, shown) => (isFundedMore(shown) ? dealt('companies')(record, shown) : '')],
    [
      'Last 12 months on record',
      field('rounds_last_year', asCount),
      undefined,
      (_, record) => `rounds since ${dayText(record['rounds_since'])}`,
    ],
    ['Portfolio', (record, shown) => (isFundedMore(shown) ? '' : listed('portfolio')(record, shown))],
    ['Co-investors', listed('co_investors')],
    ['Latest grant', (record, shown) => (onlyGrants(shown) ? field('last_investment_date', dayText)(record) : '')],
    ['Latest investment', (record, shown) => (onlyGrants(shown) ? '' : field('last_investment_date', dayText)(record))],
  ],
  people: [
    ['Roles', listed('roles')],
    ['Angel rounds', dealt('rounds')],
    GRANTS,
    ['Companies backed', dealt('companies')],
    ['Latest investment', (_, { rounds = [] }) => announcedText(newestOf(rounds))],
    ['Events', listed('events')],
    ['Co-founders', listed('co_founders')],
    ['Colleagues', listed('colleagues')],
  ],
  events: [
    ['Date', daysOf],
    ['Place', placeOf],
    ['Speakers', listed('speakers')],
    ['Organisers', listed('organizers')],
    ['Sponsors', listed('sponsors')],
    ['Other editions', listed('editions')],
    ['Followed by', (record, shown) => nextOf(record, shown)?.name ?? '', nextOf],
  ],
  rounds: [
    [
      'Amount',
      (record) => amountText(record),
      undefined,
      (_, record) =>
        isBlank(record['amount_raw']) ? exactText(record['amount_usd']) : `paid as ${record['amount_raw']}`,
    ],
    ['Stage', field('stage', (stage) => vocabularyLabel(String(stage)))],
    ['Announced', field('announced_date', dayText)],
    ['Given by', (record) => (isGrant(record) ? inFew(namesIn(record)) : '')],
    [
      'Led by',
      (record) => inFew(namedIn(record, 'lead_investors').map(({ name }) => name)),
      (record) => namedIn(record, 'lead_investors'),
    ],
    ['Investors', (record) => (isGrant(record) ? '' : positive(backersOf([record]).length))],
    ['Valuation', field('valuation_usd', inShort)],
  ],
};

interface KeyFiguresProps extends Pick<ProfileProps, 'record'> {
  /** Totals of related lists by name. */
  readonly totals: ReadonlyMap<string, number>;
  /** The loaded rounds, the newest first: all of a company. */
  readonly rounds?: readonly RecordData[] | undefined;
  readonly statistics?: RoundStatistics | undefined;
  /** Other editions of an event. */
  readonly editions?: readonly RecordData[] | undefined;
}

const dateOf = (round: RecordData): string => String(round['announced_date'] ?? '');
const announcedText = (round: RecordData | undefined): string => dayText(shownValue(round ?? {}, 'announced_date'));
const newestOf = (rounds: readonly RecordData[]): RecordData | undefined =>
  rounds.toSorted((one, other) => (dateOf(one) > dateOf(other) ? -1 : 1)).find((round) => dateOf(round) !== '');
/** The latest funding round, which is no grant. */
const latestRound = ({ rounds = [] }: FigureContext): RecordData | undefined =>
  newestOf(rounds.filter((round) => !isGrant(round)));

/** Date of a round that is labelled by its stage or amount, and its lead investor. */
function leadText(round: RecordData | undefined): string | undefined {
  if (round === undefined) return undefined;
  const leads = namedIn(round, 'lead_investors').map(({ name }) => name);
  const date = sizeText(round) === '' ? '' : announcedText(round);
  return [date, leads.length === 0 ? '' : `led by ${inFew(leads)}`].filter(Boolean).join(', ') || undefined;
}

function ledText(record: RecordData, shown: FigureContext): string | undefined {
  const led = dealt('led', 'lead_count')(record, shown);
  return led === '' ? undefined : `${led} of them led`;
}

/** The first of the editions of an event that is after it. */
function nextOf({ start_date: date }: RecordData, { editions = [] }: FigureContext): RecordData | undefined {
  const later = editions.filter(({ start_date: other }) => !isBlank(date) && String(other ?? '') > String(date));
  return later.toSorted((one, other) => (String(one['start_date']) < String(other['start_date']) ? -1 : 1))[0];
}

/** Two names, or the first and the number of others. */
const inFew = ([first = '', second, ...more]: readonly string[]): string => {
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${countText(more.length + 1)} more`;
};

export function KeyFigures({ record, ...shown }: KeyFiguresProps): VNode | null {
  const { recordsAt } = usePage();
  const figures = (KEY_FIGURES[record.type] ?? [])
    .map(([label, text, named, note]) => {
      const links = [named?.(record, shown) ?? []].flat().slice(0, 2);
      return {
        ...{ label, value: text(record, shown), note: note?.(shown, record) },
        links: links.flatMap(({ name, type, slug }) => (slug ? [{ name, to: `${recordsAt}/${type}/${slug}` }] : [])),
      };
    })
    .filter(({ value }) => value !== '');
  return figures.length === 0 ? null : <Figures figures={figures} />;
}

/** The record as JSON, as an API call and as a citation. */
function UseThisRecord({ record, url }: Pick<ProfileProps, 'record' | 'url'>): VNode {
  const { type, slug, name } = record;
  const { base, recordsAt } = usePage();
  const json = `${recordsAt}/${type}/${slug}.json`;
  const asOf = isBlank(record['as_of']) ? '' : `, as of ${newestSource(record)}`;
  const uses = [
    ['REST, with a key', `curl -H "Authorization: Bearer $WEB3_BI_API_KEY" ${url}/api/v1/${type}/${slug}`],
    ['MCP tool call', `get_entity ${JSON.stringify({ type, id: slug })}`],
    ['Citation', `${name}, web3-bi${asOf}. ${url}/${type}/${slug}`],
  ] as const;
  return (
    <Card title="Use this record">
      <p class="actions">
        <Link to={json}>Open as JSON</Link>
        <button type="button" class="button small" data-copy-from={base + json} hidden>
          Copy JSON
        </button>
      </p>
      {uses.map(([title, text], index) => (
        <details key={title}>
          <summary>{title}</summary>
          <Copyable id={`take-${index}`} label={title} text={text} />
        </details>
      ))}
    </Card>
  );
}
