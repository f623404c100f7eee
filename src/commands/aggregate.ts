import type { Client } from '../client/client.ts';
import {
  type AggregateData,
  type AggregateQuery,
  aggregateQuery,
  GROUPS,
  MEASURED_FIELD,
} from '../contract/aggregate.ts';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { filterShape } from '../contract/filters.ts';
import { createReader } from '../contract/reader.ts';
import { aggregateSample } from '../contract/sample-notes.ts';
import { shortMoney } from '../contract/usd.ts';
import { isVocabularyField, vocabularyLabel } from '../contract/vocabulary.ts';
import { csvLine } from '../store/csv.ts';
import { type Command, JSON_FLAG, READING_SETTINGS } from './command.ts';
import { UsageError } from './config.ts';
import { excludedLines } from './excluded-records.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { nameInWords, print, printJson, printTable, printToStderr, shownCount, shownName } from './output.ts';
import { callService, emptyDatabaseText } from './service-connection.ts';
import { didYouMean } from './suggest.ts';
import { isTerminal } from './terminal.ts';

const { of, group_by, measure, top, order } = aggregateQuery.shape;
const parameters = { group_by, measure, top, order };
const read = createReader(aggregateQuery, 'arguments');

export const command: Command = {
  usage: 'aggregate TYPE --group-by GROUP',
  about: 'Count and sum records by group. TYPE is the record type, such as rounds; --of TYPE is equivalent.',
  example: 'web3-bi aggregate rounds --group-by year --measure count,sum',
  completes: RECORD_TYPES,
  flags: {
    ...flagsOfSchema({ of: of.optional(), ...parameters }),
    ...flagsOfSchema(filterShape, 'Filters'),
    csv: { type: 'boolean', description: 'Print CSV.' },
    json: JSON_FLAG,
  },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals }) => {
    const queryParameters = parametersOf({ of, ...parameters, ...filterShape }, flags);
    const type = positionals[0] ?? queryParameters['of'];
    checkGroups(type, queryParameters['group_by']);
    const query = readFlags(read, { ...queryParameters, of: type });
    const printText = (data: AggregateData): void => printAggregate(data, query);
    const show = flags['json'] === true ? printJson : flags['csv'] === true ? printCsv : printText;
    const count = async (client: Client) => {
      const data = await client.aggregate(query);
      const isLocal = settings.base_url === undefined;
      return { data, emptyText: isLocal && data.covered.records === 0 ? await emptyDatabaseText(client) : undefined };
    };
    await callService(settings, count, ({ data, emptyText }) => {
      show(data);
      if (emptyText !== undefined) printToStderr(emptyText);
    });
  },
};

/** Throws a UsageError that names the groups of the type, where the schema would name those of all types. */
function checkGroups(type: unknown, given: unknown): void {
  if (type === undefined)
    throw new UsageError(`aggregate needs a TYPE: ${RECORD_TYPES.join(', ')}. For example: ${command.example}`);
  const of = RECORD_TYPES.find((each) => each === type);
  if (of === undefined) return;
  const groups = Object.keys(GROUPS[of]);
  if (given === undefined)
    throw new UsageError(`aggregate ${of} needs --group-by: one or two of ${groups.join(', ')}.`);
  const unknown = String(given)
    .split(/[,|]/)
    .find((each) => !groups.includes(each.trim()));
  if (unknown === undefined) return;
  throw new UsageError(`--group-by of ${of} must be one or two of ${groups.join(', ')}.${didYouMean(unknown, groups)}`);
}

type Cell = AggregateData['rows'][number][number];

const cellText = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === 'object' ? `${cell.type}/${cell.slug}` : cell;

function printCsv({ columns, rows }: AggregateData): void {
  print(csvLine(columns));
  for (const row of rows) print(csvLine(row.map(cellText)));
}

const plainCell = (cell: Cell): string => (cell !== null && typeof cell === 'object' ? cell.name : String(cell ?? ''));

const headingOf = (column: string): string => shownName(column).toUpperCase();

function shownCell(cell: Cell, column: string): string {
  if (cell === null) return /_usd$/.test(column) ? '-' : 'not known';
  if (/_usd$/.test(column)) return shortMoney(Number(cell));
  if (typeof cell === 'number') return column.startsWith('year') ? String(cell) : shownCount(cell);
  return isVocabularyField(column) ? vocabularyLabel(String(cell)) : plainCell(cell);
}

/** Prints an aggregate as a table, and what it rests on to stderr. */
export function printAggregate(data: AggregateData, query: AggregateQuery): void {
  const { columns, rows, groups, covered } = data;
  const { of, group_by, measure } = query;
  const { records, known, from, to, overlapping, left_out = {} } = covered;
  for (const line of aggregateSample(data, query)) printToStderr(line);
  const [heading, shown] = isTerminal() ? [headingOf, shownCell] : [String, plainCell];
  printTable([columns.map(heading), ...rows.map((row) => row.map((cell, index) => shown(cell, columns[index] ?? '')))]);
  const dates = from === null ? '' : `, ${from} to ${to}`;
  const shared = overlapping === undefined ? '' : `; ${shownCount(overlapping)} count in several groups`;
  const all = `${shownCount(groups)} ${groups === 1 ? 'group' : 'groups'} of ${shownCount(records)} records`;
  const isMeasured = measure.some((each) => each !== 'count');
  const shownColumns = isMeasured ? [MEASURED_FIELD[of] ?? ''] : group_by;
  const fields = shownColumns.map(nameInWords).join(' and ');
  printToStderr(`${all}, ${shownCount(known)} of them with a known ${fields}${dates}${shared}.`);
  for (const line of excludedLines(left_out)) printToStderr(line);
}
