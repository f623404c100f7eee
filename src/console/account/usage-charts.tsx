import { DAY_MS, utcDay } from '../../contract/periods.ts';
import { countText } from '../../contract/value-text.ts';
import type { DayCount } from '../../store/port/request-log.ts';
import { BarChart, ChartTable, Legend, type Series } from '../charts.tsx';
import { row } from '../components.tsx';

/** Keys with their own colour; the others are combined. */
const KEYS_MAX = 5;

export function daysBack(now: Date, days: number): readonly string[] {
  return Array.from({ length: days }, (_, index) => utcDay(new Date(now.getTime() - (days - 1 - index) * DAY_MS)));
}

export interface DaySeries extends Series {
  readonly values: ReadonlyMap<string, number>;
}

const CLASSES = [
  [2, 'Answered (2xx)', 'good'],
  [3, 'Not modified (3xx)', 'info'],
  [4, 'Refused or not found (4xx)', 'warn'],
  [5, 'Failed (5xx)', 'bad'],
] as const;

export function classSeries(counts: readonly DayCount[]): readonly DaySeries[] {
  return CLASSES.map(([status, label, colour]) => ({
    label,
    colour,
    values: sumByDay(counts.filter(({ status_class }) => status_class === status)),
  })).filter(({ values }) => values.size > 0);
}

export function keySeries(counts: readonly DayCount[]): readonly DaySeries[] {
  const totals = new Map<number, { name: string; total: number }>();
  for (const { key_id, key_name, requests } of counts)
    totals.set(key_id, { name: key_name, total: (totals.get(key_id)?.total ?? 0) + requests });
  const order = [...totals].sort(([, a], [, b]) => b.total - a.total);
  const isTwice = (name: string): boolean => order.filter(([, each]) => each.name === name).length > 1;
  const some = order.slice(0, KEYS_MAX).map(([id, { name }], index) => ({
    // A rotated key keeps the name of its predecessor.
    label: isTwice(name) ? `${name} (${id})` : name,
    colour: `key-${index}`,
    values: sumByDay(counts.filter(({ key_id }) => key_id === id)),
  }));
  const rest = new Set(order.slice(KEYS_MAX).map(([id]) => id));
  if (rest.size === 0) return some;
  return [
    ...some,
    { label: 'Others', colour: 'plain', values: sumByDay(counts.filter(({ key_id }) => rest.has(key_id))) },
  ];
}

function sumByDay(counts: readonly DayCount[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { day, requests } of counts) sums.set(day, (sums.get(day) ?? 0) + requests);
  return sums;
}

interface DayChartProps {
  readonly id: string;
  readonly label: string;
  readonly days: readonly string[];
  readonly series: readonly DaySeries[];
  readonly format?: (value: number) => string;
}

const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function DayChart({ id, label, days, series, format = countText }: DayChartProps) {
  const rows = days.map((day) => ({ day, values: series.map(({ values }) => values.get(day) ?? 0) }));
  const bars = rows.map(({ day, values }) => ({
    label: DAY_TEXT.format(new Date(day)),
    parts: values,
    title: [
      day,
      ...series.map((one, index) => `${one.label}: ${format(values[index] ?? 0)}`).filter((_, index) => values[index]),
    ].join('\n'),
  }));
  const labels = series.map((one) => one.label);
  return (
    <figure class="chart" id={id}>
      <figcaption>{label}</figcaption>
      <BarChart label={`${label}; the table below has the same figures`} {...{ bars, series, format }} />
      <Legend series={series} />
      <ChartTable label={label} head={['Day', ...labels]} numbers={labels} look="">
        {rows
          .filter(({ values }) => values.some((value) => value > 0))
          .reverse()
          .map(({ day, values }) => {
            const name = (
              <th scope="row" class="nowrap">
                {day}
              </th>
            );
            return row(day, name, ...values.map(format));
          })}
      </ChartTable>
    </figure>
  );
}
