import type { VNode } from 'preact';
import { shortMoney } from '../../contract/usd.ts';
import { type FundingStage, isRaised, spoken } from '../../contract/vocabulary.ts';
import { type Bar, BarChart, ChartTable, Legend, type Series } from '../charts.tsx';
import { Card, countText, Link, RecordLink } from '../components.tsx';
import { usePage } from '../context.ts';
import { isBlank, moneyText, type RecordData } from '../data/values.tsx';

interface Named {
  readonly name: string;
  readonly type?: string | null;
  readonly slug?: string | null;
}

export const namedIn = (record: RecordData, field: string): readonly Named[] =>
  (record[field] ?? []) as readonly Named[];
/** The lead investors of a round by name, after some words; blank if there is none. */
export function leadsOf(round: RecordData, before = ''): string {
  const names = namedIn(round, 'lead_investors').map(({ name }) => name);
  return names.length === 0 ? '' : before + names.join(', ');
}
const dateOf = (round: RecordData): string => String(round['announced_date'] ?? '');
const amountOf = (round: RecordData): number => Number(round['amount_usd'] ?? 0);

/** Maximum rounds in the chart and its table. */
const DRAWN_MAX = 16;
/** Up to this many bars show their stage. */
const NAMED_MAX = 6;

interface HistoryProps {
  readonly rounds: readonly RecordData[];
  readonly total: number;
  /** URL of the complete list. */
  readonly all: string;
}

export const isRaise = ({ stage }: RecordData): boolean => isRaised((stage ?? null) as FundingStage | null);

interface FundingProps extends HistoryProps {
  readonly title?: string;
  /** A round to highlight. */
  readonly current?: number;
}

/** The rounds of a company by date: a chart, and every figure behind it in a table. */
export function FundingHistory({ rounds, total, all, title = 'Funding history', current }: FundingProps): VNode {
  const byDate = rounds.toSorted((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1));
  const raised = byDate.filter(isRaise);
  // Grants are many and small: beside what was raised they would be dashes on the ground.
  const isOfRaised = raised.some((round) => amountOf(round) > 0);
  const drawn = (isOfRaised ? raised : byDate).slice(-DRAWN_MAX);
  // Rounds of a host's answer may have no id.
  const isCurrent = ({ id }: RecordData): boolean => current !== undefined && id === current;
  const hasAmounts = drawn.some((round) => amountOf(round) > 0);
  const others = byDate.filter((round) => !drawn.includes(round)).toReversed();
  const listed = [...drawn, ...others.slice(0, DRAWN_MAX - drawn.length)].toSorted((one, other) =>
    dateOf(one) > dateOf(other) ? -1 : 1,
  );
  return (
    <Card title={title} {...(total > listed.length && { action: <All to={all} total={total} /> })}>
      {hasAmounts ? (
        <BarChart
          label="Amount of each known round; the table has the same values"
          bars={drawn.map((round) => barOf(round, { isNamed: drawn.length <= NAMED_MAX, isCurrent: isCurrent(round) }))}
          series={AMOUNTS}
          format={shortMoney}
        />
      ) : null}
      {hasAmounts && drawn.some(isCurrent) ? <Legend series={AMOUNTS} /> : null}
      <p class="muted">
        {dealsText(rounds, total)}
        {hasAmounts ? '' : ', no amount disclosed'}
        {hasAmounts && others.length > 0 ? `; ${countText(drawn.length)} in the chart` : ''}.
        {hasAmounts && drawn.some((round) => amountOf(round) === 0)
          ? ' A short grey mark is a round whose amount is not known.'
          : ''}
      </p>
      <RoundTable rounds={listed} />
    </Card>
  );
}

/** Rounds by whether they raised money; grants and others are counted apart. */
export function countDeals(rounds: readonly RecordData[]): Readonly<Record<'rounds' | 'grants' | 'others', number>> {
  const raised = rounds.filter(isRaise).length;
  const grants = rounds.filter(({ stage }) => stage === 'grant').length;
  return { rounds: raised, grants, others: rounds.length - raised - grants };
}

/** The known rounds in words, such as `3 rounds, 14 grants`. */
function dealsText(rounds: readonly RecordData[], total: number): string {
  const known = (count: number, one: string): string => `${countText(count)} ${count === 1 ? one : `${one}s`}`;
  if (rounds.length < total) return known(total, 'known round');
  const { rounds: raised, grants, others } = countDeals(rounds);
  const parts = [raised && known(raised, 'known round'), grants && known(grants, 'grant')];
  return [...parts, others && known(others, 'other deal')].filter(Boolean).join(', ');
}

const AMOUNTS: readonly Series[] = [
  { label: 'amount', colour: 'key-0' },
  { label: 'this round', colour: 'key-2' },
];

function barOf(round: RecordData, { isNamed, isCurrent }: { isNamed: boolean; isCurrent: boolean }): Bar {
  const amount = amountOf(round);
  const year = dateOf(round).slice(0, 4);
  const stage = isBlank(round['stage']) ? '' : spoken(String(round['stage']));
  return {
    label: isNamed ? stage || year : year,
    ...(isNamed && stage !== '' && { detail: year }),
    parts: isCurrent ? [0, amount] : [amount],
    isUnknown: amount === 0,
    title: `${stage || 'Round'}, ${dateOf(round) || 'date not known'}: ${amount > 0 ? moneyText(amount) : 'amount not known'}${leadsOf(round, ', led by ')}`,
  };
}

function RoundTable({ rounds }: { rounds: readonly RecordData[] }): VNode {
  return (
    <ChartTable label="Funding rounds" head={['Date', 'Stage', 'Amount', 'Led by', 'Announced']} numbers={['Amount']}>
      {rounds.map((round) => (
        <tr key={round.id}>
          <td class="nowrap">
            <RecordLink type="rounds" slug={round.slug}>
              {dateOf(round) || 'Not known'}
            </RecordLink>
          </td>
          <td>{isBlank(round['stage']) ? '–' : spoken(String(round['stage']))}</td>
          <td class="number">{amountOf(round) > 0 ? moneyText(round['amount_usd']) : '–'}</td>
          <td>{leadsOf(round) || '–'}</td>
          <td>
            {isBlank(round['announcement']) ? (
              '–'
            ) : (
              <a href={String(round['announcement'])} rel="noreferrer nofollow">
                {hostOf(String(round['announcement']))}
              </a>
            )}
          </td>
        </tr>
      ))}
    </ChartTable>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address;
}

const SHOWN_INVESTORS_MAX = 30;

/** A link to the complete list. */
function All({ to, total }: { to: string; total: number }): VNode | null {
  if (!usePage().hasPages) return null;
  return (
    <Link to={to} class="button small">
      Show all {countText(total)}
    </Link>
  );
}

/** Participants of the rounds, lead investors first. */
export function Backers({ rounds, all }: { rounds: readonly RecordData[]; all: string }): VNode | null {
  const backers = backersOf(rounds);
  if (backers.length === 0) return null;
  return (
    <Card
      title="Investors"
      {...(backers.length > SHOWN_INVESTORS_MAX && { action: <All to={all} total={backers.length} /> })}
    >
      <ul class="backers">
        {backers.slice(0, SHOWN_INVESTORS_MAX).map(({ investor, led, joined }) => (
          <li key={investor.name}>
            {isBlank(investor.slug) ? (
              <span>{investor.name}</span>
            ) : (
              <RecordLink type={investor.type} slug={investor.slug}>
                {investor.name}
              </RecordLink>
            )}
            {led > 0 ? <span class="badge info">{led === 1 ? 'led' : `led ${led}`}</span> : null}
            {joined > 1 ? <span class="muted">{joined} rounds</span> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface Backer {
  readonly investor: Named;
  led: number;
  joined: number;
}

function backersOf(rounds: readonly RecordData[]): readonly Backer[] {
  const byName = new Map<string, Backer>();
  for (const round of rounds) {
    const leads = new Set(namedIn(round, 'lead_investors').map(({ name }) => name));
    const all = [...namedIn(round, 'lead_investors'), ...namedIn(round, 'investors')];
    for (const investor of new Map(all.map((one) => [one.name, one])).values()) {
      const backer = byName.get(investor.name) ?? { investor, led: 0, joined: 0 };
      backer.joined += 1;
      if (leads.has(investor.name)) backer.led += 1;
      byName.set(investor.name, backer);
    }
  }
  return [...byName.values()].toSorted(
    (one, other) =>
      other.led - one.led || other.joined - one.joined || (one.investor.name < other.investor.name ? -1 : 1),
  );
}

/** Fewer rounds are not worth a chart. */
export const DRAWN_MIN = 3;

/** Investments by year: rounds led, and other participations. The oldest year of a partial list is incomplete, so it is left out. */
export function InvestmentsByYear({
  rounds,
  total,
  investor,
}: Omit<HistoryProps, 'all'> & { readonly investor: RecordData }): VNode | null {
  const dated = rounds.filter((round) => dateOf(round) !== '');
  const isPartial = rounds.length < total;
  const years = yearsOf(dated, investor).slice(isPartial ? 1 : 0);
  if (years.length === 0) return null;
  const bars = years.map(({ year, led, joined }) => ({
    label: String(year),
    parts: [led, joined],
    title: `${year}: led ${led}, joined ${joined}`,
  }));
  return (
    <Card title="Investments by year">
      <BarChart label="Rounds by year; the table has the same figures" bars={bars} series={LED} format={countText} />
      <Legend series={LED} />
      <p class="muted">
        {isPartial
          ? `Whole years among the newest ${countText(rounds.length)} of ${countText(total)} known rounds.`
          : `${countText(dated.length)} of ${countText(total)} known rounds have a date. ${stagesText(rounds)}`}
      </p>
      <ChartTable label="Rounds by year" head={['Year', 'Led', 'Joined']} numbers={['Led', 'Joined']} isOfFigures>
        {years.toReversed().map(({ year, led, joined }) => (
          <tr key={year}>
            <th scope="row">{year}</th>
            <td class="number">{countText(led)}</td>
            <td class="number">{countText(joined)}</td>
          </tr>
        ))}
      </ChartTable>
    </Card>
  );
}

const LED: readonly Series[] = [
  { label: 'led', colour: 'key-0' },
  { label: 'joined', colour: 'key-1' },
];
const STAGES_MAX = 4;

/** The most frequent stages as text. */
function stagesText(rounds: readonly RecordData[]): string {
  const counts = new Map<string, number>();
  for (const { stage } of rounds) if (!isBlank(stage)) counts.set(String(stage), (counts.get(String(stage)) ?? 0) + 1);
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, STAGES_MAX);
  if (most.length === 0) return '';
  return `Most frequent stages: ${most.map(([stage, rounds]) => `${spoken(stage)} ${countText(rounds)}`).join(', ')}.`;
}

/** Every year of the range, including empty ones. */
function yearsOf(
  rounds: readonly RecordData[],
  investor: RecordData,
): readonly { year: number; led: number; joined: number }[] {
  if (rounds.length === 0) return [];
  const all = rounds.map((round) => Number(dateOf(round).slice(0, 4)));
  const first = Math.min(...all);
  const years = Array.from({ length: Math.max(...all) - first + 1 }, (_, index) => ({
    year: first + index,
    led: 0,
    joined: 0,
  }));
  for (const round of rounds) {
    const year = years[Number(dateOf(round).slice(0, 4)) - first];
    if (year === undefined) continue;
    if (namedIn(round, 'lead_investors').some(({ slug, type }) => slug === investor.slug && type === investor.type))
      year.led += 1;
    else year.joined += 1;
  }
  return years;
}
