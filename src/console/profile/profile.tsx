import type { ComponentChildren } from 'preact';
import { newestSource } from '../../contract/day-text.ts';
import type { RecordData, RecordType } from '../../contract/entities/index.ts';
import { backersOf, isGrant } from '../../contract/rounds.ts';
import { isBlank } from '../../contract/value-text.ts';
import { GRANT, INVESTORS_LISTED_MAX } from '../../contract/vocabulary.ts';
import { Card, Copyable, Link, usePage } from '../components.tsx';
import { ConnectForm } from '../data/connections-page.tsx';
import { isInList, listIn, type Related, RelatedCard } from '../data/related.tsx';
import type { RoundStatistics } from '../data/round-statistics.ts';
import { FieldValue } from '../data/values.tsx';
import { CitedSources } from './cited-sources.tsx';
import { FactsCard } from './facts.tsx';
import { Backers, FundingHistory } from './funding.tsx';
import { InvestmentsByYear } from './investments.tsx';
import { KeyFigures, onlyGrants } from './key-figures.tsx';
import { Roles } from './roles.tsx';
import { unstatedFacts } from './unstated-facts.ts';

/** A record with its lists, and what stands below them: what is read of it for its profile. */
export interface RecordProfile {
  readonly children?: ComponentChildren;
  readonly record: RecordData;
  /** The first entries of each related list; none for a deleted record. */
  readonly related: readonly Related[];
}

export interface ProfileProps extends RecordProfile {
  readonly now: Date;
  /** The public address of the service, without a slash at its end. */
  readonly url: string;
}

export function Profile(props: ProfileProps) {
  const { record, related } = props;
  const { type } = record;
  const rounds = related.find(({ list }) => list.name === 'rounds');
  const hasRounds = (rounds?.total ?? 0) > 0;
  const deals = type === 'investors' && hasRounds ? rounds?.statistics : undefined;
  const isElsewhere = (name: string): boolean =>
    ['roles', 'lead_investors'].includes(name) ||
    (related.length > 0 && isInList(type, name)) ||
    (ELSEWHERE[type] ?? []).includes(name);
  const isDrawn = ({ list, isTold = false }: Related): boolean =>
    isTold ||
    (hasRounds && (list.name === 'rounds' || (type === 'companies' && list.name === 'investors'))) ||
    (type === 'people' && list.name === 'companies');
  const facts = (
    <FactsCard record={record} isElsewhere={isElsewhere} unstated={unstatedFacts(record, related)} deals={deals}>
      {(name, value) => <FieldValue of={type} field={name} value={value} />}
    </FactsCard>
  );
  const sources = <CitedSources record={record} deals={deals} />;
  const isShort =
    type === 'rounds'
      ? !isGrant(record) && (rounds?.total ?? 0) <= 1 && backersOf([record]).length === 0
      : !hasRounds && linkedCount(related) < LINKED_MIN;
  return (
    <>
      <KeyFigures
        record={record}
        totals={new Map(related.flatMap(({ list, total, isPart }) => (isPart ? [] : [[list.name, total]])))}
        rounds={rounds?.records}
        statistics={rounds?.statistics}
        organisations={listIn(related, 'companies')}
        events={listIn(related, 'events')}
        editions={listIn(related, 'editions')}
      />
      {type === 'investors' && hasRounds && !onlyGrants(rounds) ? (
        <p class="hint under">
          Counts are lower bounds: unannounced rounds are missing, and sources list at most {INVESTORS_LISTED_MAX}{' '}
          investors of a round beside its leads.
        </p>
      ) : null}
      <div class="profile">
        <div>
          <Overview record={record} />
          {isShort ? facts : null}
          {type === 'rounds' && !isGrant(record) ? <Backers rounds={[record]} all="" total={0} /> : null}
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
          {isShort ? sources : null}
        </div>
        {isShort ? null : <aside aria-label="Facts">{facts}</aside>}
        <aside aria-label="Use and sources">
          {type === 'rounds' || related.length === 0 ? null : (
            <Card>
              <ConnectForm record={record} />
            </Card>
          )}
          <UseThisRecord {...props} />
          {isShort ? null : sources}
        </aside>
      </div>
    </>
  );
}

/** Fields of which the line below the name, or the key figures, say as much. */
const ELSEWHERE: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  events: ['location_json'],
  rounds: ['company', 'investors', 'announcement'],
};

/** With fewer linked records, facts and sources are what a page is about, and stand in its main column. */
const LINKED_MIN = 4;

const linkedCount = (related: readonly Related[]): number =>
  related.filter(({ list }) => list.computed === undefined).reduce((sum, { total }) => sum + total, 0);

interface RoundsProps extends Pick<ProfileProps, 'record' | 'related'> {
  readonly rounds: Related;
}

function Rounds({ record, rounds, related }: RoundsProps) {
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
        {rounds.isTold ? null : <RelatedCard record={record} related={rounds} />}
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
function listOf(searchAt: string, record: RecordData, { year, led, joined }: RoundStatistics['years'][number]): string {
  const { slug } = record;
  const period = { from: String(year), to: String(year), ...(led + joined === 0 && { funding_stage: GRANT }) };
  return `${searchAt}?${new URLSearchParams({ type: 'rounds', investor: slug, ...period })}`;
}

/** The record as JSON, as an API call and as a citation. */
function UseThisRecord({ record, url }: Pick<ProfileProps, 'record' | 'url'>) {
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

function Overview({ record }: { record: RecordData }) {
  const text = overviewOf(record);
  if (text === '') return null;
  return (
    <Card title="Overview">
      <p class="prose">{text}</p>
    </Card>
  );
}

/** An overview with fewer words of its own only repeats facts. */
const REST_MIN = 60;
const SENTENCES = /(?<=\.) /;

/** The overview of a record, unless it says little more than the line below its name. */
function overviewOf({ name, overview, tagline, headline, tags }: RecordData): string {
  const text = String(overview ?? '');
  const said = wordsOf(`${name} ${tagline ?? headline ?? ''} ${tags ?? ''} is a an the for of also listed under`);
  const rest = text.split(SENTENCES).filter((sentence) => [...wordsOf(sentence)].some((word) => !said.has(word)));
  return rest.length < text.split(SENTENCES).length && rest.join(' ').length < REST_MIN ? '' : text;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
