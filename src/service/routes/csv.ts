import type { Request } from 'express';
import { CSV_METADATA_HEADER, writeCsvMetadata } from '../../contract/csv-metadata.ts';
import { conciseFields, entityOf, type RecordType } from '../../contract/entities/index.ts';
import { writableFields } from '../../contract/import-names.ts';
import { relationOf } from '../../contract/relations.ts';
import { UNSOURCED_FIELDS, unsourcedAmong } from '../../contract/unsourced.ts';
import { csvText } from '../../store/csv.ts';
import type { SearchPage } from '../../store/port/records.ts';
import type { ApiResponse } from '../call.ts';
import { searchNotes } from './pagination.ts';

type Fields = Readonly<Record<string, unknown>>;

const CSV_TYPE = 'text/csv; charset=utf-8';
const IDENTIFYING_COLUMNS = ['type', 'id', 'name', 'slug'];
export const MIXED_TYPE_COLUMNS = ['website', 'as_of'];
const LOCATION_FIELD = 'location_json';
/** Long texts, included only through `fields`. */
const LONG_FIELDS = ['sources', 'overview', 'logo'];

/** Formats of lists; the first one unless a client prefers the other. */
export const LIST_FORMATS = ['application/json', 'text/csv'];

/** Whether to respond with CSV: by the format parameter, or by an Accept header that prefers it. */
export function wantsCsv(format: unknown, request: Request): boolean {
  if (format !== undefined) return format === 'csv';
  // Others accept JSON, or nothing that there is.
  return request.headers.accept?.includes('text/') === true && request.accepts(LIST_FORMATS) === 'text/csv';
}

export interface CsvOptions {
  readonly types: readonly RecordType[];
  /** Columns that were asked for, or those with a value in some row; undefined for the usual ones. */
  readonly fields: readonly string[] | undefined;
  /** The field of the order, which is a column unless others were asked for. */
  readonly sort?: string | undefined;
}

/** A page as CSV; headers carry the total and the properties that JSON has beside its records. */
export function csvResponse(page: SearchPage, { types, fields, sort = 'name' }: CsvOptions): ApiResponse {
  const { results, total, isTyped, understood } = page;
  const read = understood?.type;
  const shown = fields ?? [...(read === undefined ? usualColumns(types) : conciseFields([read])), sort];
  const columns = columnsOf(shown);
  const rows = results.map((json) => {
    const stored = JSON.parse(json) as Fields & { readonly type: RecordType };
    const record = { ...stored, [UNSOURCED_FIELDS]: unsourcedAmong(stored, shown) };
    return columns.map((column) => cellOf(record, column));
  });
  const data = csvText([columns, ...rows]);
  const about = { ...searchNotes(page), ...(!isTyped && { approximate: true }) };
  const headers = { 'X-Total-Count': String(total), [CSV_METADATA_HEADER]: writeCsvMetadata(about) };
  return { status: 200, data, message: null, contentType: CSV_TYPE, headers };
}

function columnsOf(fields: readonly string[]): string[] {
  const columns = fields.flatMap((field) =>
    field === LOCATION_FIELD ? [`${LOCATION_FIELD}.city`, `${LOCATION_FIELD}.country`] : [field],
  );
  return [...new Set([...IDENTIFYING_COLUMNS, ...columns, UNSOURCED_FIELDS])];
}

const usualColumns = ([type, ...others]: readonly RecordType[]): readonly string[] =>
  type === undefined || others.length > 0 ? MIXED_TYPE_COLUMNS : defaultColumns(type);

export const defaultColumns = (type: RecordType): string[] =>
  [...writableFields(type), 'unsourced', 'unsourced_funding_usd', 'unsourced_lead_count'].filter(
    (field) => !LONG_FIELDS.includes(field) && Object.hasOwn(entityOf(type).record.shape, field),
  );

/** A cell without line breaks, so that a line is a record. */
function cellOf(record: Fields & { readonly type: RecordType }, column: string): string {
  const [field = '', part] = column.split('.');
  const value = part === undefined ? record[field] : ((record[field] ?? {}) as Fields)[part];
  const nameKey = relationOf(record.type, field)?.keys.name;
  const texts = [value].flat().map((item) => textOf(item, nameKey));
  return texts
    .filter((text) => text !== '')
    .join('|')
    .replace(/\s+/g, ' ');
}

function textOf(item: unknown, nameKey: string | undefined): string {
  if (item === null || item === undefined) return '';
  if (typeof item !== 'object') return String(item);
  return nameKey === undefined ? JSON.stringify(item) : String((item as Fields)[nameKey]);
}
