import { type CsvError, parse } from 'csv-parse';
import { withoutGuard } from '../csv.ts';
import { type Item, ROW_LENGTH_MAX } from './items.ts';

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Rows of CSV text with a header line. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<Item> {
  const pieces = chunks[Symbol.asyncIterator]();
  const first = await pieces.next();
  const faults: Item[] = [];
  const options = {
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    delimiter: delimiterOf(first.value ?? ''),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: ROW_LENGTH_MAX,
    on_skip: (error: CsvError | undefined) => void faults.push(faultOf(error)),
  };
  const parser = parse(options);
  const fed = feed(parser, first.value ?? '', { [Symbol.asyncIterator]: () => pieces });
  let header: readonly string[] | undefined;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    yield* faults.splice(0);
    if (header === undefined) header = record.map((name) => name.trim());
    else yield rowOf(header, record, info.lines);
  }
  await fed;
  yield* faults;
}

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
  if (extra) return { line, fault: `the row has more cells than the first line has names (${header.length})` };
  const named = header.map((name, column) => [name, withoutGuard(cells[column] ?? '')] as const);
  return { line, value: Object.fromEntries(named.filter(([name]) => name !== '')) };
}

function faultOf(error: CsvError | undefined): Item {
  const line = Number(error?.['lines'] ?? 0);
  const isOpen = error?.code === 'CSV_QUOTE_NOT_CLOSED';
  return { line, fault: isOpen ? 'a quotation mark is opened here and never closed' : 'this is not valid CSV' };
}
