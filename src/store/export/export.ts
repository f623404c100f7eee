import type { RecordType } from '../../contract/entities/index.ts';
import { csvLine } from '../csv.ts';
import type { Format } from '../import/import-source.ts';
import type { Records } from '../port/records.ts';
import { csvCells, csvColumns } from './csv-export.ts';
import { writtenRecord } from './written.ts';

/** Characters a piece of text has at least: many small writes would be most of the work. */
const PIECE_LENGTH_MIN = 1 << 16;

interface Wanted {
  readonly type: RecordType;
  readonly format: Format;
}

/** Every record of a type as text that import takes, in pieces; `onRecord` is called for each. */
export async function* exportText(
  records: Pick<Records, 'walk'>,
  { type, format }: Wanted,
  onRecord: () => void,
): AsyncGenerator<string> {
  let piece = '';
  for await (const line of WRITERS[format](written(records, type, onRecord), type)) {
    piece += line;
    if (piece.length < PIECE_LENGTH_MIN) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

type Written = AsyncIterable<Record<string, unknown>>;

async function* written(records: Pick<Records, 'walk'>, type: RecordType, onRecord: () => void): Written {
  for await (const json of records.walk(type)) {
    onRecord();
    yield writtenRecord(type, JSON.parse(json));
  }
}

const WRITERS: Readonly<Record<Format, (rows: Written, type: RecordType) => AsyncIterable<string>>> = {
  ndjson: async function* writeNdjson(rows) {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`;
  },
  json: async function* writeJson(rows) {
    let before = '[\n';
    for await (const row of rows) {
      yield before + JSON.stringify(row);
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  },
  csv: async function* writeCsv(rows, type) {
    const columns = csvColumns(type);
    yield `${csvLine(columns)}\n`;
    for await (const row of rows) yield `${csvLine(csvCells(type, columns, row))}\n`;
  },
};
