import { MONEY_FORM } from '../../contract/fields.ts';
import { importTargets } from '../../contract/import-names.ts';
import { foldName } from '../../contract/names.ts';
import type { ImportReport } from './report.ts';

const OTHER_CURRENCY = '; write another currency in amount_raw';
const DAYS = 'day, as 2024-01-31 or 31 January 2024';
const MONTHS_TOO = ', or month, as 2024-01 or January 2024';
/** A day as spreadsheets store it: of the years 1954 to 2173. */
const SERIAL_DAY = /^[2-9]\d{4}(?:\.\d+)?$/;

/** What is wrong with a field of a row, in the forms that a file may have. */
export function wordFault(message: string, field: string, value: unknown): string {
  if (/_date$/.test(field)) return wordDate(message, field, value);
  return message
    .replace(MONEY_FORM, `US dollars, such as 1250000, 1.5M or $5M${field === 'amount_usd' ? OTHER_CURRENCY : ''}`)
    .replace('an http or https address', 'an http or https address, such as https://example.com')
    .replace(
      /a whole number$/,
      field === 'year_founded' ? 'a year, such as 2019' : 'a whole number in digits, such as 1200',
    );
}

function wordDate(message: string, field: string, value: unknown): string {
  const form = `${DAYS}${field === 'announced_date' ? MONTHS_TOO : ''}`;
  const worded = message.replace('date, as 2024-01-31', form).replace(/must be text$/, `must be a valid ${form}`);
  return worded !== message && SERIAL_DAY.test(String(value))
    ? `${field} is a number in which a spreadsheet counts days; give the cells the format yyyy-mm-dd and save the file again`
    : worded;
}

/** That a file names no column for a field, with those that it names; undefined if it does, or is no CSV. */
export function lackedColumn({ type, columns }: ImportReport, field: string): string | undefined {
  const targets = importTargets(type);
  if (columns === undefined || columns.some((name) => targets.get(foldName(name))?.to.split('.')[0] === field))
    return undefined;
  const separators = columns.length === 1 ? '; separate them by commas, semicolons or tabs' : '';
  return `no column for ${field}; the first line must name the columns, and has ${columns.slice(0, COLUMNS_SHOWN_MAX).join(', ')}${separators}`;
}

const COLUMNS_SHOWN_MAX = 30;
