import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CsvError, parse } from 'csv-parse';
import { attempt } from '../../contract/attempt.ts';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { foldName } from '../../contract/names.ts';
import { countText } from '../../contract/value-text.ts';
import { withoutGuard } from '../csv.ts';
import { type Item, ROW_LENGTH_MAX, readJsonFile, readRow, readWrapped } from './read-json.ts';

export const FORMATS = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const CHUNK_BYTES = 1 << 18;
const PIECE_LENGTH = 1 << 14;
const BYTE_ORDER_MARK = '\uFEFF';
/** Replacement character of invalid UTF-8. */
export const NOT_UTF8 = '\uFFFD';

const READERS: Readonly<Record<Format, (chunks: AsyncIterable<string>) => AsyncIterable<Item>>> = {
  csv: readCsv,
  json: readJsonFile,
  ndjson: readNdjson,
};

export interface ImportSource {
  readonly format: Format;
  /** Whether there is no text at all, not even the names of columns. */
  readonly isEmpty: boolean;
  readonly items: AsyncIterable<Item>;
  /** Bytes consumed by the rows read so far. */
  readonly consumedBytes: () => number;
}

interface Expected {
  readonly type: RecordType;
  readonly format?: Format | undefined;
}

/**
 * The rows of a stream, until its end or the abort signal. Uses the detected format if the beginning rules out the
 * expected one. Unwraps an object around one list, as in API responses.
 */
export async function readSource(stream: Readable, expected: Expected, signal: AbortSignal): Promise<ImportSource> {
  stream.setEncoding('utf8');
  const chunks = untilAborted(stream, signal);
  let start = await startOf(chunks);
  if (start.startsWith(BYTE_ORDER_MARK)) start = start.slice(1);
  const isEmpty = start.trim() === '';
  const format = formatOf(start, expected);
  refuseBinary(start, format);
  const wrapper = format === 'csv' ? '' : wrapperOf(start, expected.type);
  let consumed = 0;
  const counted = (rest: string): AsyncGenerator<string> =>
    inPieces(rest, chunks, (piece) => {
      consumed += Buffer.byteLength(piece);
    });
  const consumedBytes = (): number => consumed;
  if (wrapper !== '') {
    // Skipped lines count for line numbers.
    const lines = wrapper.replace(/[^\n]/g, '');
    return { format: 'json', isEmpty, items: readWrapped(counted(lines + start.slice(wrapper.length))), consumedBytes };
  }
  return { format, isEmpty, items: READERS[format](counted(start)), consumedBytes };
}

/** Detects the format by the first character: a bracket for lists, a brace for objects, otherwise CSV if field names follow. */
function formatOf(start: string, { type, format }: Expected): Format {
  const [firstLine = '', secondLine] = start.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const text = start.trimStart();
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('{')) {
    if (format === 'json' || format === 'ndjson') return format;
    const isLine =
      typeof attempt(() => JSON.parse(firstLine)) === 'object' ||
      secondLine === undefined ||
      secondLine.startsWith('{');
    return isLine ? 'ndjson' : 'json';
  }
  // Broken JSON is parsed as JSON, so that errors are reported and later rows imported.
  return format === undefined || isHeader(firstLine, type) ? 'csv' : format;
}

/** More than this is no file of records, and would exhaust memory. */
const BLANK_LENGTH_MAX = 1_000_000;

/** The text up to the end of the first chunk that is not blank. */
async function startOf(chunks: AsyncGenerator<string>): Promise<string> {
  let start = '';
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return start;
    start += next.value;
    if (next.value.trim() !== '') return start;
    if (start.length <= BLANK_LENGTH_MAX) continue;
    const message = `The file begins with more than ${countText(BLANK_LENGTH_MAX)} spaces and line breaks; remove them.`;
    throw new ServiceError('invalid_parameter', message);
  }
}

/** Whether a line is a CSV header: it contains a field of every record. */
function isHeader(line: string, type: RecordType): boolean {
  const names = line.split(/[,;\t]/).map((cell) => foldName(cell.trim().replace(/^"(.*)"$/, '$1')));
  const known = Object.keys(entityOf(type).record.shape).map(foldName);
  return !/[{}[\]:]/.test(line) && names.some((name) => known.includes(name));
}

/** Throws for binary content, which would parse as garbage. */
function refuseBinary(start: string, format: Format): void {
  const header = format === 'csv' ? (start.split('\n', 1)[0] ?? '') : '';
  // UTF-16 contains zeros too, and begins with a byte order mark.
  const [text, ...binary] = start.startsWith(NOT_UTF8) ? [] : start.split('\0', 2);
  if (text !== undefined && binary.length > 0) {
    const message = `The file is not text: line ${text.split('\n').length} contains a NUL character; save it as CSV, JSON or NDJSON in UTF-8.`;
    throw new ServiceError('invalid_parameter', message);
  }
  if (start.startsWith(NOT_UTF8) || header.includes(NOT_UTF8))
    throw new ServiceError('invalid_parameter', 'The file is not UTF-8 text; save it as UTF-8 and import it again.');
}

/** Names of a record list in a response, besides the type's name. */
const LIST_NAMES = ['data', 'results', 'records', 'items', 'rows'];

/** Keys that identify a record rather than a wrapper. */
const OF_A_RECORD = /"(?:id|name|slug)"\s*:/;

/** The text of an object before its list of records: the list's name, and preceding scalar values and flat objects. */
function wrapperOf(start: string, type: RecordType): string {
  const names = [type, ...LIST_NAMES].join('|');
  const plain = '\\s*"\\w+"\\s*:\\s*(?:"[^"\\\\]*"|[\\w.+-]+|\\{[^{}[\\]]*\\})\\s*,';
  const found = new RegExp(`^\\s*\\{(?:${plain})*\\s*"(?:${names})"\\s*:\\s*(?=\\[)`).exec(start)?.[0] ?? '';
  return OF_A_RECORD.test(found) ? '' : found;
}

/** Splits text into chunks of some rows, for progress. */
async function* inPieces(
  start: string,
  rest: AsyncGenerator<string>,
  onPiece: (piece: string) => void,
): AsyncGenerator<string> {
  for await (const chunk of joined(start, rest)) {
    for (let from = 0; from < chunk.length; from += PIECE_LENGTH) {
      const piece = chunk.slice(from, from + PIECE_LENGTH);
      yield piece;
      onPiece(piece);
    }
  }
}

async function* joined(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

/** Ends at the abort signal, even if no data arrives, as from a terminal. */
async function* untilAborted(stream: Readable, signal: AbortSignal): AsyncGenerator<string> {
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* stream as AsyncIterable<string>;
  } catch (error) {
    // Destroying a stream causes an error.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export const openFile = (path: string): Readable => createReadStream(path, { highWaterMark: CHUNK_BYTES });

/** Copies a stream to a private temporary file, for reading twice. */
export async function spool(stream: Readable): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-import-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, 'stdin');
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<Item> {
  let rest = '';
  let line = 1;
  let isTooLong = false;
  for await (const chunk of chunks) {
    // Without the rest: splitting that again with each chunk takes quadratic time by the length of a line.
    const ends = chunk.split('\n');
    const begun = ends.pop() ?? '';
    for (const end of ends) {
      if (isTooLong) isTooLong = false;
      else yield* itemOf(rest + end, line);
      rest = '';
      line += 1;
    }
    rest += begun;
    if (rest.length <= ROW_LENGTH_MAX) continue;
    if (!isTooLong) yield { line, fault: `the line is longer than ${ROW_LENGTH_MAX} characters` };
    isTooLong = true;
    rest = '';
  }
  if (!isTooLong) yield* itemOf(rest, line);
}

function* itemOf(text: string, line: number): Generator<Item> {
  if (text.trim() !== '') yield readRow(text, { line });
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<Item> {
  const pieces = chunks[Symbol.asyncIterator]();
  const first = await pieces.next();
  const start: string = first.value ?? '';
  const [mark = '', stated] = EXCEL_SEPARATOR.exec(start) ?? [];
  const faults: Fault[] = [];
  let noted: Fault | undefined;
  const note = (fault: Fault): void => {
    // The parser skips a row that is too long in many parts.
    if (fault.line !== noted?.line || fault.fault !== noted.fault) faults.push(fault);
    noted = fault;
  };
  const options = {
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    delimiter: stated ?? delimiterOf(start),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
    max_record_size: ROW_LENGTH_MAX,
    on_skip: (error: CsvError | undefined) => void note(faultOf(error)),
  };
  const parser = parse(options);
  const fed = feed(parser, start.slice(mark.length), { [Symbol.asyncIterator]: () => pieces });
  let header: readonly string[] | undefined;
  let last = 0;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    while (faults[0] !== undefined && faults[0].line !== UNKNOWN) yield faults.shift() as Item;
    last = info.lines;
    if (header !== undefined) yield rowOf(header, record, info.lines);
    else if (record.filter(isNamed).length > COLUMNS_MAX) return yield { line: last, fault: TOO_MANY_COLUMNS };
    else header = distinct(record.map((name) => name.trim()));
  }
  await fed;
  for (const fault of faults) yield fault.line === UNKNOWN ? { ...fault, line: last + 1 } : fault;
}

/** The line with which Excel states the delimiter, before the names of the columns. */
const EXCEL_SEPARATOR = /^sep=(.)(?=[\r\n])/i;

/** More than any table has; each repeated name takes the longer, the more precede it. */
const COLUMNS_MAX = 2_000;
const TOO_MANY_COLUMNS = `the first line names more than ${countText(COLUMNS_MAX)} columns; it must name each column, in a line of its own`;

const isNamed = (name: string): boolean => name.trim() !== '';

/** Column names, each once: a space, which the look-up of fields ignores, tells a repeated one from the others. */
const distinct = (names: readonly string[]): string[] =>
  names.map((name, column) =>
    isNamed(name) ? name + ' '.repeat(names.slice(0, column).filter((other) => other === name).length) : name,
  );

/** Many locales use semicolons: the delimiter is the most frequent one in the header. */
function delimiterOf(text: string): string {
  const header = text.split(/[\r\n]/, 1)[0] ?? '';
  const count = (sign: string): number => header.split(sign).length;
  return [',', ';', '\t'].sort((left, right) => count(right) - count(left))[0] ?? ',';
}

/** Writes text into the parser with back-pressure. */
async function feed(parser: ReturnType<typeof parse>, first: string, chunks: AsyncIterable<string>): Promise<void> {
  try {
    parser.write(first);
    for await (const chunk of chunks) {
      if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve));
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}

function rowOf(header: readonly string[], cells: readonly string[], lastLine: number): Item {
  const line = lastLine - cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
  const extra = cells.slice(header.length).some((cell) => cell.trim() !== '');
  if (extra) return { line, fault: moreCells(header.length) };
  const named = header.map((name, column) => [name, withoutGuard(cells[column] ?? '')] as const);
  return { line, value: Object.fromEntries(named.filter(([name]) => isNamed(name))) };
}

const moreCells = (names: number): string =>
  `the row has more cells than the first line has names (${names}); a value with a separator needs quotation marks`;
const NEVER_CLOSED =
  'a quotation mark is opened here and never closed, so that no later row is read; close or delete it';
const TOO_LONG = `the row is longer than ${ROW_LENGTH_MAX} characters; look for a quotation mark that is never closed`;
/** The parser knows where such a row ends; it begins after the last good one. */
const UNKNOWN = 0;

interface Fault {
  readonly line: number;
  readonly fault: string;
}

function faultOf(error: CsvError | undefined): Fault {
  if (error?.code === 'CSV_QUOTE_NOT_CLOSED') return { line: UNKNOWN, fault: NEVER_CLOSED };
  const isTooLong = error?.code === 'CSV_MAX_RECORD_SIZE';
  return { line: Number(error?.['lines']), fault: isTooLong ? TOO_LONG : 'this is not valid CSV' };
}
