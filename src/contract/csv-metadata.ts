import type { SearchData } from './record-responses.ts';

/** Apart from the response schemas, which the client does not load. */

/** Properties of a JSON response besides its records, such as totals. */
export interface CsvMetadata
  extends Pick<
    SearchData,
    | 'unknown'
    | 'unknown_grants'
    | 'coverage'
    | 'covered'
    | 'grants'
    | 'on_record'
    | 'without_dates'
    | 'without_filters'
    | 'understood'
  > {
  /** Whether the records match approximately, because nothing matched exactly. */
  readonly approximate?: true | undefined;
}

/** Response header that carries `CsvMetadata`, because every line of a CSV body is a record. */
export const CSV_METADATA_HEADER = 'X-Result-About';

/** ASCII-only JSON, as header values require (RFC 9110, 5.5). */
export const writeCsvMetadata = (about: object): string =>
  JSON.stringify(about).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Parses the header; a proxy may have removed it. */
export const readCsvMetadata = (header: string | null): CsvMetadata => ({
  unknown: {},
  covered: null,
  ...(JSON.parse(header ?? '{}') as Partial<CsvMetadata>),
});
