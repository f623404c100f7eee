import { styleText } from 'node:util';

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How text is set off where a person reads it. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const WIDTH_DEFAULT = 80;
const WIDTH_MIN = 40;
/** Longer lines of prose are hard to read. */
const PROSE_WIDTH_MAX = 100;

/** Whether a person reads the answers: then times are relative, tables fit the width and JSON is laid out. */
export const isTerminal = (): boolean => process.stdout.isTTY === true;

/** Whether a person can be asked something. */
export const canAsk = (): boolean => process.stdin.isTTY === true && isTerminal();

export const terminalWidth = (stream: Stream = process.stdout): number =>
  Math.max(WIDTH_MIN, stream.columns || WIDTH_DEFAULT);

export const proseWidth = (): number => Math.min(PROSE_WIDTH_MAX, terminalWidth());

/** Colours text where it is shown in a terminal; NO_COLOR and TERM=dumb turn that off, FORCE_COLOR on. */
export function styled(style: Style, text: string, stream: Stream = process.stdout): string {
  return hasColors(stream) ? styleText(style, text, { validateStream: false }) : text;
}

function hasColors({ isTTY }: Stream): boolean {
  const { FORCE_COLOR = '', NO_COLOR = '', TERM } = process.env;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}
