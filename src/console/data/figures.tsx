import type { VNode } from 'preact';
import { type AggregateData, isMoney, MEASURED_FIELD } from '../../contract/aggregate.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { shortMoney } from '../../contract/usd.ts';
import { BarChart, Legend } from '../charts.tsx';
import { count, Link, RecordLink } from '../components.tsx';
import { usePage } from '../context.ts';
import { labelOf, spoken } from './values.tsx';

type Cell = AggregateData['rows'][number][number];

/** A question for figures: what is counted or summed up, and by what. */
export interface Asked {
  readonly of: RecordType;
  readonly groups: readonly string[];
  readonly measure: string;
  readonly top: string;
  readonly given: Readonly<Record<string, string>>;
}

export const PERIODS = ['year', 'quarter', 'month'];

/** How the figures of a question are written. */
function formatOf({ of, measure }: Asked): (value: number) => string {
  return measure !== 'count' && isMoney(MEASURED_FIELD[of] ?? '') ? shortMoney : count;
}

const COLOURS = ['key-0', 'key-1', 'key-2', 'key-3', 'key-4'];

/** The groups as bars: one a group, or stacked by the second group, whose most frequent values have a colour. */
export function Chart({ asked, data }: { asked: Asked; data: AggregateData }): VNode | null {
  const { groups, measure } = asked;
  const format = formatOf(asked);
  // Parts of a median or an average are no parts of a bar.
  const isStacked = groups.length > 1 && ['count', 'sum'].includes(measure);
  if (!PERIODS.includes(groups[0] ?? '') || (groups.length > 1 && !isStacked)) return null;
  const totals = new Map<string, number>();
  const bars = new Map<string, Map<string, number>>();
  for (const row of data.rows) {
    if (row[0] === null || row[0] === undefined) continue;
    const [first, second] = [nameOf(row[0], groups[0] ?? ''), isStacked ? nameOf(row[1] ?? null, groups[1] ?? '') : ''];
    const value = Number(row.at(-1) ?? 0);
    bars.set(first, (bars.get(first) ?? new Map()).set(second, value));
    totals.set(second, (totals.get(second) ?? 0) + value);
  }
  const most = [...totals].sort(([, one], [, other]) => other - one).slice(0, COLOURS.length);
  const series = most.map(([label], index) => ({ label, colour: COLOURS[index] ?? 'plain' }));
  const hasOthers = totals.size > series.length;
  const all = hasOthers ? [...series, { label: 'Others', colour: 'plain' }] : series;
  const drawn = [...bars]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, values]) => {
      const parts = series.map((one) => values.get(one.label) ?? 0);
      const rest =
        [...values.values()].reduce((sum, value) => sum + value, 0) - parts.reduce((sum, part) => sum + part, 0);
      const texts = [...values].map(([name, value]) => `${name === '' ? label : name}: ${format(value)}`);
      return { label, parts: hasOthers ? [...parts, Math.max(rest, 0)] : parts, title: [label, ...texts].join('\n') };
    });
  return (
    <>
      <BarChart label="The groups as bars; the table has the same figures" bars={drawn} series={all} format={format} />
      {isStacked ? <Legend series={all} /> : null}
    </>
  );
}

/** A cell as data has it. */
export const textOf = (cell: Cell): string | number | null =>
  typeof cell === 'object' && cell !== null ? cell.name : cell;

const nameOf = (cell: Cell, group: string): string =>
  cell === null ? 'Not known' : isSpoken(group) ? spoken(String(cell)) : String(textOf(cell));

/** Whether the values of a group are words of a vocabulary, written for programs. */
const isSpoken = (group: string): boolean => /^(stage|funding_stage|investor_type|event_type)$/.test(group);

/** Every group with its figure, drawn as its share of the largest. */
export function Rows({ asked, data }: { asked: Asked; data: AggregateData }): VNode {
  const { groups } = asked;
  const format = formatOf(asked);
  const largest = Math.max(...data.rows.map((row) => Number(row.at(-1) ?? 0)), 0);
  const heads = [...groups.map(labelOf), labelOf(asked.measure)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table" aria-label="Figures" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={index} scope="col" class={index === groups.length ? 'number' : undefined}>
                {head}
              </th>
            ))}
            <th scope="col">
              <span class="sr">Share of the largest</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, index) => {
            const value = row.at(-1) ?? null;
            const width = largest === 0 ? 0 : (Number(value ?? 0) / largest) * 100;
            return (
              <tr key={index}>
                {groups.map((group, place) => (
                  <td key={group}>
                    <GroupText of={asked.of} group={group} cell={row[place] ?? null} />
                  </td>
                ))}
                <td class="number">{value === null ? '–' : format(Number(value))}</td>
                <td class="share">
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={Math.round(width * 10) / 10} height="10" />
                  </svg>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Groups that are values of a filter, with that filter. */
const FILTERS: Readonly<Record<string, FilterName>> = {
  stage: 'funding_stage',
  tag: 'tag',
  focus: 'tag',
  chain: 'chain',
  country: 'country',
  city: 'city',
  investor_type: 'investor_type',
  event_type: 'event_type',
};

/** A group: a record leads to its page, a value to the records that have it. */
function GroupText({ of, group, cell }: { of: RecordType; group: string; cell: Cell }): VNode {
  const { searchAt } = usePage();
  if (cell === null) return <span class="muted">Not known</span>;
  if (typeof cell === 'object')
    return (
      <RecordLink type={cell.type} slug={cell.slug}>
        {cell.name}
      </RecordLink>
    );
  const filter = FILTERS[group];
  const text = nameOf(cell, group);
  if (filter === undefined || !hasFilter(of, filter) || /[|:]/.test(text)) return <>{text}</>;
  return <Link to={`${searchAt}?${new URLSearchParams({ type: of, [filter]: String(cell) })}`}>{text}</Link>;
}
