import { type AggregateData, aggregateQuery, checkAggregate } from '../../contract/aggregate.ts';
import { partOfPeriod, statedText } from '../../contract/day-text.ts';
import type { RecordData, RecordType } from '../../contract/entities/index.ts';
import { pickFilters } from '../../contract/filters.ts';
import { statedValue } from '../../contract/periods.ts';
import { amountText, dayOf, fundingNote, leadsOf } from '../../contract/record-texts.ts';
import { countsText, leadNames, namedIn } from '../../contract/rounds.ts';
import { unsourcedByRow } from '../../contract/sample-notes.ts';
import { parseSort } from '../../contract/sorts.ts';
import { isUnsourced, ledMark, UNSOURCED } from '../../contract/unsourced.ts';
import { shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { NO_GRANTS, stageOfCompany, TOKEN_SALES, vocabularyLabel } from '../../contract/vocabulary.ts';
import type { Records } from '../../store/port/records.ts';
import { BarChart, Legend, splitOf } from '../charts.tsx';
import { CallText, Card, Link, NoRecords, SmallLink } from '../components.tsx';
import { UnsourcedNote } from '../data/aggregate-figures.tsx';
import { noteFunding } from '../data/funding-notes.ts';
import {
  ALL,
  type FilterTexts,
  GRANTS,
  KINDS,
  kindPath,
  ROUNDS,
  type SearchKind,
  typed,
} from '../data/parsed-search.ts';
import { readFirst } from '../data/read-records.ts';
import { RecordItem } from '../data/related.tsx';
import { companiesOf, countByKind, newestRoundDate, ONLY_GRANTS, readFundingRounds } from '../data/round-statistics.ts';
import { Figures } from '../lists.tsx';
import { RoundTable } from '../profile/round-table.tsx';
import { EXAMPLE_QUESTIONS } from './example-questions.ts';
import { SearchBox } from './frame.tsx';
import type { PublicDeps, PublicPage } from './send-page.ts';
import { Costs, WaysIn } from './ways-in.tsx';

export const LANDING_DESCRIPTION =
  'Companies, people, investors, events and funding rounds of Web3, each record with the sources of its facts: for agents over MCP, for programs over REST, for people here.';

export async function landingPage({ store, publicUrl: url, publicPages }: PublicDeps): Promise<PublicPage> {
  const held = publicPages ? await readLandingData(store.records) : undefined;
  return {
    title: 'Web3 business intelligence for agents',
    description: LANDING_DESCRIPTION,
    body: <Landing url={url} held={held} />,
  };
}

type LandingData = Awaited<ReturnType<typeof readLandingData>>;

interface Question {
  readonly question: string;
  readonly asked: FilterTexts & { readonly type: RecordType; readonly query?: string; readonly sort: string };
  readonly textOf: (record: RecordData) => string;
}

const SHOWN = 4;
const NEWEST_SHOWN = 5;

async function readLandingData(records: Records) {
  const counts = await countByKind(records);
  const { rounds: newest } = await readFundingRounds(records, NEWEST_SHOWN);
  const answers = await Promise.all(
    questionsOf(newest).map(async (question) => ({ ...question, records: await first(records, question) })),
  );
  return {
    counts: KINDS.flatMap((kind) =>
      kind.type === ALL ? [] : [[kind, counts[kind === GRANTS ? 'grants' : (kind.type as RecordType)]] as const],
    ),
    answers: answers.filter((answer) => answer.records.length > 0),
    years: await readYears(records),
    newest,
    newestGrant: await newestRoundDate(records, ONLY_GRANTS),
    companies: await companiesOf(records, newest),
  };
}

const YEARS = { of: 'rounds', group_by: ['year'], measure: ['sum', 'count'], order: '-year', top: 100 };
const YEARS_QUESTION = 'How much funding was announced each year?';
const YEARS_ADDRESS = `aggregate?of=rounds&group_by=year&measure=sum&funding_stage=${NO_GRANTS}`;

async function readYears(records: Records) {
  const read = (stage: string) => {
    const query = aggregateQuery.parse({ ...YEARS, funding_stage: stage });
    return records.aggregate({ ...checkAggregate(query), filters: pickFilters(query) });
  };
  const [all, tokens] = await Promise.all([read(NO_GRANTS), read(TOKEN_SALES.join('|'))]);
  const { rows, covered } = all;
  const unsourced = unsourcedByRow(all);
  const unsourcedUsd = ({ covered }: AggregateData, row: number): number =>
    Number(covered.unsourced_by_row?.[row] ?? 0);
  const soldIn = new Map(tokens.rows.map(([year, sum], row) => [year, [Number(sum), unsourcedUsd(tokens, row)]]));
  const bars = rows.flatMap(([year = null, sum, rounds], row) => {
    if (year === null) return [];
    const [sold = 0, soldUnsourced = 0] = soldIn.get(year) ?? [];
    const part = joinTexts(
      '',
      sold > 0 && `, ${shortMoney(sold)} of it in token sales`,
      unsourced?.[row] && `, ${unsourced[row]} of it ${UNSOURCED}`,
    );
    return {
      label: String(year),
      detail: countText(Number(rounds)),
      parts: [...splitOf(Number(sum) - sold, unsourcedUsd(all, row) - soldUnsourced), ...splitOf(sold, soldUnsourced)],
      title: `${joinTexts(' ', year, partOfPeriod(String(year), covered.to))}: ${shortMoney(Number(sum))} in ${countsText({ rounds: Number(rounds), grants: 0 })}${part}`,
    };
  });
  return { bars: bars.toReversed(), data: all };
}

const funding = (record: RecordData): string =>
  isBlank(record['total_funding_usd'])
    ? ''
    : joinTexts(', ', `${shortMoney(Number(record['total_funding_usd']))} known funding`, fundingNote(record));

/** Questions whose answers are of the last years on record, as far as dates are known. */
function questionsOf([newest]: readonly RecordData[]): readonly Question[] {
  const since = Number(String(newest?.['announced_date'] ?? '').slice(0, 4)) - 1;
  return since > 0 ? [largestSince(String(since)), ...QUESTIONS] : QUESTIONS;
}

const largestSince = (from: string): Question => ({
  question: `Which rounds were the largest since ${from}?`,
  asked: { type: 'rounds', funding_stage: NO_GRANTS, from, sort: '-amount_usd' },
  textOf: (round) =>
    joinTexts(' · ', amountText(round), dayOf(round), leadsOf(round, 'led by '), isUnsourced(round) && UNSOURCED),
});

const QUESTIONS: readonly Question[] = [
  {
    question: 'Who leads the most rounds?',
    asked: { type: 'investors', sort: '-lead_count' },
    textOf: (record) =>
      `${countText(Number(record['lead_count'] ?? 0))} led${ledMark(record)} of ${countText(Number(record['investments_count'] ?? 0))} known rounds`,
  },
  {
    question: 'Which zero-knowledge companies are best funded?',
    asked: { type: 'companies', query: 'zero knowledge', sort: '-total_funding_usd' },
    textOf: (record) => {
      const stage = stageOfCompany(record);
      return joinTexts(' · ', funding(record), isBlank(stage) ? '' : vocabularyLabel(String(stage)));
    },
  },
];

async function first(records: Records, { asked: { type, query = '', sort, ...given } }: Question) {
  const asked = { types: [type], text: query, filters: pickFilters(typed(given)), sort: parseSort([type], sort) };
  return noteFunding(records, (await readFirst(records, SHOWN, asked)).found);
}

function Landing({ url, held }: { url: string; held: LandingData | undefined }) {
  const isEmpty = held?.counts.every(([, records]) => records === 0);
  return (
    <div class="landing">
      <section class="hero">
        <div>
          <h1>Web3 business intelligence, made for agents</h1>
          <p class="lead">
            Companies, people, investors, events and funding rounds. Every record lists the sources of its facts, and
            says which of them only this project’s editors state. Ask over MCP, over REST, or here.
          </p>
          {held === undefined ? null : <SearchBox text="" isLarge />}
          {held === undefined || isEmpty ? null : (
            <ul class="chips">
              {EXAMPLE_QUESTIONS.map(({ question, path }) => (
                <li key={question}>
                  <Link to={path}>{question}</Link>
                </li>
              ))}
            </ul>
          )}
        </div>
        {held?.newest[0] === undefined ? null : <AgentAnswer round={held.newest.find(isCited) ?? held.newest[0]} />}
      </section>
      {held === undefined ? null : isEmpty ? (
        <div class="card">
          <NoRecords />
        </div>
      ) : (
        <Counts {...held} />
      )}
      {held === undefined || held.newest.length === 0 ? null : (
        <Card title="Newest rounds" action={<SmallLink to="/search?type=rounds">All rounds</SmallLink>}>
          <RoundTable rounds={held.newest} companies={held.companies} label="Newest rounds" isShort />
        </Card>
      )}
      {held === undefined || held.answers.length === 0 ? null : <Examples {...held} />}
      <WaysIn url={url} />
      <Costs hasPages={held !== undefined} />
    </div>
  );
}

function Counts(data: Pick<LandingData, 'counts' | 'newest' | 'newestGrant'>) {
  const { counts, newestGrant } = data;
  const [newest] = data.newest;
  const announced = newest && statedValue(newest, 'announced_date');
  const dates = new Map<SearchKind, string | undefined>([
    [ROUNDS, typeof announced === 'string' ? announced : undefined],
    [GRANTS, newestGrant],
  ]);
  const figures = counts.map(([kind, records]) => ({
    label: kind.label,
    value: countText(records),
    links: [{ name: kind.label, to: kindPath(kind) }],
    ...(dates.get(kind) !== undefined && { note: `to ${statedText(dates.get(kind) ?? '')}` }),
  }));
  return (
    <>
      <Figures figures={figures} />
      <p class="hint">
        <Link to="/coverage">What is covered</Link>: how much is known of each kind, how recent it is, and what is not
        held.
      </p>
    </>
  );
}

const isCited = (round: RecordData): boolean =>
  !isBlank(round['announcement']) && !isBlank(round['amount_usd']) && namedIn(round, 'lead_investors').length > 0;

function AgentAnswer({ round }: { round: RecordData }) {
  const { name: company = round.name } = (round['company'] ?? {}) as Partial<RecordData>;
  const leads = leadNames(round);
  const fields = [
    ['name', round.name],
    ['announced_date', round['announced_date']],
    ['amount_usd', round['amount_usd']],
    ['lead_investors', leads],
    ['announcement', round['announcement']],
  ].filter(([, value]) => !isBlank(value));
  return (
    <figure class="agent">
      <figcaption>What an agent asks, and gets</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>
          <b>search</b> {JSON.stringify({ type: 'rounds', query: company })}
          {fields.map(([field, value]) => (
            <span key={String(field)}>
              <i>{String(field)}</i>
              {[value].flat().join(', ')}
            </span>
          ))}
        </code>
      </pre>
      <p class="muted">
        <Link to={`/rounds/${round.slug}`}>This record</Link>, with its sources, as people see it.
      </p>
    </figure>
  );
}

const KINDS_OF_AMOUNTS = [
  { label: 'equity and other rounds', colour: 'key-0' },
  { label: 'token sales', colour: 'key-1' },
];
const AMOUNTS = KINDS_OF_AMOUNTS.flatMap((kind) => [kind, { ...kind, colour: `${kind.colour} unsourced` }]);

function Examples({
  answers,
  years: { bars, data },
  newest: [newest],
}: Pick<LandingData, 'answers' | 'years' | 'newest'>) {
  const last = bars.at(-1)?.label ?? '';
  const part = partOfPeriod(last, String(newest && statedValue(newest, 'announced_date')));
  return (
    <section>
      <h2>Questions, answered from these records</h2>
      {bars.length === 0 ? null : (
        <article class="card">
          <h3>
            <Link to="/search/aggregate?of=rounds&group_by=year&measure=sum">{YEARS_QUESTION}</Link>
          </h3>
          <p class="muted">
            Known amounts of the funding rounds on record here, in US dollars, without grants: not the whole market.
            Below each year, the number of its rounds{part === undefined ? '' : `; ${last} is ${part}`}.
            <UnsourcedNote data={data} sourcedAt={`/search/${YEARS_ADDRESS}&sourced=true`} />
          </p>
          <BarChart label="Funding announced by year" bars={bars} series={AMOUNTS} format={shortMoney} />
          <Legend series={[...KINDS_OF_AMOUNTS, { label: UNSOURCED, colour: 'plain unsourced' }]} />
          <p class="call">
            <CallText>{`/api/v1/${YEARS_ADDRESS}`}</CallText>
          </p>
        </article>
      )}
      <div class="examples">
        {answers.map(({ question, asked, records, textOf }) => (
          <article key={question} class="card">
            <h3>
              <Link to={`/search?${new URLSearchParams(asked)}`}>{question}</Link>
            </h3>
            <ol class="related">
              {records.map((record) => (
                <RecordItem key={record.id} record={record}>
                  {textOf(record)}
                </RecordItem>
              ))}
            </ol>
            <p class="call">
              <CallText>{`/api/v1/search?${new URLSearchParams(asked)}`}</CallText>
            </p>
          </article>
        ))}
      </div>
    </section>
  );
}
