import { sortedBy } from '../../contract/sorts.ts';
import { isBlank } from '../../contract/value-text.ts';
import { type CsvOptions, csvResponse, defaultColumns, MIXED_TYPE_COLUMNS } from '../../service/routes/csv.ts';
import { selectFields } from '../../service/routes/pagination.ts';
import type { Records, SearchPage } from '../../store/port/records.ts';
import type { PageQuery } from '../query.ts';
import { ALL, COUNTED_COLUMNS, type FoundType, parseSearch, typesOf } from './parsed-search.ts';
import { parseRecords } from './read-records.ts';
import { newestRoundDate, withRoundFigures } from './round-statistics.ts';
import { searchRead } from './search.ts';

export const EXPORT_MAX = 1_000;

/** The file of a list in the format of its address; undefined if it asks for none. Throws `invalid_parameter`. */
export async function exportList(records: Records, query: PageQuery, now: Date): Promise<RecordFile | undefined> {
  if (!isFormat(query['format'])) return undefined;
  const { type, ...found } = await searchForExport(records, query, now);
  return recordFile(`${type === ALL ? 'records' : type}.${query['format']}`, found);
}

export interface RecordFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export const isFormat = (format: string | undefined): format is 'csv' | 'json' => format === 'csv' || format === 'json';

/** Records as a file of the format that its name ends with. */
export function recordFile(name: string, { found, ...of }: Omit<SearchExport, 'type'>): RecordFile {
  if (name.endsWith('.csv')) return { name, type: 'text/csv', text: csvResponse(found, of).data as string };
  const shown = found.results.map((json) => selectFields(json, of.fields ?? MIXED_TYPE_COLUMNS));
  return { name, type: 'application/json', text: `[${shown.join(',\n')}]\n` };
}

interface SearchExport extends CsvOptions {
  readonly type: FoundType;
  readonly found: SearchPage;
}

/** The top matches of a search for an export. Throws `invalid_parameter`. */
async function searchForExport(records: Records, raw: PageQuery, now: Date): Promise<SearchExport> {
  const parsed = parseSearch(raw);
  const { found } = await searchRead(records, parsed, { window: { offset: 0, limit: EXPORT_MAX }, now });
  const { type, columns } = parsed;
  const sort = sortedBy(parsed, found.understood);
  const types = typesOf(type);
  const rows = parseRecords(found.results);
  if (columns?.some((column) => COUNTED_COLUMNS[type]?.includes(column))) {
    const results = (await withRoundFigures(records, rows, await newestRoundDate(records))).map((record) =>
      JSON.stringify(record),
    );
    return { type, types, fields: columns, found: { ...found, results } };
  }
  const usual = type === ALL ? undefined : defaultColumns(type);
  const stated = usual?.filter((field) => field !== sort && rows.some((row) => !isBlank(row[field])));
  return {
    type,
    types,
    sort,
    found,
    fields: columns ?? (stated && [...stated, ...(sort === undefined ? [] : [sort])]),
  };
}
