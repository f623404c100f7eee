import { Link, Table, type TableProps } from './components.tsx';

export interface Bar {
  readonly label: string;
  /** A second line below the label. */
  readonly detail?: string;
  /** Stacked values from bottom to top, non-negative. */
  readonly parts: readonly number[];
  readonly title: string;
  /** An event with unknown value, drawn as a mark on the axis. */
  readonly isUnknown?: boolean;
  /** Where a bar of a chart in time stands, from 0 to 1. */
  readonly at?: number;
  readonly to?: string | undefined;
}

/** A segment shared by all bars. */
export interface Series {
  readonly label: string;
  /** Colour class: key-0 to key-4, good, warn, bad, info or plain. */
  readonly colour: string;
}

/** An amount as the part that has a page, and the part that has none. */
export const splitOf = (all: number, unsourced: number): readonly number[] => [
  Math.round((all - unsourced) * 100) / 100,
  unsourced,
];

interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Periods of the same length below bars that stand where they are in time; by default each bar has its label. */
  readonly periods?: readonly string[] | undefined;
}

const CENT_FRACTION = /\.\d{3}/;
const HEIGHT = 190;
const BOTTOM = 24;
const LINE = 15;
const TOP = 22;
/** Length of the mark at which a period begins. */
const MARK = 4;
const GAP_SHARE = 0.28;
/** Length of a text such as 30 Oct or Q1 2026. */
const PERIOD_LENGTH_MAX = 8;
/** In percent of the chart's width. */
const BAR_WIDTH_MAX = 9;
const BAR_WIDTH_IN_TIME = 2.4;
const GAP_IN_TIME = 0.4;
/** Widths in pixels, from that of a phone, from which on texts show that have room then: as the classes `at-1` and so on. */
const WIDTHS = [250, 480, 700, 960];
/** Height between a bar and the text above it. */
const ABOVE_BAR = 6;
/** Width of a letter, and the space between texts. */
const LETTER = 7.2;

/** A bar chart as SVG without script, with its table as accessible description. Positions are percentages, so that text does not scale. */
export function BarChart({ label, bars, series, format, periods }: BarChartProps) {
  const top = niceTop(Math.max(...bars.map(({ parts }) => sum(parts)), 0));
  const isInTime = periods !== undefined;
  const lines = !isInTime && bars.some(({ detail }) => detail !== undefined) ? LINE : 0;
  const ground = HEIGHT - BOTTOM - lines;
  const above = isInTime && bars.some((bar) => bar.label !== '') ? LINE : 0;
  const heightOf = (value: number): number => (top === 0 ? 0 : (value / top) * (ground - TOP - above));
  const room = 100 / Math.max(bars.length, 1);
  const width = isInTime ? BAR_WIDTH_IN_TIME : Math.min(room * (1 - GAP_SHARE), BAR_WIDTH_MAX);
  const places = isInTime ? apart(bars, (width + GAP_IN_TIME) / 100) : evenly(bars.length);
  const texts = bars.map(({ parts, label }) =>
    sum(parts) === 0 ? [] : [...(isInTime && label !== '' ? [label] : []), format(sum(parts))],
  );
  const shown = roomOf(
    bars.map(({ parts }, index) => ({
      ...{ lines: texts[index] ?? [], place: places[index] ?? 0, weight: sum(parts) },
      bar: { width: width / 100, height: heightOf(sum(parts)) },
    })),
  );
  return (
    <div class="chart">
      <svg
        class="bars"
        height={HEIGHT}
        role={bars.some(({ to }) => to !== undefined) ? 'group' : 'img'}
        aria-label={label}
      >
        {ticksOf(top, bars, format).map((value) => (
          <g key={value}>
            <line x2="100%" y1={round(ground - heightOf(value))} y2={round(ground - heightOf(value))} />
            <text class="tick" x="-8" y={round(ground - heightOf(value) + 4)}>
              {format(value)}
            </text>
          </g>
        ))}
        <Labels texts={periods?.map((label) => ({ label })) ?? bars} {...{ ground, lines, isInTime }} />
        {bars.map((bar, index) => {
          const drawn = (
            <svg key={index} x={percent((places[index] ?? 0) * 100 - width / 2)} width={percent(width)}>
              <title>{bar.title}</title>
              {bar.to === undefined ? null : <rect height={ground} />}
              <Stack {...{ bar, series, heightOf, ground }} />
              {shown[index] === undefined ? null : (
                <g class={`height${classAt(shown[index].from)}${EDGES[shown[index].anchor].name}`}>
                  {texts[index]?.toReversed().map((text, line) => (
                    <text
                      key={line}
                      x={EDGES[shown[index]?.anchor ?? 0].x}
                      y={round(ground - heightOf(sum(bar.parts)) - ABOVE_BAR - line * LINE)}
                    >
                      {text}
                    </text>
                  ))}
                </g>
              )}
            </svg>
          );
          return bar.to === undefined ? drawn : <Link to={bar.to}>{drawn}</Link>;
        })}
      </svg>
    </div>
  );
}

/** Values of the axis. Counts have no fractions on it. */
function ticksOf(top: number, bars: readonly Bar[], format: BarChartProps['format']): readonly number[] {
  const isWhole = bars.every(({ parts }) => parts.every(Number.isInteger));
  const half = top / 2;
  const hasHalf = isWhole ? Number.isInteger(half) : !CENT_FRACTION.test(format(half));
  return [...new Set(hasHalf ? [0, half, top] : [0, top])];
}

interface LabelsProps {
  readonly texts: readonly Pick<Bar, 'label' | 'detail'>[];
  readonly ground: number;
  readonly lines: number;
  /** Whether the texts are periods, each of which begins at a mark. */
  readonly isInTime: boolean;
}

/** The texts below the axis, evenly spaced, as many as have room, with a mark for each. */
function Labels({ texts, ground, lines, isInTime }: LabelsProps) {
  const places = evenly(texts.length);
  const written = texts.map(({ label, detail }) => (detail === undefined ? [label] : [label, detail]));
  // The only second line is in the way of no other.
  const linesMax = written.filter(({ length }) => length > 1).length === 1 ? 1 : 2;
  const room = Math.min(Math.max(...texts.map(({ label }) => label.length)), PERIOD_LENGTH_MAX);
  const shown = roomOf(
    written.map((lines, index) => ({
      // Of the same size, and first every eighth from the last on, then every fourth, so that equal steps are shown.
      lines: lines.slice(0, linesMax).map((line) => line.padEnd(room)),
      place: places[index] ?? 0,
      weight: powerOfTwoIn(texts.length - 1 - index),
    })),
  );
  return (
    <>
      {isInTime
        ? texts.map((_, index) => {
            const mark = percent((index / texts.length) * 100);
            return <line key={index} x1={mark} x2={mark} y1={ground} y2={ground + MARK} />;
          })
        : null}
      {written.map((text, index) =>
        shown[index] === undefined
          ? null
          : text.map((one, line) => (
              <text
                key={line}
                class={classAt(shown[index]?.from).trim() || undefined}
                x={percent((places[index] ?? 0) * 100)}
                y={HEIGHT - 7 - lines + line * LINE}
              >
                {one}
              </text>
            )),
      )}
    </>
  );
}

/** The greatest power of two that divides a number; of 0, above all others. */
const powerOfTwoIn = (value: number): number => value & -value || Infinity;

/** The class of what is not shown from the first width on. */
const classAt = (width: number | undefined): string => (width ? ` at-${width}` : '');

/** Shares of the width at which things stand that share it. */
const evenly = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => (index + 0.5) / count);

/** Where bars stand in time, in its order and beside each other. */
function apart(bars: readonly Bar[], space: number): readonly number[] {
  const placed: number[] = [];
  for (const { at = 0 } of bars) placed.push(Math.max(at, (placed.at(-1) ?? -space / 2) + space));
  for (let index = placed.length - 1, most = 1 - space / 2; index >= 0; index -= 1, most -= space)
    placed[index] = Math.min(placed[index] ?? 0, most);
  return placed;
}

/** Where a text stands at its bar: above its middle, or from one edge on, with its class and place. */
const EDGES = {
  [0]: { name: '', x: '50%' },
  [1]: { name: ' start', x: '0%' },
  [-1]: { name: ' end', x: '100%' },
} as const;
type Anchor = keyof typeof EDGES;
const MIDDLE: readonly Anchor[] = [0];
const ANCHORS: readonly Anchor[] = [0, 1, -1];
/** What a text may take of the space beside the chart, in pixels: on the left are the values of the axis. */
const BESIDE = { left: 4, right: 12 };

/** Lines of text at a place, of which those of more weight are shown first. */
interface Placed {
  readonly lines: readonly string[];
  readonly place: number;
  readonly weight: number;
  /** The bar below it, which may be in the way of a text above a lower one. */
  readonly bar?: { readonly width: number; readonly height: number };
}

/** From which width on a text is shown, and where. */
interface Shown {
  readonly from: number;
  readonly anchor: Anchor;
}

/**
 * From which width on each text has room beside those of more weight; undefined for one that never has. Of bars none is shown
 * while a higher one lacks room.
 */
function roomOf(texts: readonly Placed[]): readonly (Shown | undefined)[] {
  const byWeight = texts
    .map((text, index) => ({ ...text, index }))
    .filter(({ lines }) => lines.length > 0)
    .toSorted((one, other) => other.weight - one.weight || other.index - one.index);
  const shown = texts.map((): Shown | undefined => undefined);
  for (const [from, width] of WIDTHS.entries()) {
    const boxes = texts.flatMap((text, index) => {
      const known = shown[index];
      return known === undefined ? [] : [boxOf(text, width, known.anchor)];
    });
    let lacking = Number.NEGATIVE_INFINITY;
    for (const text of byWeight.filter(({ index }) => shown[index] === undefined)) {
      if (text.bar !== undefined && text.weight < lacking) break;
      const anchors = text.bar === undefined ? MIDDLE : ANCHORS;
      const anchor = anchors.find((each) => hasRoom(boxOf(text, width, each), { text, texts, boxes, width }));
      if (anchor === undefined) lacking = Math.max(lacking, text.weight);
      else {
        boxes.push(boxOf(text, width, anchor));
        shown[text.index] = { from, anchor };
      }
    }
  }
  return shown;
}

/** What a text takes of a chart of some width, in pixels, from the ground up. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

function boxOf({ lines, place, bar }: Placed, width: number, anchor: Anchor): Box {
  const size = (Math.max(...lines.map(({ length }) => length)) + 1) * LETTER;
  const middle = place * width + (anchor * (size - LETTER - (bar?.width ?? 0) * width)) / 2;
  const bottom = bar?.height ?? 0;
  return { left: middle - size / 2, right: middle + size / 2, bottom, top: bottom + lines.length * LINE };
}

interface Surroundings {
  readonly text: Placed;
  readonly texts: readonly Placed[];
  readonly boxes: readonly Box[];
  readonly width: number;
}

/** Whether a text is beside or above the others and all higher bars, and within the chart if it is of a bar. */
function hasRoom({ left, right, bottom, top }: Box, { text, texts, boxes, width }: Surroundings): boolean {
  const isBeside = (from: number, to: number): boolean => to <= left || from >= right;
  const isFree = (other: Box): boolean =>
    other.bottom >= top || other.top <= bottom || isBeside(other.left, other.right);
  if (!boxes.every(isFree)) return false;
  if (text.bar === undefined) return true;
  const isClear = ({ place, bar: { width: share, height } = { width: 0, height: 0 } }: Placed): boolean => {
    const half = (share * width - LETTER) / 2;
    return height <= bottom + ABOVE_BAR || isBeside(place * width - half, place * width + half);
  };
  return left + LETTER / 2 >= -BESIDE.left && right - LETTER / 2 <= width + BESIDE.right && texts.every(isClear);
}

interface StackProps {
  readonly bar: Bar;
  readonly series: BarChartProps['series'];
  readonly heightOf: (value: number) => number;
  readonly ground: number;
}

/** The segments of a bar; CSS sets their width. */
function Stack({ bar, series, heightOf, ground }: StackProps) {
  const last = bar.parts.length - 1;
  if (bar.isUnknown) return <rect class={last > 0 ? series[last]?.colour : 'unknown'} y={ground - 4} height={4} />;
  let below = 0;
  return (
    <>
      {bar.parts.map((part, index) => {
        if (part === 0) return null;
        const height = heightOf(part);
        below += height;
        return (
          <rect
            key={index}
            class={series[index]?.colour}
            y={round(ground - below)}
            height={round(Math.max(height, 1.5))}
          />
        );
      })}
    </>
  );
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul class="legend">
      {series.map(({ label, colour }) => (
        <li key={label}>
          <span class={`swatch ${colour}`} /> {label}
        </li>
      ))}
    </ul>
  );
}

/** The values of a chart as a collapsible table, without script. */
export function ChartTable(table: TableProps) {
  return (
    <details class="behind">
      <summary>As a table</summary>
      <Table {...table} />
    </details>
  );
}

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);
const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (value: number): string => `${round(value)}%`;

const STEPS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8];

/** The next round number whose half is round too. */
function niceTop(value: number): number {
  if (value <= 0) return 0;
  const size = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * size >= value) ?? 10) * size;
}
