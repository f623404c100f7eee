import { type AggregateData, aggregateQuery } from '../contract/aggregate.ts';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { filterShape } from '../contract/filters.ts';
import { createReader } from '../contract/reader.ts';
import { shortMoney } from '../contract/usd.ts';
import { isSpoken, spoken } from '../contract/vocabulary.ts';
import { csvLine } from '../store/csv.ts';
import { askPerson } from './ask.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { counted, print, printJson, printTable, shownCount, tell } from './output.ts';
import { isTerminal } from './terminal.ts';

const { of, group_by, measure, top, order } = aggregateQuery.shape;
const parameters = { group_by, measure, top, order };
const read = createReader(aggregateQuery, 'arguments');

export const command: Command = {
  usage: 'aggregate TYPE --group-by GROUP',
  positionalsMax: 1,
  about: 'Count and sum records by group. TYPE is the record type, such as rounds; --of TYPE is equivalent.',
  example: 'web3-bi aggregate rounds --group-by year --measure count,sum',
  completes: RECORD_TYPES,
  flags: {
    ...flagsOfSchema({ of: of.optional(), ...parameters }),
    ...flagsOfSchema(filterShape, 'Filters'),
    csv: { type: 'boolean', description: 'Print CSV.' },
    json: JSON_FLAG,
  },
  settings: ['base-url', 'database', 'data', 'state-dir'],
  needsDatabase: true,
  run: async ({ settings, flags, positionals }) => {
    const given = parametersOf({ of, ...parameters, ...filterShape }, flags);
    const query = readFlags(read, { ...given, of: positionals[0] ?? given['of'] });
    const show = flags['json'] === true ? printJson : flags['csv'] === true ? printCsv : printGroups;
    await askPerson(settings, (client) => client.aggregate(query), show);
    return 0;
  },
};

type Cell = AggregateData['rows'][number][number];

const cellText = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === 'object' ? `${cell.type}/${cell.slug}` : cell;

function printCsv({ columns, rows }: AggregateData): void {
  print(csvLine(columns));
  for (const row of rows) print(csvLine(row.map(cellText)));
}

const plainCell = (cell: Cell): string => (cell !== null && typeof cell === 'object' ? cell.name : String(cell ?? ''));

const headingOf = (column: string): string => column.replace(/_usd$/, '').replaceAll('_', ' ').toUpperCase();

function shownCell(cell: Cell, column: string): string {
  if (cell === null) return /_usd$/.test(column) ? '-' : 'not known';
  if (/_usd$/.test(column)) return shortMoney(Number(cell));
  if (typeof cell === 'number') return column.startsWith('year') ? String(cell) : shownCount(cell);
  return isSpoken(column) ? spoken(String(cell)) : plainCell(cell);
}

function printGroups({ columns, rows, groups, covered }: AggregateData): void {
  const [heading, shown] = isTerminal() ? [headingOf, shownCell] : [String, plainCell];
  printTable([columns.map(heading), ...rows.map((row) => row.map((cell, index) => shown(cell, columns[index] ?? '')))]);
  const { records, known, from, to, grants, overlapping } = covered;
  const dates = from === null ? '' : `, ${from} to ${to}`;
  const mixed = grants === undefined ? '' : `; ${shownCount(grants)} of the records are grants`;
  const shared = overlapping === undefined ? '' : `; ${shownCount(overlapping)} count in several groups`;
  const all = `${counted(groups, 'groups')} of ${shownCount(records)} records`;
  tell(`${all}, ${shownCount(known)} of them known${dates}${mixed}${shared}`);
}
