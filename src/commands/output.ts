import { createInterface } from 'node:readline';
import { stripVTControlCharacters, styleText } from 'node:util';
import { DAY_MS } from '../contract/periods.ts';
import { counted } from '../contract/value-text.ts';
import { ConfigError } from './config.ts';
import { asTyped } from './started-as.ts';

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints sentences to stdout; in a terminal wrapped, with further lines as far in as the first one after its prefix. */
export function printText(text: string, prefix = ''): void {
  const typed = asTyped(text);
  const indent = stripVTControlCharacters(prefix).length;
  const lines = isTerminal() ? wrap(typed, terminalWidth() - indent) : [typed];
  print(prefix + lines.join(`\n${' '.repeat(indent)}`));
}

export function printEvent(value: object): void {
  print(JSON.stringify(value));
}

/** Prints a JSON document: one line for a program, indented for a person. */
export function printJson(value: unknown): void {
  print(isTerminal() ? colouredJson(visible(JSON.stringify(value, null, 2))) : JSON.stringify(value));
}

/** Prints to stderr, for everything but the result. A terminal wraps long lines, but not what is copied: indented lines and commands. */
export function printToStderr(text: string): void {
  const lines = process.stderr.isTTY ? asTyped(text).split('\n').flatMap(linesOf) : [asTyped(text)];
  process.stderr.write(`${lines.join('\n')}\n`);
}

const COPIED_INDENT = '  ';
const COPIED = /: (?=(?:web3-bi|npx web3-bi-mcp|node \S+main\.js) \S)/;

function linesOf(line: string): string[] {
  const width = terminalWidth(process.stderr);
  if (line.length <= width || line.startsWith(' ')) return [line];
  const [before = '', command] = line.split(COPIED);
  return command === undefined ? wrap(line, width) : [...wrap(`${before}:`, width), COPIED_INDENT + command];
}

/** A field's name in words: `total_funding_usd` is `total funding`. */
export const nameInWords = (field: string): string => field.replace(/_(usd|json)$/, '').replaceAll('_', ' ');

const COLUMN_GAP = '  ';
const COLUMN_WIDTH_MIN = 4;
/** A narrower column says too little, where others may be left out for it. */
const CUT_WIDTH_MIN = 12;
/** The same of a last column, which has texts. */
const TEXT_WIDTH_MIN = 30;
const LAST_WIDTH_MIN = 20;

/** Amounts, counts, percentages, and blank cells. */
const NUMBER = /^(-?\$?[\d,.]+[KMBT%]?|-)?$/;

/** Columns by heading. */
interface Fit {
  /** Never cut, because a part of them is of no use, such as of a slug. */
  readonly whole?: readonly string[];
  /** Whole as well, and on a line of its own under each row where not all fits beside it. */
  readonly below?: string;
  /** Continued on further lines where it does not fit, as it is what was asked for. */
  readonly wrapped?: string | undefined;
  /** Left out where the others have no room otherwise, the first one first. */
  readonly dropped?: readonly string[];
}

/** Prints rows as aligned columns, the first as heading. In a terminal it fits the width, if necessary without columns without a value. */
export function printTable(rows: Rows, { whole = [], below, wrapped, dropped = [] }: Fit = {}): void {
  const all = rows.map((row) => row.map(printable));
  const isFilled = (_: string, column: number): boolean => all.slice(1).some((row) => (row[column] ?? '-') !== '-');
  const filled = isTooWide(all) ? all.map((row) => row.filter(isFilled)) : all;
  const isBelow = below !== undefined && isTooWide(filled, [...whole, below, ...(wrapped ? [wrapped] : [])]);
  let texts = isBelow ? without(filled, below) : filled;
  for (const heading of dropped) {
    if (!isTooWide(texts, whole)) break;
    texts = without(texts, heading);
  }
  const rowLines = alignedLines(texts, { whole: isBelow || below === undefined ? whole : [...whole, below], wrapped });
  rowLines.forEach((lines, index) => {
    for (const line of lines) print(index === 0 ? styled('bold', line) : line);
    const under = isBelow && index > 0 ? filled[index]?.[filled[0]?.indexOf(below) ?? -1] : undefined;
    if (under !== undefined) print(COLUMN_GAP + styled('dim', under));
  });
}

function without(rows: Rows, heading: string): Rows {
  const at = rows[0]?.indexOf(heading) ?? -1;
  return rows.map((row) => row.filter((_, column) => column !== at));
}

/** The lines of each row: of a wrapped column that does not fit, several. */
function alignedLines(rows: Rows, { whole = [], wrapped }: Pick<Fit, 'whole' | 'wrapped'>): string[][] {
  const widths = columnWidths(rows, whole);
  const isNumeric = widths.map((_, column) => rows.slice(1).every((row) => NUMBER.test(row[column] ?? '')));
  const lineOf = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      const padding = ' '.repeat(Math.max(0, width - lengthOf(cell)));
      return isNumeric[column] && isTerminal() ? padding + cut(cell, width) : cut(cell, width) + padding;
    });
    return cells.join(COLUMN_GAP).trimEnd();
  };
  const last = wrapped === rows[0]?.at(-1) ? widths.length - 1 : -1;
  return rows.map((row) => {
    const [first = '', ...others] = last < 0 ? row.slice(-1) : wrap(row[last] ?? '', widths[last] ?? 0);
    const blank = row.slice(0, -1).map(() => '');
    return [lineOf([...row.slice(0, -1), first]), ...others.map((text) => lineOf([...blank, text]))];
  });
}

/** Prints one name and value per line. In a terminal, long values wrap. */
export function printFields(fields: readonly (readonly [string, string])[]): void {
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  const start = `\n${' '.repeat(width)}${COLUMN_GAP}`;
  for (const [name, value] of fields) {
    const text = printable(value);
    const lines = isTerminal() ? wrap(text, terminalWidth() - start.length + 1) : [text];
    print(`${styled('dim', name.padEnd(width))}${COLUMN_GAP}${lines.join(start)}`);
  }
}

type Rows = readonly (readonly string[])[];

const fullWidths = (rows: Rows): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))));

const excessOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, COLUMN_GAP.length * (widths.length - 1)) - terminalWidth();

/** Whether rows are wider than the terminal, even with all columns cut that may be: by default none. */
function isTooWide(rows: Rows, whole?: readonly string[]): boolean {
  if (!isTerminal()) return false;
  const widths = fullWidths(rows);
  const isCut = (column: number): boolean => whole !== undefined && !whole.includes(rows[0]?.[column] ?? '');
  const leastOf = (column: number): number => (column === widths.length - 1 ? TEXT_WIDTH_MIN : CUT_WIDTH_MIN);
  return excessOf(widths.map((width, column) => (isCut(column) ? Math.min(width, leastOf(column)) : width))) > 0;
}

/** Column widths. Shrinks the last column first, then the widest; never the first, unless others are to stay whole. */
function columnWidths(rows: Rows, whole: readonly string[]): number[] {
  const widths = fullWidths(rows);
  if (!isTerminal()) return widths;
  const isFixed = (column: number): boolean =>
    whole.length === 0 ? column === 0 : whole.includes(rows[0]?.[column] ?? '');
  let excess = excessOf(widths);
  for (; excess > 0; excess -= 1) {
    const isLast = !isFixed(widths.length - 1) && (widths.at(-1) ?? 0) > LAST_WIDTH_MIN;
    const free = widths.map((width, column) => (isFixed(column) ? 0 : width));
    const column = isLast ? widths.length - 1 : free.lastIndexOf(Math.max(...free));
    const width = free[column] ?? 0;
    if (width <= COLUMN_WIDTH_MIN) break;
    widths[column] = width - 1;
  }
  return widths;
}

export function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

const lengthOf = (text: string): number => Array.from(text).length;

/** Replaces control characters and line breaks, because foreign text could contain terminal escape sequences, reverse what follows, or begin a line. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '?');

/**
 * Text for programs, such as CSV. In a terminal, control characters of foreign text show as JSON's escapes instead of taking
 * effect, except for tabs and line ends.
 */
export const visible = (text: string): string =>
  isTerminal()
    ? text.replace(
        /(?!\t|\r?\n)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : text;

const UNITS: readonly (readonly [string, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const SECOND_MS = 1_000;

/** A time, relative for people and unchanged for programs. */
export function shownTime(iso: string): string {
  const agoMs = Date.now() - Date.parse(iso);
  if (!isTerminal() || Number.isNaN(agoMs)) return iso;
  if (agoMs < -DAY_MS) return iso.slice(0, 10);
  if (agoMs < 0) return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
  const seconds = Math.floor(agoMs / SECOND_MS);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['', 0];
  return length === 0 ? 'just now' : `${counted(Math.floor(seconds / length), `${unit}s`)} ago`;
}

function colouredJson(json: string): string {
  return json.replace(
    /("(?:[^"\\]|\\.)*")(:?)|-?\d[\d.eE+-]*|true|false|null/g,
    (token, text: string | undefined, colon: string) => {
      if (text === undefined) return styled('yellow', token);
      return colon === '' ? styled('green', token) : styled('cyan', text) + colon;
    },
  );
}

export function paragraph(text: string, style?: Style): void {
  for (const line of wrap(text, proseWidth())) print(style === undefined ? line : styled(style, line));
}

/** Wraps at word boundaries; longer words get their own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && stripVTControlCharacters(`${line} ${word}`).length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const WIDTH_DEFAULT = 80;
const WIDTH_MIN = 40;
const PROSE_WIDTH_MAX = 100;

/** Whether a person reads stdout: times are then relative, tables fit the width and JSON is indented. */
export const isTerminal = (): boolean => process.stdout.isTTY === true;

const canAsk = (): boolean => process.stdin.isTTY === true && isTerminal();

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

const NOT_CONFIRMED = new ConfigError('Nothing is changed.');

/** Confirms an irreversible action. Asks only in a terminal, because a prompt would hang scripts. */
export async function confirm(question: string, flags: Readonly<Record<string, unknown>>): Promise<void> {
  if (flags['yes'] === true || !canAsk()) return;
  process.stderr.write(`${styled('yellow', question, process.stderr)} [y/N] `);
  // Without readline's own terminal mode, echo and Ctrl-C stay with the shell.
  const lines = createInterface({ input: process.stdin, terminal: false });
  for await (const answer of lines) {
    lines.close();
    if (/^\s*y(es)?\s*$/i.test(answer)) return;
    throw NOT_CONFIRMED;
  }
  // End of input leaves the cursor after the question.
  process.stderr.write('\n');
  throw NOT_CONFIRMED;
}
