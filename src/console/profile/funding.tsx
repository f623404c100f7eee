import type { VNode } from 'preact';
import { Card, count, RecordLink } from '../components.tsx';
import { isBlank, money, type RecordData, spoken } from '../data/values.tsx';
import { type Bar, BarChart, ChartTable } from './charts.tsx';

interface Named {
  readonly name: string;
  readonly type?: string | null;
  readonly slug?: string | null;
}

const namesOf = (record: RecordData, field: string): readonly Named[] => (record[field] ?? []) as readonly Named[];
const dateOf = (round: RecordData): string => String(round['announced_date'] ?? '');
const amountOf = (round: RecordData): number => Number(round['amount_usd'] ?? 0);

/** Money in few letters: $1.2B, $45M, $300K. */
export function shortMoney(value: number): string {
  return value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  });
}

/** The rounds of a company by date: a chart, and every figure behind it in a table. */
export function FundingHistory({ rounds, total }: { rounds: readonly RecordData[]; total: number }): VNode | null {
  if (rounds.length === 0) return null;
  const byDate = rounds.toSorted((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1));
  const bars = byDate.map(barOf);
  const hasAmounts = byDate.some((round) => amountOf(round) > 0);
  return (
    <Card title="Funding history">
      {hasAmounts ? (
        <BarChart
          label="Amount of each known round; the table has the same figures"
          {...{ bars }}
          series={['one']}
          format={shortMoney}
        />
      ) : null}
      <p class="muted">
        {count(total)} known {total === 1 ? 'round' : 'rounds'}
        {rounds.length < total ? `, the first ${count(rounds.length)} shown` : ''}
        {hasAmounts ? '. A short grey mark is a round whose amount is not known.' : ', no amount disclosed.'}
      </p>
      <RoundTable rounds={byDate.toReversed()} />
    </Card>
  );
}

function barOf(round: RecordData): Bar {
  const amount = amountOf(round);
  const what = isBlank(round['stage']) ? 'Round' : spoken(String(round['stage']));
  return {
    label: dateOf(round).slice(0, 4),
    parts: [amount],
    isUnknown: amount === 0,
    title: `${what}, ${dateOf(round) || 'date not known'}: ${amount > 0 ? money(amount) : 'amount not known'}`,
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
          <td class="number">{amountOf(round) > 0 ? money(round['amount_usd']) : '–'}</td>
          <td>
            {namesOf(round, 'lead_investors')
              .map(({ name }) => name)
              .join(', ') || '–'}
          </td>
          <td>
            {isBlank(round['announcement']) ? (
              '–'
            ) : (
              <a href={String(round['announcement'])} rel="noreferrer noopener nofollow" target="_blank">
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

const SHOWN_INVESTORS_MAX = 40;

/** Everybody who took part in the rounds of a company, those that led first. */
export function Backers({ rounds }: { rounds: readonly RecordData[] }): VNode | null {
  const backers = backersOf(rounds);
  if (backers.length === 0) return null;
  return (
    <Card title="Investors">
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
      {backers.length > SHOWN_INVESTORS_MAX ? (
        <p class="muted">{count(backers.length - SHOWN_INVESTORS_MAX)} more in the rounds.</p>
      ) : null}
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
    const leads = new Set(namesOf(round, 'lead_investors').map(({ name }) => name));
    const all = [...namesOf(round, 'lead_investors'), ...namesOf(round, 'investors')];
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

/** What an investor did by year: rounds it led, and others that it joined. */
export function InvestmentsByYear({
  rounds,
  investor,
}: {
  rounds: readonly RecordData[];
  investor: string;
}): VNode | null {
  const dated = rounds.filter((round) => dateOf(round) !== '');
  if (dated.length === 0) return null;
  const years = yearsOf(dated, investor);
  const bars = years.map(({ year, led, joined }) => ({
    label: String(year),
    parts: [led, joined],
    title: `${year}: led ${led}, joined ${joined}`,
  }));
  return (
    <Card title="Investments by year">
      <BarChart
        label="Rounds by year; the table has the same figures"
        bars={bars}
        series={['one', 'two']}
        format={count}
      />
      <p class="muted">
        <span class="swatch one" /> led <span class="swatch two" /> joined. Of {count(dated.length)} known rounds with a
        date.
      </p>
      <ChartTable label="Rounds by year" head={['Year', 'Led', 'Joined']} numbers={['Led', 'Joined']}>
        {years.toReversed().map(({ year, led, joined }) => (
          <tr key={year}>
            <th scope="row">{year}</th>
            <td class="number">{count(led)}</td>
            <td class="number">{count(joined)}</td>
          </tr>
        ))}
      </ChartTable>
    </Card>
  );
}

/** Every year from the first to the last, also those with nothing. */
function yearsOf(
  rounds: readonly RecordData[],
  investor: string,
): readonly { year: number; led: number; joined: number }[] {
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
    if (namesOf(round, 'lead_investors').some(({ slug }) => slug === investor)) year.led += 1;
    else year.joined += 1;
  }
  return years;
}
