import type { VNode } from 'preact';
import { Table, type TableProps } from './components.tsx';

/** One bar with its label and tooltip. */
export interface Bar {
  /** Text below the bar; repeated texts are shown once. */
  readonly label: string;
  /** A second line below the label. */
  readonly detail?: string;
  /** Stacked values from bottom to top, non-negative. */
  readonly parts: readonly number[];
  readonly title: string;
  /** An event with unknown value, drawn as a mark on the axis. */
  readonly isUnknown?: boolean;
}

/** A segment shared by all bars. */
export interface Series {
  readonly label: string;
  /** Colour class: key-0 to key-4, good, warn, bad, info or plain. */
  readonly colour: string;
}

interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const CENT_FRACTION = /\.\d{3}/;
const HEIGHT = 190;
const BOTTOM = 24;
const LINE = 15;
const TOP = 22;
/** Length of the mark below each bar, also of those without a label. */
const MARK = 4;
const GAP_SHARE = 0.28;
/** In percent of the chart's width. */
const BAR_WIDTH_MAX = 9;
/** Widths in pixels, from that of a phone, from which on texts show that have room then: as the classes `at-1` and so on. */
const WIDTHS = [250, 480, 700, 960];
/** Width of a letter, and the space between texts. */
const LETTER = 7.2;

/**
 * A bar chart as server-rendered SVG: no script, themed by CSS, with its table as accessible description. Horizontal
 * positions are percentages, so that bars scale with the page and text does not.
 */
export function BarChart({ label, bars, series, format }: BarChartProps): VNode {
  const top = niceTop(Math.max(...bars.map(({ parts }) => sum(parts)), 0));
  const room = 100 / Math.max(bars.length, 1);
  const width = Math.min(room * (1 - GAP_SHARE), BAR_WIDTH_MAX);
  const lines = bars.some(({ detail }) => detail !== undefined) ? LINE : 0;
  const ground = HEIGHT - BOTTOM - lines;
  const heightOf = (value: number): number => (top === 0 ? 0 : (value / top) * (ground - TOP));
  const spacings = spacingsOf(bars.map((bar) => bar.label));
  const every = spacings.at(-1) ?? 1;
  const heights = bars.map(({ parts }) => format(sum(parts)));
  const heightsAt = spacingsOf(heights).indexOf(1);
  // Counts have no fractions on the axis.
  const isWhole = bars.every(({ parts }) => parts.every(Number.isInteger));
  const half = top / 2;
  const hasHalf = isWhole ? Number.isInteger(half) : !CENT_FRACTION.test(format(half));
  const ticks = hasHalf ? [0, half, top] : [0, top];
  return (
    <div class="chart">
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
              {heightsAt < 0 || sum(bar.parts) === 0 ? null : (
                <text class={`height at-${heightsAt}`} x="50%" y={round(ground - heightOf(sum(bar.parts)) - 6)}>
                  {heights[index]}
                </text>
              )}
              <line x1="50%" x2="50%" y1={ground} y2={ground + MARK} />
              {index % every === 0 && (bar.detail !== undefined || bar.label !== bars[index - every]?.label) ? (
                <g class={`at-${spacings.findIndex((spacing) => index % spacing === 0)}`}>
                  {[bar.label, bar.detail].map((text, line) =>
                    text === undefined ? null : (
                      <text key={line} x="50%" y={HEIGHT - 7 - lines + line * LINE}>
                        {text}
                      </text>
                    ),
                  )}
                </g>
              ) : null}
            </svg>
          );
        })}
      </svg>
    </div>
  );
}

/** At each width, of how many bars one has a text below or above it; a wider chart has all texts of a narrower one. */
function spacingsOf(texts: readonly string[]): readonly number[] {
  const needed = (Math.max(...texts.map((text) => text.length), 0) + 1) * LETTER * texts.length;
  const spacings: number[] = [];
  let wider = 1;
  for (const width of WIDTHS.toReversed()) {
    wider = Math.ceil(needed / width / wider) * wider;
    spacings.unshift(wider);
  }
  return spacings;
}

interface StackProps {
  readonly bar: Bar;
  readonly series: BarChartProps['series'];
  readonly heightOf: (value: number) => number;
  readonly ground: number;
}

/** The segments of a bar; CSS sets their width. */
function Stack({ bar, series, heightOf, ground }: StackProps): VNode {
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

/** The values of a chart as a collapsible table, without script. */
export function ChartTable(table: TableProps): VNode {
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
