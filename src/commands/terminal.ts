import { styleText } from 'node:util';

interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const WIDTH_DEFAULT = 80;
const WIDTH_MIN = 40;
/** Longer lines are hard to read. */
const PROSE_WIDTH_MAX = 100;

/** Whether a person reads stdout: times are then relative, tables fit the width and JSON is indented. */
export const isTerminal = (): boolean => process.stdout.isTTY === true;

/** Whether a person can answer prompts. */
export const canAsk = (): boolean => process.stdin.isTTY === true && isTerminal();

export const terminalWidth = (stream: TerminalStream = process.stdout): number =>
  Math.max(WIDTH_MIN, stream.columns || WIDTH_DEFAULT);

export const proseWidth = (): number => Math.min(PROSE_WIDTH_MAX, terminalWidth());

/** Applies a style in a terminal. NO_COLOR and TERM=dumb disable, FORCE_COLOR enables it. */
export const styled = (style: Style, text: string, stream: TerminalStream = process.stdout): string =>
  hasColors(stream) ? styleText(style, text, { validateStream: false }) : text;

function hasColors({ isTTY }: TerminalStream): boolean {
  const { FORCE_COLOR = '', NO_COLOR = '', TERM } = process.env;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}
