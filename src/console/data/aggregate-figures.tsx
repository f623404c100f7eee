import type { VNode } from 'preact';
import type { AggregateData } from '../../contract/aggregate.ts';
import { shortMoney } from '../../contract/usd.ts';
import { BarChart, Legend } from '../charts.tsx';
import { count } from '../components.tsx';
import { labelOf, spoken } from './values.tsx';

export type Cell = AggregateData['rows'][number][number];

export const PERIODS = ['year', 'quarter', 'month'];
const COLOURS = ['key-0', 'key-1', 'key-2', 'key-3', 'key-4'];

interface FiguresProps {
  /** Names of the first columns; the others are measures. */
  readonly groups: readonly string[];
  readonly data: AggregateData;
  /** Draws the value of a group. */
  readonly children: (group: string, cell: Cell) => VNode;
}

/** The answer of an aggregate: a chart where there is one to draw, what was counted, and the table of it. */
export function AggregateFigures(props: FiguresProps): VNode {
  return (
    <>
      <Chart {...props} />
      <p class="muted">{coveredText(props.data)}</p>
      <Rows {...props} />
    </>
  );
}

/** How the figures of a measure are written. */
const formatOf = (measure: string): ((value: number) => string) => (measure.endsWith('_usd') ? shortMoney : count);

/** The groups as bars: one a group, or stacked by the second group, whose most frequent values have a colour. */
function Chart({ groups, data }: FiguresProps): VNode | null {
  const measure = data.columns[groups.length] ?? '';
  const format = formatOf(measure);
  // Parts of a median or an average are no parts of a bar.
  const isStacked = groups.length > 1 && /^(count$|sum_)/.test(measure);
  if (!PERIODS.includes(groups[0] ?? '') || (groups.length > 1 && !isStacked)) return null;
  const totals = new Map<string, number>();
  const bars = new Map<string, Map<string, number>>();
  for (const row of data.rows) {
    if (row[0] === null || row[0] === undefined) continue;
    const [first, second] = [nameOf(row[0], groups[0] ?? ''), isStacked ? nameOf(row[1] ?? null, groups[1] ?? '') : ''];
    const value = Number(row[groups.length] ?? 0);
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

/** The value of a group as people write it. */
export const nameOf = (cell: Cell, group: string): string =>
  cell === null ? 'Not known' : isSpoken(group) ? spoken(String(cell)) : String(textOf(cell));

export const textOf = (cell: Cell): string | number | null =>
  typeof cell === 'object' && cell !== null ? cell.name : cell;

/** Whether the values of a group are words of a vocabulary, written for programs. */
const isSpoken = (group: string): boolean => /^(stage|funding_stage|investor_type|event_type)$/.test(group);

function coveredText({ covered, groups, rows }: AggregateData): string {
  const { records, unknown, from, to, grants } = covered;
  const span = from === null ? '' : `, ${from} to ${to}`;
  const lacking = unknown === 0 ? '' : ` ${count(unknown)} of them do not say.`;
  const more = groups > rows.length ? ` ${count(rows.length)} of ${count(groups)} groups are shown.` : '';
  const mixed = grants === undefined ? '' : ` ${count(grants)} of them are grants.`;
  return `${count(records)} records match${span}.${lacking}${mixed}${more}`;
}

/** Every group with its figures, the first of them also drawn as its share of the largest. */
function Rows({ groups, data, children: draw }: FiguresProps): VNode {
  const measures = data.columns.slice(groups.length);
  const largest = Math.max(...data.rows.map((row) => Number(row[groups.length] ?? 0)), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table" aria-label="Figures" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {data.columns.map((column, place) => (
              <th key={column} scope="col" class={place >= groups.length ? 'number' : undefined}>
                {labelOf(column)}
              </th>
            ))}
            <th scope="col">
              <span class="sr">Share of the largest</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, index) => {
            const width = largest === 0 ? 0 : (Number(row[groups.length] ?? 0) / largest) * 100;
            return (
              <tr key={index}>
                {groups.map((group, place) => (
                  <td key={group}>{draw(group, row[place] ?? null)}</td>
                ))}
                {measures.map((measure, place) => (
                  <td key={measure} class="number">
                    {figureText(row[groups.length + place] ?? null, measure)}
                  </td>
                ))}
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

const figureText = (cell: Cell, measure: string): string => (cell === null ? '–' : formatOf(measure)(Number(cell)));
