import type { VNode } from 'preact';
import { Table } from './components.tsx';

/** One bar: its place, its height, and what it says when pointed at. */
export interface Bar {
  /** Below the bar; the same text is shown once. */
  readonly label: string;
  /** Parts that stand on one another, the lowest first; zero or more. */
  readonly parts: readonly number[];
  readonly title: string;
  /** A known event without a number: drawn as a mark on the ground. */
  readonly isUnknown?: boolean;
}

/** What a part of every bar stands for. */
export interface Series {
  readonly label: string;
  /** Class of its colour: key-0 to key-4, good, warn, bad, info or plain. */
  readonly colour: string;
}

interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  /** How a height is written at the side. */
  readonly format: (value: number) => string;
}

const HEIGHT = 190;
const BOTTOM = 24;
const TOP = 22;
/** Bars that have room for their height in writing. */
const WRITTEN_MAX = 6;
const GAP_SHARE = 0.28;
/** Of the width of the chart, in percent. */
const BAR_WIDTH_MAX = 6.5;
/** The least width of a chart in pixels, on a wide screen and on a phone, and what a letter below it takes. */
const WIDTH = { wide: 480, narrow: 250 };
const LETTER = 7.5;

/**
 * Bars as SVG from the server: no script, both themes by style sheet, and read out as what its table says. Places across are in
 * percent, so that only bars become wider with the page, and letters stay as they are.
 */
export function BarChart({ label, bars, series, format }: BarChartProps): VNode {
  const top = niceTop(Math.max(...bars.map(({ parts }) => sum(parts)), 0));
  const room = 100 / Math.max(bars.length, 1);
  const width = Math.min(room * (1 - GAP_SHARE), BAR_WIDTH_MAX);
  const ground = HEIGHT - BOTTOM;
  const heightOf = (value: number): number => (top === 0 ? 0 : (value / top) * (ground - TOP));
  const labelWidth = Math.max(...bars.map((bar) => bar.label.length), 0) * LETTER + LETTER;
  const apart = (across: number): number => Math.ceil((labelWidth * bars.length) / across);
  const every = apart(WIDTH.wide);
  const everyNarrow = Math.ceil(apart(WIDTH.narrow) / every) * every;
  // Whole things have no half, which a small axis would show.
  const isWhole = bars.every(({ parts }) => parts.every(Number.isInteger));
  const ticks = [0, 0.5, 1].map((share) => top * share).filter((value) => !isWhole || Number.isInteger(value));
  return (
    <svg class="bars" height={HEIGHT} role="img" aria-label={label}>
      {[...new Set(ticks)].map((value) => (
        <g key={value}>
          <line x2="100%" y1={round(ground - heightOf(value))} y2={round(ground - heightOf(value))} />
          <text class="tick" x="-8" y={round(ground - heightOf(value) + 4)}>
            {format(value)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => {
        return (
          <svg key={index} x={percent(room * (index + 0.5) - width / 2)} width={percent(width)}>
            <title>{bar.title}</title>
            <Stack {...{ bar, series, heightOf, ground }} />
            {bars.length > WRITTEN_MAX || sum(bar.parts) === 0 ? null : (
              <text class="height" x="50%" y={round(ground - heightOf(sum(bar.parts)) - 6)}>
                {format(sum(bar.parts))}
              </text>
            )}
            {index % every === 0 && bar.label !== bars[index - every]?.label ? (
              <text x="50%" y={HEIGHT - 7} class={index % everyNarrow === 0 ? undefined : 'wide'}>
                {bar.label}
              </text>
            ) : null}
          </svg>
        );
      })}
    </svg>
  );
}

interface StackProps {
  readonly bar: Bar;
  readonly series: BarChartProps['series'];
  readonly heightOf: (value: number) => number;
  readonly ground: number;
}

/** The parts of a bar; the style sheet makes them as wide as it. */
function Stack({ bar, series, heightOf, ground }: StackProps): VNode {
  if (bar.isUnknown) return <rect class="unknown" y={ground - 4} height={4} />;
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

/** What the colours of a chart stand for. */
export function Legend({ series }: { series: readonly Series[] }): VNode {
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

interface ChartTableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly numbers: readonly string[];
  readonly isOfFigures?: boolean;
  readonly children: readonly VNode[];
}

/** The figures behind a chart, which unfold without a script. */
export function ChartTable({ children, ...table }: ChartTableProps): VNode {
  return (
    <details class="behind">
      <summary>As a table</summary>
      <Table {...table}>{children}</Table>
    </details>
  );
}

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);
const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (value: number): string => `${round(value)}%`;

const STEPS = [1, 2, 4, 5, 10];

/** The next round number, whose half is round too. */
function niceTop(value: number): number {
  if (value <= 0) return 0;
  const size = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * size >= value) ?? 10) * size;
}
