import { recordsCompared } from '../contract/compared-records.ts';
import { entityOf, type RecordData, type RecordType } from '../contract/entities/index.ts';
import { statedValue } from '../contract/periods.ts';
import type { SearchData } from '../contract/record-responses.ts';
import { leadsMark } from '../contract/record-texts.ts';
import { DAGGER, DAGGER_NOTE, isOfEditors, ledMark, UNSOURCED, unsourcedMark } from '../contract/unsourced.ts';
import { markedText } from '../contract/unsourced-texts.ts';
import { shortMoney } from '../contract/usd.ts';
import { valueText } from '../contract/value-text.ts';
import { GRANT, isVocabularyField, stageOfCompany, vocabularyLabel } from '../contract/vocabulary.ts';
import { cut, printTable, printToStderr, terminalWidth } from './output.ts';

/** Records as tables of a terminal. */

/** Table columns besides the name and the field of the order; by default the first concise fields. */
export const COLUMNS: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  companies: ['funding_stage', 'total_funding_usd', 'tagline'],
  people: ['headline'],
  investors: ['investments_count', 'lead_count', 'tagline'],
  events: ['start_date', 'location_json', 'event_type'],
  rounds: ['announced_date', 'stage', 'amount_usd', 'valuation_usd', 'lead_investors'],
};

/** In a narrower terminal a tagline beside other columns would be truncated. */
const TAGLINE_WIDTH_MIN = 100;

const COLUMNS_MAX = 3;
const HEADINGS: Readonly<Record<string, string>> = {
  funding_stage: 'stage',
  total_funding_usd: 'funding',
  investments_count: 'rounds',
  lead_count: 'led',
  start_date: 'date',
  location_json: 'place',
  event_type: 'kind',
  announced_date: 'date',
  amount_usd: 'amount',
  valuation_usd: 'valuation',
  lead_investors: 'led by',
};

export function showTable(type: RecordType, records: readonly RecordLike[], order: readonly string[]): void {
  // The name of a round repeats its company, stage and date.
  const identifying = [type === 'rounds' ? 'company' : 'name', 'slug'];
  const detailed = [...new Set([...order, ...(COLUMNS[type] ?? entityOf(type).concise.slice(0, COLUMNS_MAX))])];
  const columns = [
    ...identifying,
    ...detailed.filter((column) => {
      if (column === 'valuation_usd') return records.some((record) => record[column] != null);
      return column !== 'tagline' || terminalWidth() >= TAGLINE_WIDTH_MIN;
    }),
  ];
  const headings = columns.map((column) => headingOf(column, records).toUpperCase());
  const rows = records.map((record) => columns.map((column) => tableCell(record, column)));
  const [who = '', slug = '', ...others] = headings;
  // Some events have names as long as a line.
  const named = rows.map(([name = '', ...cells]) => [cut(name, Math.floor(terminalWidth() / 2)), ...cells]);
  printTable([headings, ...named], { whole: [who], below: slug, wrapped: 'LED BY', dropped: others.reverse() });
  const unsourced = records.flatMap((record) => {
    const mark = unsourcedMark(record);
    if (mark === '') return [];
    return mark === UNSOURCED ? String(record['slug']) : `${record['slug']} (${mark.replace(` ${UNSOURCED}`, '')})`;
  });
  const what = type === 'companies' ? 'Known funding stated' : 'Stated';
  if (unsourced.length > 0)
    printToStderr(`${what} by the editors of the data set alone (${UNSOURCED}): ${unsourced.join(', ')}.`);
  for (const line of daggerNote(records)) printToStderr(line);
}

/** A grant has no lead investor; its investors are the givers. */
const headingOf = (column: string, records: readonly RecordLike[]): string =>
  column === 'lead_investors' && records.some(({ stage }) => stage === GRANT)
    ? 'led or given by'
    : headingWords(column);

export const headingWords = (column: string): string => HEADINGS[column] ?? column.replaceAll('_', ' ');

export const UNKNOWN_CELL = '-';

export type RecordLike = Readonly<Record<string, unknown>>;

export function tableCell(record: RecordLike, column: string): string {
  const value = LINES.includes(column) ? lineOf(record) : cellValue(record, column);
  if (value == null) return UNKNOWN_CELL;
  if (column === 'slug') return String(value);
  if (column.endsWith('_usd')) return shortMoney(Number(value));
  if (isVocabularyField(column)) return vocabularyLabel(String(value));
  const mark = column === 'lead_investors' && leadsMark(record as RecordData) !== '' ? ` ${DAGGER}` : '';
  return valueText(value) + mark || UNKNOWN_CELL;
}

/** What the mark of leads and lines that only the editors of the data set state says; nothing without one. */
export const daggerNote = (records: readonly RecordLike[]): readonly string[] =>
  records.some((record) => leadsMark(record as RecordData) !== '' || lineOf(record)?.includes(DAGGER))
    ? [DAGGER_NOTE]
    : [];

const LINES = ['tagline', 'headline'];

/** What a record is, in a line, marked where only the editors of the data set state it; null if it has none. */
export function lineOf(record: RecordLike): string | null {
  const field = LINES.find((line) => record[line] != null);
  return field === undefined ? null : markedText(record, field, ` ${DAGGER}`);
}

const cellValue = (record: RecordLike, column: string): unknown =>
  column === 'funding_stage'
    ? stageOfCompany(record)
    : statedValue(record, column === 'lead_investors' && record['stage'] === GRANT ? 'investors' : column);

/** How much of the known funding of a company, or of the rounds that an investor led, is unsourced, after it. */
export function markAfter(record: RecordLike, field: string): string {
  if (field === 'lead_count') return ledMark(record);
  const mark = field === 'total_funding_usd' ? unsourcedMark(record) : '';
  return mark && `, ${mark}`;
}

export const comparedIn = ({ understood, results, page }: SearchData): readonly RecordData[] =>
  page > 1 || understood === undefined ? [] : recordsCompared(understood, results as readonly RecordData[]);

/** Fields that say little side by side. */
const NOT_COMPARED = new Set([
  'tagline',
  'headline',
  'website',
  'twitter',
  'month_only',
  'unsourced_funding_usd',
  'unsourced_lead_count',
]);

/** The mark of a known field that nobody but the editors states; blank for others. */
const daggerOf = (record: RecordData, field: string): string =>
  tableCell(record, field) !== UNKNOWN_CELL && isOfEditors(record, field) ? ` ${DAGGER}` : '';

/** Records that a sentence compares, each in a column. */
export function showCompared(records: readonly RecordData[]): void {
  const [first] = records as readonly [RecordData];
  const fields = entityOf(first.type).concise.filter(
    (field) => !NOT_COMPARED.has(field) && records.some((record) => tableCell(record, field) !== UNKNOWN_CELL),
  );
  const rows = fields.map((field) => [
    headingWords(field).toUpperCase(),
    ...records.map((record) => `${tableCell(record, field)}${markAfter(record, field)}${daggerOf(record, field)}`),
  ]);
  printTable([['', ...records.map(({ name }) => name)], ['SLUG', ...records.map(({ slug }) => slug)], ...rows]);
  if (rows.some((row) => row.some((cell) => cell.endsWith(DAGGER)))) printToStderr(DAGGER_NOTE);
}
