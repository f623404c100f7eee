import type { RecordType } from '../../contract/entities/index.ts';
import { writableFields } from '../../contract/import-names.ts';
import { slugify } from '../../contract/names.ts';
import { type Relation, relationOf } from '../../contract/relations.ts';
import { csvLine } from '../csv.ts';
import type { Format } from '../import/import-source.ts';
import type { Records } from '../port/records.ts';
import { isStated } from '../records/document.ts';
import { relationsOf } from '../records/links.ts';
import type { Store } from '../store.ts';

/** Minimum length of a chunk, because many small writes are slow. */
const PIECE_LENGTH_MIN = 1 << 16;

/** Every record of a type in an importable format, in chunks. Calls `onRecord` per record. */
export async function* exportText(
  records: Pick<Records, 'walk'>,
  { type, format }: { type: RecordType; format: Format },
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

type Fields = Record<string, unknown>;

/** A record in import form: its id and importable fields, without unknown values. */
function writtenRecord(type: RecordType, record: Readonly<Fields>): Fields {
  const written: Fields = {
    id: record['id'],
    ...Object.fromEntries(writableFields(type).map((field) => [field, record[field]])),
  };
  for (const relation of relationsOf(type))
    written[relation.field] = mapped(written[relation.field], (item) => writtenItem(relation, item));
  return known(written);
}

function mapped(value: unknown, write: (item: Fields) => Fields): unknown {
  if (value === null || value === undefined) return value;
  return Array.isArray(value) ? value.map(write) : write(value as Fields);
}

/** A reference by name and slug, with its type only if the slug is ambiguous between types. */
function writtenItem({ keys, to }: Relation, item: Readonly<Fields>): Fields {
  const { [keys.id]: _number, [keys.type]: type, ...rest } = item;
  return known(type === to[0] ? rest : { ...rest, [keys.type]: type });
}

const known = (fields: Readonly<Fields>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isStated(value)));

const PLACE = 'location_json';
const PLACE_PARTS = ['city', 'country'];

function csvColumns(type: RecordType): string[] {
  const parts = PLACE_PARTS.map((part) => `${PLACE}.${part}`);
  return ['id', ...writableFields(type).flatMap((field) => (field === PLACE ? parts : [field]))];
}

function csvCells(type: RecordType, columns: readonly string[], record: Fields): string[] {
  const location = (record[PLACE] ?? {}) as Fields;
  return columns.map((column) => {
    const value = column.startsWith(`${PLACE}.`) ? location[column.slice(PLACE.length + 1)] : record[column];
    return cellOf(value, relationOf(type, column)?.keys);
  });
}

function cellOf(value: unknown, keys: Relation['keys'] | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  const items = (Array.isArray(value) ? value : [value]).map((item: unknown) => plainItem(item, keys));
  const isPlain = items.every((item) => item !== undefined && isUnmistakable(item));
  return isPlain ? items.join('|') : JSON.stringify(value);
}

/**
 * A list item as text: its slug, else its name. Undefined if that would lose something, such as a name other than its record's.
 */
function plainItem(item: unknown, keys: Relation['keys'] | undefined): string | undefined {
  if (typeof item === 'string') return item;
  if (keys === undefined) return undefined;
  const { [keys.name]: name, [keys.slug]: slug, ...more } = item as Fields;
  const isWhole = Object.keys(more).length === 0 && (slug === undefined || slugify(String(name)) === slug);
  return isWhole ? String(slug ?? name) : undefined;
}

/** Whether a text parses as this single item rather than a list, number or JSON. */
const isUnmistakable = (item: string): boolean => !/[|]|^\s*[[{]|^\s|\s$|^\d*$/.test(item);

/**
 * Records without facts whose source terms forbid redistribution.
 * @param allowed sources that the operator has a licence for
 */
export function sharedRecords({ records, claims }: Store, allowed: readonly string[]): Pick<Records, 'walk'> {
  return {
    walk: async function* walk(type) {
      const restricted = (await claims.sources()).filter(({ isRestricted }) => isRestricted);
      const hidden = new Set(restricted.map(({ source }) => source).filter((source) => !allowed.includes(source)));
      for await (const json of records.walk(type)) {
        const shared = hidden.size === 0 ? json : await claims.without(type, json, hidden);
        if (shared !== null) yield shared;
      }
    },
  };
}
