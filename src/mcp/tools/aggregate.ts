import * as z from 'zod';
import {
  type AggregateData,
  type AggregateQuery,
  aggregateData,
  aggregateQuery,
  GROUP_NAMES,
  isMoney,
  MEASURES,
} from '../../contract/aggregate.ts';
import { aggregateSample } from '../../contract/sample-notes.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { filterArguments } from '../filter-arguments.ts';
import { fitting } from '../result-size.ts';
import { DATA_NOTICE, inLine, sanitize } from '../sanitize.ts';
import { leftOutLine, notice } from '../shown-record.ts';

const { of, top } = aggregateQuery.shape;

const groupsWithout = (groups: readonly string[]): string =>
  `One or two of ${GROUP_NAMES.filter((name) => !groups.includes(name)).join(' ')}`;

/** Loose, because the filters are those of search, whose schema is published already. */
const published = z.looseObject({
  of: z.enum(of.options),
  group_by: z.array(z.string()).meta({ description: groupsWithout([]) }),
  measure: z.array(z.enum(MEASURES)).optional(),
  order: z.string().optional().meta({ description: 'A measure (largest first), group or -group.' }),
  top: top.meta({ description: 'Rows: 20, at most 200.' }),
});

const rows = z.array(z.array(z.unknown()));
const output = z.object({ notice, ...aggregateData.shape, rows, sample: z.string().optional() });

type Row = AggregateData['rows'][number];

export const aggregateTool = defineTool({
  name: 'aggregate',
  title: 'Count by group',
  description:
    'Totals by group, of a sample: how many, or sum, average, median of amounts raised. Takes the filters of search (tag, country, company, investor, funding_stage, from, to and so on). covered: amounts known, grants among rounds.',
  input: aggregateQuery.extend(filterArguments),
  published,
  narrow: (properties, { groups }) => ({
    ...properties,
    group_by: { ...properties['group_by'], description: groupsWithout(groups) },
  }),
  output,
  hints: READ_ONLY,
  access: ['key', 'embedded', 'none'],
  run: async (query, { client, signal }) => {
    const data = await client.aggregate(query, { signal });
    const shown = sanitize(data.rows.map((row) => row.map((cell, index) => asNumber(cell, data.columns[index] ?? ''))));
    const rows = fitting(shown);
    const { known_by_row, grants_by_row, sum, unsourced, ...covered } = data.covered;
    const sums = {
      ...(sum !== undefined && { sum: Number(sum) }),
      ...(unsourced && { unsourced: { ...unsourced, ...(unsourced.sum && { sum: Number(unsourced.sum) }) } }),
    };
    const byRow = {
      ...(known_by_row && { known_by_row: known_by_row.slice(0, rows.length) }),
      ...(grants_by_row && { grants_by_row: grants_by_row.slice(0, rows.length) }),
    };
    const lines = aggregateSample(data, query as AggregateQuery);
    const sample = lines.length === 0 ? {} : { sample: lines.join(' ') };
    return {
      notice: DATA_NOTICE,
      ...data,
      rows,
      covered: { ...covered, ...sums, ...byRow },
      ...sample,
    };
  },
  text: (answer) => {
    const { columns, groups, covered } = answer;
    const { records, known, sum, unknown, ungrouped, from, to, overlapping, left_out } = covered;
    const byRow = [
      { head: 'amounts known', numbers: covered.known_by_row },
      { head: 'grants', numbers: covered.grants_by_row },
    ].filter(({ numbers }) => numbers !== undefined);
    const dates = from === null ? '' : `, ${from} to ${to}`;
    const counted = columns.some(isOfAmounts) ? 'amount ' : '';
    const loose =
      ungrouped === undefined ? '' : `; ${ungrouped} have no group${isLastShown(answer) ? ' (the last row)' : ''}`;
    const shared =
      overlapping === undefined
        ? ''
        : `; ${overlapping} count in several groups${isOfWholeRounds(answer) ? ', each with the whole amount of the round' : ''}`;
    const lines = (answer.rows as Row[]).map((row, index) =>
      [...row.map(cellText), ...byRow.map(({ numbers }) => numbers?.[index])].join(' | '),
    );
    const heads = [...columns, ...byRow.map(({ head }) => head)];
    const none = known === 0 && records > 0 ? ` No record states ${counted === '' ? columns[0] : 'an amount'}.` : '';
    const sample = answer.sample === undefined ? '' : `${answer.sample} `;
    return [
      `${sample}Groups: ${groups}, shown: ${lines.length}; records: ${records}, ${counted}known: ${known}${sum === undefined ? '' : ` (${sum} in all)`}, ${counted}unknown: ${unknown}${loose}${dates}${shared}.${leftOutLine({ unknown: left_out ?? {} })}${none} ${answer.notice}`,
      heads.join(' | '),
      ...lines,
    ].join('\n');
  },
});

const isLastShown = ({ rows }: { readonly rows: readonly (readonly unknown[])[] }): boolean =>
  rows.at(-1)?.[0] === null;

const isOfWholeRounds = ({ columns }: { readonly columns: readonly string[] }): boolean =>
  columns.some((column) => /investor$/.test(column)) && columns.some((column) => column.endsWith('amount_usd'));

const isOfAmounts = (column: string): boolean => MEASURES.some((measure) => column.startsWith(`${measure}_`));

/** Converts money from decimal text to a number for a model. */
const asNumber = (cell: Row[number], column: string): Row[number] =>
  isMoney(column) && typeof cell === 'string' ? Number(cell) : cell;

function cellText(cell: Row[number]): string {
  if (cell === null) return 'unknown';
  return inLine(typeof cell === 'object' ? `${cell.name} (${cell.type}/${cell.slug})` : String(cell));
}
