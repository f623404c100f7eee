import type { SearchData } from './queries.ts';

/** What an answer in JSON says beside its records. */
export interface CsvAbout extends Pick<SearchData, 'unknown' | 'covered' | 'grants' | 'understood'> {
  /** Whether the records are only like what was asked for. */
  readonly approximate?: true | undefined;
}

/** The header that has it of an answer in CSV, whose every line is a record. */
export const CSV_ABOUT = 'X-Result-About';

/** JSON of nothing but ASCII, as headers are. */
export const writeCsvAbout = (about: object): string =>
  JSON.stringify(about).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What a header says; a proxy may have taken it away. */
export const readCsvAbout = (header: string | null): CsvAbout => ({
  unknown: {},
  covered: null,
  ...(JSON.parse(header ?? '{}') as Partial<CsvAbout>),
});
