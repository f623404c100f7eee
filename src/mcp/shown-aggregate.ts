import { type AggregateData, isMoney, withRows } from '../contract/aggregate.ts';
import { MEASURES } from '../contract/aggregate-rows.ts';
import { ungroupedText, unsourcedByRow } from '../contract/sample-notes.ts';
import { fitting } from './result-size.ts';
import { inLine, sanitize } from './sanitize.ts';
import { leftOutLine } from './shown-record.ts';

type Row = AggregateData['rows'][number];

/** An aggregate as tools return it: as many rows as fit, with money as numbers. */
export function showAggregate(data: AggregateData) {
  const shown = sanitize(data.rows.map((row) => row.map((cell, index) => asNumber(cell, data.columns[index] ?? ''))));
  const rows = fitting(shown);
  const { unsourced_by_row, sum, unsourced, ...covered } = withRows(data, [...rows.keys()]).covered;
  const amounts = {
    ...(sum !== undefined && { sum: Number(sum) }),
    ...(unsourced && { unsourced: { ...unsourced, ...(unsourced.sum && { sum: Number(unsourced.sum) }) } }),
    ...(unsourced_by_row && { unsourced_by_row: unsourced_by_row.map(Number) }),
  };
  return { ...data, rows, covered: { ...covered, ...amounts } };
}

export interface ShownAggregate extends Pick<AggregateData, 'columns' | 'groups' | 'covered'> {
  readonly rows: readonly (readonly unknown[])[];
}

/** The text of an aggregate: what it counted, the heading, and a line for each row. */
export function aggregateLines(answer: ShownAggregate): readonly string[] {
  const { columns, groups, covered } = answer;
  const { records, known, sum, unknown, ungrouped, from, to, overlapping, left_out = {}, left_out_grants } = covered;
  const measured = columns
    .find((column) => MEASURE.test(column))
    ?.replace(MEASURE, '')
    .replace(/_usd$/, '')
    .replaceAll('_', ' ');
  const counted = measured === undefined ? '' : `${measured} `;
  const byRow = [
    { head: `${counted}known`, numbers: covered.known_by_row },
    { head: 'grants', numbers: covered.grants_by_row },
    { head: 'unsourced', numbers: unsourcedByRow(answer as AggregateData)?.map((part) => part || 0) },
  ].filter(({ numbers }) => numbers !== undefined);
  const dates = from === null ? '' : `, ${from} to ${to}`;
  const loose =
    ungrouped === undefined
      ? ''
      : `; ${ungrouped} have no group${ungroupedText(answer as AggregateData)}${answer.rows.at(-1)?.[0] === null ? ' (the last row)' : ''}`;
  const shared =
    overlapping === undefined
      ? ''
      : `; ${overlapping} count in several groups${isOfWholeRounds(answer) ? ', each with the whole amount of the round' : ''}`;
  const lines = (answer.rows as Row[]).map((row, index) =>
    [...row.map(cellText), ...byRow.map(({ numbers }) => numbers?.[index])].join(' | '),
  );
  const heads = [...columns, ...byRow.map(({ head }) => head)];
  const none =
    known === 0 && records > 0 ? ` No record states ${measured === undefined ? columns[0] : `its ${measured}`}.` : '';
  return [
    `Groups: ${groups}, shown: ${lines.length}; records: ${records}, ${counted}known: ${known}${sum === undefined ? '' : ` (${sum} in all)`}, ${counted}unknown: ${unknown}${loose}${dates}${shared}.${leftOutLine({ unknown: left_out, unknown_grants: left_out_grants })}${none}`,
    heads.join(' | '),
    ...lines,
  ];
}

const isOfWholeRounds = ({ columns }: { readonly columns: readonly string[] }): boolean =>
  columns.some((column) => /investor$/.test(column)) && columns.some((column) => column.endsWith('amount_usd'));

const MEASURE = new RegExp(`^(${MEASURES.join('|')})_`);

/** Converts money from decimal text to a number for a model. */
const asNumber = (cell: Row[number], column: string): Row[number] =>
  isMoney(column) && typeof cell === 'string' ? Number(cell) : cell;

function cellText(cell: Row[number]): string {
  if (cell === null) return 'unknown';
  return inLine(typeof cell === 'object' ? `${cell.name} (${cell.type}/${cell.slug})` : String(cell));
}
