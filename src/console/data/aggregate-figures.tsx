import type { ComponentChildren, VNode } from 'preact';
import type { AggregateData } from '../../contract/aggregate.ts';
import { cellName } from '../../contract/aggregate-rows.ts';
import { partOfPeriod } from '../../contract/day-text.ts';
import { PERIODS, yearsBetween } from '../../contract/periods.ts';
import { unsourcedByRow, unsourcedSentence } from '../../contract/sample-notes.ts';
import { isNotable, UNSOURCED, unsourcedText } from '../../contract/unsourced.ts';
import { shortMoney } from '../../contract/usd.ts';
import { counted, countText } from '../../contract/value-text.ts';
import { FUNDING_STAGES, labelOf } from '../../contract/vocabulary.ts';
import { BarChart, Legend, type Series, splitOf } from '../charts.tsx';
import { Link, namedRow, row, Table } from '../components.tsx';
import { coveredText, type Worded } from './aggregate-words.ts';

export type Cell = AggregateData['rows'][number][number];

const COLOURS = ['key-0', 'key-1', 'key-2', 'key-3', 'key-4'];

interface FiguresProps extends Worded {
  /** How many of the measures to show, by default all. */
  readonly measures?: number;
  /** Whether its periods are some that are compared, so that nothing is known of those between them. */
  readonly isComparison?: boolean;
  /** The address of the same without what only the editors of the data set state. */
  readonly sourcedAt?: string | undefined;
  readonly children: (group: string, cell: Cell) => VNode;
}

/** Maximum rows of a table of one group, and cells of one of pairs; the CSV has all. */
const ROWS_MAX = 100;
const PAIR_CELLS_MAX = 115;

export function AggregateFigures(props: FiguresProps) {
  const { groups, data, isDated = true, isComparison = false } = props;
  const { measures = data.columns.length - groups.length } = props;
  const [measure = '', second = ''] = data.columns.slice(groups.length, groups.length + measures);
  // Medians and averages are not additive, so they are not stacked.
  const isWhole = groups.length === 1 || isAdditive(measure);
  const matrix = matrixOf(props);
  const isCrossed =
    isWhole &&
    groups.length > 1 &&
    (measures === 1 || (measures === 2 && isAdditive(second))) &&
    data.groups <= data.rows.length;
  const isDrawn = isWhole && matrix.isSummed && PERIODS.includes(groups[0] ?? '') && matrix.down.length > 1;
  return (
    <>
      {isDrawn ? <Chart {...{ matrix, measure, isComparison }} to={isDated ? data.covered.to : null} /> : null}
      <p class="muted">
        {coveredText(props, isCrossed ? data.rows.length : Math.min(data.rows.length, rowsMax(groups, data)))}
        <UnsourcedNote data={data} sourcedAt={props.sourcedAt} />
        {measures === 1 || isCrossed
          ? ''
          : ` The bars show the ${labelOf(measure).replace(' (USD)', '').toLowerCase()}.`}
      </p>
      {isCrossed ? (
        <CrossTable {...props} {...{ matrix, measure, second }} />
      ) : (
        <Rows {...props} {...{ isWhole, isDrawn }} />
      )}
    </>
  );
}

/** Whether the figures of several groups may be added. */
const isAdditive = (measure: string): boolean => /^(count$|sum_)/.test(measure);

const rowsMax = (groups: readonly string[], { columns }: AggregateData): number =>
  groups.length > 1 ? Math.floor(PAIR_CELLS_MAX / columns.length) : ROWS_MAX;

type UnsourcedProps = Pick<FiguresProps, 'sourcedAt'> & { readonly data: Pick<AggregateData, 'columns' | 'covered'> };

/** How much of an aggregate only the editors of the data set state; nothing for little. */
export function UnsourcedNote({ data: { columns, covered }, sourcedAt }: UnsourcedProps) {
  const of = columns.some((column) => column.endsWith('_total_funding_usd')) ? 'companies' : 'rounds';
  const sentence = unsourcedSentence(covered, of);
  if (sentence === undefined) return null;
  return (
    <>
      {' '}
      {sentence}
      {sourcedAt === undefined || of === 'companies' ? null : (
        <>
          {' '}
          (<Link to={sourcedAt}>leave that out</Link>)
        </>
      )}
      .
    </>
  );
}

const formatOf = (measure: string): ((value: number) => string) => (measure.endsWith('_usd') ? shortMoney : countText);

/** Columns of a group of periods, the latest ones, beside which others are summed up. */
const PERIODS_ACROSS = 8;

type Matrix = ReturnType<typeof matrixOf>;
type MatrixRow = Matrix['down'][number];

/** The first measure by the first group (rows) and the most frequent values, or latest periods, of the second (columns). */
function matrixOf({ groups, data }: FiguresProps) {
  const isSingle = groups.length === 1;
  const isInTime = PERIODS.includes(groups[1] ?? '');
  const down = new Map<string, { cell: Cell } & Record<'values' | 'unsourced' | 'seconds', Map<string, number>>>();
  const across = new Map<string, { cell: Cell; total: number }>();
  const isSum = data.columns[groups.length]?.startsWith('sum_') === true;
  for (const [place, row] of data.rows.entries()) {
    const [first, second] = [row[0] ?? null, isSingle ? '' : (row[1] ?? null)];
    const [label, column] = [cellName(first, groups[0] ?? ''), cellName(second, groups[1] ?? '')];
    const value = Number(row[groups.length] ?? 0);
    if (!down.has(label)) down.set(label, { cell: first, values: new Map(), unsourced: new Map(), seconds: new Map() });
    down.get(label)?.seconds.set(column, Number(row[groups.length + 1] ?? 0));
    down.get(label)?.values.set(column, value);
    down.get(label)?.unsourced.set(column, isSum ? Number(data.covered.unsourced_by_row?.[place] ?? 0) : 0);
    across.set(column, { cell: second, total: (across.get(column)?.total ?? 0) + value });
  }
  const isUnknown = ({ cell }: { cell: Cell }): number => (isSingle ? 0 : Number(cell === null));
  const most = [...across]
    .sort(([label, one], [later, other]) => {
      const order = isInTime ? Number(later > label) - Number(later < label) : other.total - one.total;
      return isUnknown(one) - isUnknown(other) || order;
    })
    .slice(0, isInTime ? PERIODS_ACROSS : COLOURS.length);
  if (isInTime) most.reverse();
  if (groups[1] === STAGE) most.sort(([, { cell: one }], [, { cell: other }]) => stagePlace(one) - stagePlace(other));
  // Of some groups, such as tags, a record has several values across.
  const isSummed = isSingle || isInTime || data.covered.overlapping === undefined;
  const hasOthers = isSummed && across.size > most.length;
  const shown = new Set(most.map(([label]) => label));
  const partsOf = (values: ReadonlyMap<string, number>): number[] => {
    const parts = most.map(([column]) => values.get(column) ?? 0);
    return hasOthers ? [...parts, Math.max(sum([...values.values()]) - sum(parts), 0)] : parts;
  };
  const isUnknownAmong = [...across].some(([label, { cell }]) => cell === null && !shown.has(label));
  const others = isUnknownAmong ? 'Others or unknown' : 'Others';
  const isOlder = isInTime && [...across.values()].every(({ cell }) => cell !== null);
  return {
    across: most.map(([label, { cell }], index) => ({ label, cell, colour: COLOURS[index] ?? 'plain' })),
    ...{ hasOthers, isSummed },
    /** Number of all known values, of which some are across. */
    columns: [...across.values()].filter(isKnown).length,
    /** What is not across. */
    rest: isOlder ? `Before ${most[0]?.[0]}` : others,
    down: [...down].map(([label, { cell, values, unsourced, seconds }]) => ({
      ...{ cell, label },
      ...{ parts: partsOf(values), unsourced: partsOf(unsourced), seconds: partsOf(seconds) },
    })),
  };
}

const isKnown = ({ cell }: { readonly cell: Cell }): boolean => cell !== null;

const STAGE = 'stage';

/** Where a stage stands in the order of stages; behind them what is not known. */
const stagePlace = (cell: Cell): number =>
  (FUNDING_STAGES as readonly Cell[]).indexOf(cell) + (cell === null ? 100 : 0);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const seriesOf = ({ across, hasOthers, rest }: Matrix): readonly Series[] =>
  hasOthers ? [...across, { label: rest, colour: 'plain' }] : across;

/** Of one group, how much of each bar has a page, and how much of it has none. */
const SOURCED: readonly Series[] = [
  { label: 'with a source', colour: 'key-0' },
  { label: UNSOURCED, colour: 'key-0 unsourced' },
];

interface ChartProps {
  readonly matrix: Matrix;
  readonly measure: string;
  readonly to: string | null;
  readonly isComparison: boolean;
}

function Chart({ matrix, measure, to, isComparison }: ChartProps) {
  const series = seriesOf(matrix);
  const isSplit = series.length === 1 && matrix.down.some(({ unsourced: [part = 0] }) => part > 0);
  const drawn = isSplit ? SOURCED : series;
  const format = formatOf(measure);
  const known = matrix.down.filter(isKnown);
  const bars = (isComparison ? known : withEmptyYears(known))
    .sort((one, other) => (one.label < other.label ? -1 : 1))
    .map(({ label, parts, unsourced }) => {
      const part = partOfPeriod(label, to);
      const values = series.map(({ label: name }, index) => {
        const value = parts[index] ?? 0;
        const mark = unsourcedText(unsourced[index] ?? 0, value);
        return `${name} ${format(value)}${mark && ` (${mark})`}`.trim();
      });
      return {
        ...{ label, title: [label, ...values].join('\n'), ...(part !== undefined && { detail: part }) },
        parts: isSplit ? splitOf(sum(parts), sum(unsourced)) : parts,
      };
    });
  return (
    <>
      <BarChart label="The groups as bars; the table has the same figures" {...{ bars, format }} series={drawn} />
      {drawn.length > 1 ? <Legend series={drawn} /> : null}
    </>
  );
}

const YEAR = /^\d{4}$/;

/** Bars of years, with those between them that have no records. */
function withEmptyYears(bars: readonly MatrixRow[]): Omit<MatrixRow, 'cell'>[] {
  if (!bars.every(({ label }) => YEAR.test(label))) return [...bars];
  const years = bars.map(({ label }) => Number(label));
  return yearsBetween(Math.min(...years), Math.max(...years)).map(
    (year) =>
      bars.find(({ label }) => label === String(year)) ?? {
        label: String(year),
        parts: [],
        unsourced: [],
        seconds: [],
      },
  );
}

/** Rows that a light page has room for. */
const CROSS_ROWS_MAX = 30;
/** The least share of a cell that is worth a mark; less of it is in the figure of all. */
const CELL_SHARE_MIN = 0.1;
const TOTAL = 'Total';

interface CrossProps extends FiguresProps {
  readonly matrix: Matrix;
  readonly measure: string;
  /** A measure below the first one; blank for none. */
  readonly second: string;
}

function CrossTable({ groups, nouns = 'records', children: draw, matrix, measure, second }: CrossProps) {
  const [first = '', other = ''] = groups;
  const format = formatOf(measure);
  const written = (value: number, unsourced = 0, below = 0): ComponentChildren => {
    const text = value === 0 ? '–' : format(value);
    const notes = [
      ...(isNotable(unsourced, value, CELL_SHARE_MIN) ? [`†${format(unsourced)}`] : []),
      ...(second === '' || below === 0 ? [] : [second === 'count' ? counted(below, nouns) : formatOf(second)(below)]),
    ];
    return notes.length === 0 ? text : [text, ...notes.map((note) => [' ', <small>{note}</small>])];
  };
  const isMarked = matrix.down.some(({ parts, unsourced }) =>
    parts.some((part, index) => isNotable(unsourced[index] ?? 0, part, CELL_SHARE_MIN)),
  );
  const heads = seriesOf(matrix).map(({ label }) => label);
  const totals = matrix.isSummed ? [TOTAL] : [];
  const largest = ({ parts: one }: MatrixRow, { parts: other }: MatrixRow): number => sum(other) - sum(one);
  const byStage = ({ cell: one }: MatrixRow, { cell: other }: MatrixRow): number => stagePlace(one) - stagePlace(other);
  const known = matrix.down.filter(isKnown);
  const sorted = PERIODS.includes(first) ? known : known.toSorted(first === STAGE ? byStage : largest);
  const down = [...sorted.slice(0, CROSS_ROWS_MAX), ...matrix.down.filter((row) => !isKnown(row))];
  const columns = matrix.across.filter(isKnown).length;
  return (
    <>
      {matrix.isSummed || matrix.columns === columns ? null : (
        <p class="muted">
          The {countText(columns)} largest of {countText(matrix.columns)} columns are shown; the CSV has all.
        </p>
      )}
      {known.length <= CROSS_ROWS_MAX ? null : (
        <p class="muted">
          The first {CROSS_ROWS_MAX} of {countText(known.length)} rows are shown; the CSV has all.
        </p>
      )}
      {isMarked ? <p class="muted">†: how much of it is {UNSOURCED}.</p> : null}
      <Table
        label="Figures"
        look="crossed"
        head={[labelOf(first), ...heads, ...totals]}
        numbers={[...heads, ...totals]}
        drawHead={(label, place) => {
          const column = matrix.across[place - 1];
          return column === undefined ? undefined : (
            <th key={label} scope="col" class="number">
              {draw(other, column.cell)}
            </th>
          );
        }}
      >
        {down.map(({ label, cell, parts, unsourced, seconds }) =>
          namedRow(
            label,
            draw(first, cell),
            ...parts.map((part, index) => written(part, unsourced[index], seconds[index])),
            ...totals.map(() => <td class="number main">{written(sum(parts), sum(unsourced), sum(seconds))}</td>),
          ),
        )}
      </Table>
    </>
  );
}

export const cellText = (cell: Cell): string | number | null =>
  typeof cell === 'object' && cell !== null ? cell.name : cell;

interface RowsProps extends FiguresProps {
  /** Whether the first measure of several groups is that of their records together. */
  readonly isWhole: boolean;
  readonly isDrawn: boolean;
}

function Rows({ groups, data, children: draw, isWhole, isDrawn }: RowsProps) {
  const measures = data.columns.slice(groups.length);
  const rows =
    PERIODS.includes(groups[0] ?? '') && groups[1] === STAGE
      ? data.rows.toSorted((one, other) =>
          one[0] === other[0] ? stagePlace(one[1] ?? null) - stagePlace(other[1] ?? null) : 0,
        )
      : data.rows;
  const values = rows.map((row) => Number(row[groups.length] ?? 0));
  const unsourced = unsourcedByRow(data);
  const marks = new Map(data.rows.map((cells, index) => [cells, unsourced?.[index]]));
  const marked = data.covered.unsourced?.sum === undefined ? /^count$/ : /^sum_/;
  const largest = Math.max(...values, 0);
  const counts = data.rows.map((row) => Number(row[data.columns.indexOf('count')] ?? 0));
  const isOnce = data.covered.overlapping === undefined && sum(counts) <= data.covered.records;
  const isComplete = data.groups <= data.rows.length && isOnce;
  const all = isWhole && isComplete && isAdditive(measures[0] ?? '') ? sum(values) : 0;
  const head = [...data.columns.map(labelOf), ...(all === 0 ? [] : [SHARE]), ...(isDrawn ? [] : [BAR])];
  return (
    <Table
      label="Figures"
      head={head}
      numbers={[...measures.map(labelOf), SHARE]}
      drawHead={(text) => (text === BAR ? BAR_HEAD : undefined)}
      look={groups.length > 1 || measures.length > PHONE_MEASURES_MAX ? 'stacks' : isDrawn ? 'drawn' : ''}
    >
      {rows.slice(0, rowsMax(groups, data)).map((cells, index) =>
        row(
          index,
          ...groups.map((group, place) => draw(group, cells[place] ?? null)),
          ...measures.map((measure, place) => (
            <>
              {figureText(cells[groups.length + place] ?? null, measure)}
              {marked.test(measure) && marks.get(cells) ? (
                <p class="muted">
                  {marks.get(cells)} {UNSOURCED}
                </p>
              ) : null}
            </>
          )),
          ...(all === 0 ? [] : [shareText((values[index] ?? 0) / all)]),
          ...(isDrawn ? [] : [barOf(largest === 0 ? 0 : (values[index] ?? 0) / largest)]),
        ),
      )}
    </Table>
  );
}

/** More columns of figures leave the page of a phone. */
const PHONE_MEASURES_MAX = 2;
const SHARE = 'Share';
const BAR = 'Beside the largest';
const BAR_HEAD = (
  <th key={BAR} scope="col" class="share">
    <span class="sr">{BAR}</span>
  </th>
);

const barOf = (share: number) => (
  <td class="share">
    <progress value={Math.round(share * 1000)} max="1000" aria-hidden="true" />
  </td>
);

const shareText = (share: number): string => (share > 0 && share < 0.01 ? '< 1%' : `${Math.round(share * 100)}%`);

const figureText = (cell: Cell, measure: string): string => (cell === null ? '–' : formatOf(measure)(Number(cell)));
