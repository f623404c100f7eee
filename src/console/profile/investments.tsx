import { countsText, kindsOf } from '../../contract/rounds.ts';
import { countText } from '../../contract/value-text.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { BarChart, ChartTable, Legend } from '../charts.tsx';
import { Card, namedRow } from '../components.tsx';
import type { RoundStatistics } from '../data/round-statistics.ts';

/** Fewer rounds are not worth a chart. */
const DRAWN_MIN = 5;
const STAGES_MAX = 4;

const SERIES = [
  { of: 'led', label: 'led', colour: 'key-0' },
  { of: 'joined', label: 'joined', colour: 'key-1' },
  { of: 'grants', label: 'grants', colour: 'key-2' },
] as const;

interface InvestmentsProps {
  readonly statistics: RoundStatistics;
  readonly listOf?: (year: RoundStatistics['years'][number]) => string;
}

export function InvestmentsByYear({ statistics, listOf }: InvestmentsProps) {
  const { rounds, grants, years, stages } = statistics;
  if (rounds + grants < DRAWN_MIN || years.length === 0) return null;
  const series = SERIES.filter(({ of }) => years.some((year) => year[of] > 0));
  const bars = years.map((year) => ({
    label: String(year.year),
    parts: series.map(({ of }) => year[of]),
    to: series.some(({ of }) => year[of] > 0) ? listOf?.(year) : undefined,
    title: `${year.year}: ${series.map(({ of, label }) => `${label} ${countText(year[of])}`).join(', ')}`,
  }));
  const title = `${kindsOf(statistics)} by year`;
  const dated = years.reduce((sum, { led, joined, grants: given }) => sum + led + joined + given, 0);
  const undated = rounds + grants - dated;
  const most = stages.slice(0, STAGES_MAX).map(([stage, count]) => `${vocabularyLabel(stage)} ${countText(count)}`);
  return (
    <Card title={title}>
      <BarChart label={`${title}; the table has the same figures`} bars={bars} series={series} format={countText} />
      {series.length > 1 ? <Legend series={series} /> : null}
      <p class="muted">
        {countsText(statistics)}
        {undated > 0 ? `, ${countText(undated)} of them without a date` : ''}.
        {rounds > 1 && most.length > 0 ? ` Most frequent stages: ${most.join(', ')}.` : ''}
      </p>
      <ChartTable
        label={title}
        head={['Year', ...series.map(({ label }) => HEADS[label])]}
        numbers={series.map(({ label }) => HEADS[label])}
        look=""
      >
        {years
          .toReversed()
          .map((year) => namedRow(year.year, year.year, ...series.map(({ of }) => countText(year[of]))))}
      </ChartTable>
    </Card>
  );
}

const HEADS = { led: 'Led', joined: 'Joined', grants: 'Grants' } as const;
