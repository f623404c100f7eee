import type { ComponentChildren, VNode } from 'preact';
import type { RecordType } from '../../contract/entities/index.ts';
import { shortMoney } from '../../contract/usd.ts';
import { spoken } from '../../contract/vocabulary.ts';
import { Badge, Card, Copyable, countText, Link, RecordLink } from '../components.tsx';
import { usePage } from '../context.ts';
import { isInList, type Related, RelatedCard } from '../data/related.tsx';
import { isBlank, type RecordData, Value } from '../data/values.tsx';
import { Figures } from '../lists.tsx';
import { Facts } from './facts.tsx';
import { Backers, countDeals, DRAWN_MIN, FundingHistory, InvestmentsByYear, isRaise, namedIn } from './funding.tsx';
import { Roles } from './roles.tsx';
import { markOf, RecordTile } from './tile.tsx';
import { Timeline } from './timeline.tsx';

export interface ProfileProps {
  readonly record: RecordData;
  /** The first entries of each related list; empty for a deleted record. */
  readonly related: readonly Related[];
  readonly now: Date;
  /** The public address of the service, without a slash at its end. */
  readonly url: string;
}

interface ProfileHeadProps extends Pick<ProfileProps, 'record' | 'now'> {
  /** Display name of the record type. */
  readonly kind: string;
  readonly action?: VNode | null;
}

const STALE_MONTHS = 24;

/** Heading of a record: logo, name, tagline. */
export function ProfileHead({ record, kind, now, action }: ProfileHeadProps): VNode {
  const { type, name, status } = record;
  const line = type === 'rounds' ? <RoundLine record={record} /> : (record['tagline'] ?? record['headline']);
  return (
    <div class="profile-head">
      <RecordTile record={record} />
      <div>
        <h1>
          {name} <Badge>{kind}</Badge>
          {record['is_verified'] === true ? <Badge tone="good">verified</Badge> : null}
          {isBlank(status) || status === 'active' ? null : <Badge tone="warn">{spoken(String(status))}</Badge>}
        </h1>
        {isBlank(line) ? null : <p class="lead">{line as ComponentChildren}</p>}
        <Freshness record={record} now={now} />
      </div>
      {action}
    </div>
  );
}

/** The company of a round. */
function RoundLine({ record }: Pick<ProfileProps, 'record'>): VNode | null {
  const company = record['company'] as Partial<RecordData> | null;
  if (!company?.name) return null;
  const { type, slug, name } = company;
  return (
    <>
      Funding of{' '}
      {isBlank(slug) ? (
        name
      ) : (
        <RecordLink type={type} slug={slug}>
          {name}
        </RecordLink>
      )}
    </>
  );
}

/** Age of the newest source. Rounds and events do not become stale. */
function Freshness({ record, now }: Pick<ProfileProps, 'record' | 'now'>): VNode | null {
  const { as_of: asOf, type } = record;
  if (isBlank(asOf)) return null;
  const edge = new Date(now);
  edge.setUTCMonth(edge.getUTCMonth() - STALE_MONTHS);
  const isStale =
    !['rounds', 'events'].includes(type) && String(asOf) < edge.toISOString().slice(0, String(asOf).length);
  return (
    <p class="muted">
      As of {String(asOf)} {isStale ? <Badge tone="warn">older than two years</Badge> : null}
    </p>
  );
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
        totals={new Map(related.map(({ list, total }) => [list.name, total]))}
        rounds={rounds?.records.length === rounds?.total ? rounds?.records : undefined}
      />
      <div class="profile">
        <div>
          {isBlank(record['overview']) ? null : (
            <Card title="Overview">
              <p class="prose">{String(record['overview'])}</p>
            </Card>
          )}
          {type === 'rounds' ? <Backers rounds={[record]} all="" /> : null}
          {rounds === undefined ? null : <Rounds record={record} rounds={rounds} />}
          {type === 'people' ? <Roles record={record} related={related} /> : null}
          {related
            .filter((one) => !isDrawn(one))
            .map((one) => (
              <RelatedCard key={one.list.name} record={record} related={one} />
            ))}
          <Timeline record={record} related={related} />
        </div>
        <aside>
          <Facts record={record} isElsewhere={isElsewhere}>
            {(name, value) => <Value of={type} field={name} value={value} />}
          </Facts>
          <TakeAlong {...props} />
        </aside>
      </div>
    </>
  );
}

function Rounds({ record, rounds }: { record: RecordData; rounds: Related }): VNode | null {
  const { records, total } = rounds;
  if (total === 0) return null;
  const owner = record.type === 'rounds' ? (record['company'] as RecordData) : record;
  const at = `${usePage().recordsAt}/${owner.type}/${owner.slug}`;
  const given = { rounds: records, total, all: `${at}/rounds` };
  if (record.type === 'rounds')
    return total === 1 ? null : (
      <FundingHistory {...given} title={`Funding history of ${owner.name}`} current={record.id} />
    );
  if (record.type !== 'companies')
    return (
      <>
        {total < DRAWN_MIN ? null : <InvestmentsByYear {...given} investor={record} />}
        <RelatedCard record={record} related={rounds} />
      </>
    );
  return (
    <>
      <FundingHistory {...given} />
      <Backers rounds={records} all={`${at}/investors`} />
    </>
  );
}

type FigureOf = readonly [label: string, text: (record: RecordData, shown: Shown) => string];
type Shown = Omit<KeyFiguresProps, 'record'>;

const field =
  (name: string, write: (value: unknown) => string = String) =>
  (record: RecordData): string =>
    isBlank(record[name]) ? '' : write(record[name]);
const listed =
  (name: string) =>
  (_: RecordData, { totals }: Shown): string =>
    positive(totals.get(name));
const positive = (count = 0): string => (count > 0 ? countText(count) : '');
const deals =
  (kind: keyof ReturnType<typeof countDeals>) =>
  (_: RecordData, { rounds = [] }: Shown): string =>
    positive(countDeals(rounds)[kind]);
const inShort = (value: unknown): string => shortMoney(Number(value));
const asCount = (value: unknown): string => countText(Number(value));

/** The grants among the listed rounds of an investor, which its own count leaves out. */
function grantsOf({ funding_stages, investments_count }: RecordData, totals: Shown['totals']): number {
  const gives = Array.isArray(funding_stages) && funding_stages.includes('grant');
  return gives && !isBlank(investments_count)
    ? Math.max(0, (totals.get('rounds') ?? 0) - Number(investments_count))
    : 0;
}

/** Key figures per type. Numbers of linked records are those of the lists, so that a page is consistent. */
const KEY_FIGURES: Readonly<Partial<Record<RecordType, readonly FigureOf[]>>> = {
  companies: [
    ['Known funding', field('total_funding_usd', inShort)],
    ['Stage', field('funding_stage', (stage) => spoken(String(stage)))],
    ['Rounds and grants', (record, shown) => (shown.rounds === undefined ? listed('rounds')(record, shown) : '')],
    ['Rounds', deals('rounds')],
    ['Grants', deals('grants')],
    ['Other deals', deals('others')],
    ['Investors', field('investors_count', asCount)],
    ['Latest round', (_, { rounds = [] }) => latestOf(rounds.filter(isRaise))],
    ['Employees', field('total_employees', asCount)],
  ],
  investors: [
    ['Rounds', (record, { totals }) => positive((totals.get('rounds') ?? 0) - grantsOf(record, totals))],
    ['Grants', (record, { totals }) => positive(grantsOf(record, totals))],
    ['Led', (record) => positive(Number(record['lead_count'] ?? 0))],
    ['Portfolio', listed('portfolio')],
    ['Co-investors', listed('co_investors')],
    ['Latest investment', field('last_investment_date')],
  ],
  people: [
    ['Organisations', listed('companies')],
    ['Angel rounds', listed('rounds')],
    ['Companies backed', (_, { rounds = [] }) => positive(new Set(rounds.map(markOf)).size)],
    ['Latest investment', (_, { rounds = [] }) => latestOf(rounds)],
    ['Events', listed('events')],
    ['Colleagues', listed('colleagues')],
  ],
  events: [
    ['Speakers', listed('speakers')],
    ['Organisers', listed('organizers')],
    ['Sponsors', listed('sponsors')],
    ['Days', daysOf],
    ['Other editions', listed('editions')],
  ],
  rounds: [
    ['Amount', field('amount_usd', inShort)],
    ['Stage', field('stage', (stage) => spoken(String(stage)))],
    ['Announced', field('announced_date')],
    ['Led by', (record) => inFew(namedIn(record, 'lead_investors').map(({ name }) => name))],
    ['Valuation', field('valuation_usd', inShort)],
  ],
};

interface KeyFiguresProps extends Pick<ProfileProps, 'record'> {
  /** Totals of related lists by name. */
  readonly totals: ReadonlyMap<string, number>;
  /** All rounds of the record, if they are loaded. */
  readonly rounds?: readonly RecordData[] | undefined;
}

const latestOf = (rounds: readonly RecordData[]): string =>
  rounds.reduce((latest, { announced_date: date }) => (String(date ?? '') > latest ? String(date) : latest), '');

const DAY_MS = 86_400_000;

function daysOf({ start_date: start, end_date: end }: RecordData): string {
  if (isBlank(start) || isBlank(end)) return '';
  return positive(1 + (Date.parse(String(end)) - Date.parse(String(start))) / DAY_MS);
}

const inFew = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} and ${countText(more.length)} more`;

export function KeyFigures({ record, ...shown }: KeyFiguresProps): VNode | null {
  const figures = (KEY_FIGURES[record.type] ?? [])
    .map(([label, text]) => ({ label, value: text(record, shown) }))
    .filter(({ value }) => value !== '');
  return figures.length === 0 ? null : <Figures figures={figures} />;
}

/** The record as JSON, as API call and as citation. */
function TakeAlong({ record, url }: Pick<ProfileProps, 'record' | 'url'>): VNode {
  const { type, slug, name } = record;
  const { base, recordsAt } = usePage();
  const json = `${recordsAt}/${type}/${slug}.json`;
  const asOf = isBlank(record['as_of']) ? '' : `, as of ${record['as_of']}`;
  return (
    <Card title="Use this record">
      <p class="actions">
        <Link to={json}>Open as JSON</Link>
        <button type="button" class="button small" data-copy-from={base + json} hidden>
          Copy JSON
        </button>
      </p>
      <p class="muted">REST, with a key</p>
      <Copyable
        id="take-curl"
        label="curl command"
        text={`curl -H "Authorization: Bearer $WEB3_BI_API_KEY" ${url}/api/v1/${type}/${slug}`}
      />
      <p class="muted">MCP tool call</p>
      <Copyable id="take-tool" label="tool call" text={`get_entity ${JSON.stringify({ type, id: slug })}`} />
      <p class="muted">Citation</p>
      <Copyable id="take-citation" label="citation" text={`${name}, web3-bi${asOf}. ${url}/${type}/${slug}`} />
    </Card>
  );
}
