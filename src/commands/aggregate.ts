import type { Client } from '../client/client.ts';
import {
  type AggregateData,
  type AggregateQuery,
  aggregateQuery,
  EXTREMES,
  GROUPS,
  groupNamed,
  MEASURED_FIELD,
  TOP_MAX,
} from '../contract/aggregate.ts';
import { countValues, isMeasureColumn, unshownWithoutGroup } from '../contract/aggregate-rows.ts';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { factOf } from '../contract/filter-words.ts';
import { type FilterName, type Filters, filterShape, unknownFacts } from '../contract/filters.ts';
import { createReader } from '../contract/reader.ts';
import type { SearchData } from '../contract/record-responses.ts';
import {
  aggregateSample,
  amongGrants,
  isDateOfRounds,
  isOfGrants,
  isSampled,
  ONLY_GRANTS_MATCH,
  ungroupedText,
  unsourcedByRow,
} from '../contract/sample-notes.ts';
import { UNSOURCED } from '../contract/unsourced.ts';
import { shortMoney, totalText } from '../contract/usd.ts';
import { counted, countText, withAnd } from '../contract/value-text.ts';
import { isVocabularyField, NO_GRANTS, vocabularyLabel } from '../contract/vocabulary.ts';
import { csvLine } from '../store/csv.ts';
import { type Command, type Flag, type Flags, READING_SETTINGS } from './command.ts';
import { UsageError } from './config.ts';
import { FILTER_FLAGS } from './filter-flags.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { nameInWords, print, printJson, printTable, printToStderr, visible } from './output.ts';
import { callService, emptyDatabaseText } from './service-connection.ts';
import { didYouMean } from './suggest.ts';

const { of, group_by, measure, top, order } = aggregateQuery.shape;
const parameters = { group_by, measure, top, order };
const read = createReader(aggregateQuery, 'arguments');

export const command: Command = {
  usage: 'aggregate TYPE --group-by GROUP',
  about: 'Count and sum records by group. TYPE is the record type, such as rounds; --of TYPE is equivalent.',
  example: 'web3-bi aggregate rounds --group-by year --measure count,sum',
  moreExamples: [
    'web3-bi aggregate rounds --group-by lead_investor --funding-stage except:grant --top 5',
    'web3-bi aggregate companies --group-by country --csv',
  ],
  completes: RECORD_TYPES,
  flags: {
    ...describedInHelp(flagsOfSchema({ of: of.optional(), ...parameters })),
    ...FILTER_FLAGS,
    csv: { type: 'boolean', description: 'Print CSV.' },
  },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals }) => {
    const queryParameters = parametersOf({ of, ...parameters, ...filterShape }, flags);
    const type = positionals[0] ?? queryParameters['of'];
    checkGroups(type, queryParameters['group_by']);
    const query = readFlags(read, { ...queryParameters, of: type });
    const show = (data: AggregateData): void => {
      if (flags['json'] === true) printJson(data);
      else if (flags['csv'] === true) printCsv(data, query);
      else printAggregate(data, query);
    };
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

/** The flags with the help that people need: groups by type, each on a line. */
function describedInHelp(flags: Flags): Flags {
  const groups = RECORD_TYPES.map((type) => `${type}: ${Object.keys(GROUPS[type]).join(', ')}`).join('\n');
  const described: Readonly<Record<string, Pick<Flag, 'value' | 'description' | 'checked' | 'completes'>>> = {
    of: { value: 'TYPE', description: 'The record type, instead of the argument.' },
    'group-by': { value: 'GROUP', checked: 'by command', description: `One group, or two as year,stage.\n${groups}` },
    measure: {
      value: 'MEASURE',
      description:
        'What to compute, one or several as count,sum. Beside count, they are of the amount of rounds, the known funding of companies, or the number of investments of investors.',
    },
    top: { value: 'N', description: 'Rows to show: 20 if not given, at most 200.' },
    order: {
      value: 'COLUMN',
      completes: [...(flags['measure']?.choices ?? []), ...EXTREMES, ...(flags['group-by']?.choices ?? [])],
      description:
        'A measure, for the largest first, largest or smallest, by the first measure, or a group, with - before it for the last first. If not given: years, quarters and months by time, others by the first measure.',
    },
  };
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, ...described[name] }]));
}

/** Throws a UsageError that names the groups of the type, where the schema would name those of all types. */
function checkGroups(type: unknown, given: unknown): void {
  if (type === undefined)
    throw new UsageError(`aggregate needs a TYPE: ${RECORD_TYPES.join(', ')}. For example: ${command.example}`);
  const of = RECORD_TYPES.find((each) => each === type);
  if (of === undefined)
    throw new UsageError(`TYPE must be one of ${RECORD_TYPES.join(', ')}.${didYouMean(String(type), RECORD_TYPES)}`);
  const groups = Object.keys(GROUPS[of]);
  if (given === undefined)
    throw new UsageError(`aggregate ${of} needs --group-by: one or two of ${groups.join(', ')}.`);
  const unknown = String(given)
    .split(/[,|]/)
    .find((each) => !groups.includes(groupNamed(of, each.trim())));
  if (unknown === undefined) return;
  throw new UsageError(`--group-by of ${of} must be one or two of ${groups.join(', ')}.${didYouMean(unknown, groups)}`);
}

type Cell = AggregateData['rows'][number][number];

const cellText = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === 'object' ? `${cell.type}/${cell.slug}` : cell;

function printCsv(data: AggregateData, query: AggregateQuery): void {
  print(csvLine(data.columns));
  for (const row of data.rows) print(visible(csvLine(row.map(cellText))));
  if (data.covered.records === 0) noneText(data, query).forEach(printToStderr);
}

const noneText = ({ covered }: AggregateData, { of }: AggregateQuery): string[] => [
  `No ${of} match.`,
  ...excludedLines(covered.left_out, of, covered.left_out_grants),
];

/** Of several measures, which are of one field, the heading is the measure alone. */
const headingOf = (column: string, columns: readonly string[]): string => {
  const measures = columns.filter((each) => isMeasureColumn(each) && each !== 'count');
  return (
    measures.length > 1 && measures.includes(column) ? column.replace(/_.*/, '') : nameInWords(column)
  ).toUpperCase();
};

function shownCell(cell: Cell, column: string): string {
  if (cell === null) return /_usd$/.test(column) ? '-' : 'not known';
  if (/_usd$/.test(column)) return shortMoney(Number(cell));
  if (typeof cell === 'number') return column.startsWith('year') ? String(cell) : countText(cell);
  if (isVocabularyField(column)) return vocabularyLabel(String(cell));
  return typeof cell === 'object' ? cell.name : cell;
}

/** Prints an aggregate as a table, and what it rests on to stderr; returns the latter. The flag shows up to so many rows. */
export function printAggregate(data: AggregateData, query: AggregateQuery, flag = '--top', max = TOP_MAX): string[] {
  const { columns, rows } = data;
  if (data.covered.records === 0) {
    const lines = noneText(data, query);
    lines.forEach(printToStderr);
    return lines;
  }
  const unsourced = unsourcedByRow(data);
  const shown = rows.map((row, at) => [
    ...row.map((cell, index) => shownCell(cell, columns[index] ?? '')),
    ...(unsourced === undefined ? [] : [unsourced[at] || '0']),
  ]);
  const heads = [...columns, ...(unsourced === undefined ? [] : [UNSOURCED])];
  printTable([heads.map((column) => headingOf(column, columns)), ...shown]);
  const [heading = '', ...notes] = notesOf(data, query);
  // Those without a value are a row, but no group.
  const groups = countValues(data);
  const shownGroups = rows.length - (groups < data.groups && rows.length === data.groups ? 1 : 0);
  const more = data.groups <= max ? `${data.groups} shows all` : `${max} shows more`;
  const cut = `${shownGroups} of ${countText(groups)} groups are shown; ${flag} ${more}.`;
  const isCut = shownGroups < Math.min(groups, max);
  const lines = [heading, ...(isCut ? [cut] : []), ...notes];
  lines.forEach(printToStderr);
  return lines;
}

function notesOf(data: AggregateData, query: AggregateQuery): string[] {
  const { grants, ...covered } = data.covered;
  const { of, group_by, measure } = query;
  const { records, known, from, to, overlapping, left_out, left_out_grants } = covered;
  const isMeasured = measure.some((each) => each !== 'count');
  const fields = (isMeasured ? [MEASURED_FIELD[of] ?? ''] : group_by).map(nameInWords).join(' and ');
  const dates = from === null ? '' : `, ${isSampled(of) ? '' : 'facts of '}${from} to ${to}`;
  const total = totalText(data);
  const noun = isOfGrants(query as Filters) ? 'grants' : of;
  const ungrouped = unshownWithoutGroup(data);
  return [
    `${counted(countValues(data), 'groups')} of ${counted(records, noun)}${dates}; ${countText(known)} ${known === 1 ? 'has' : 'have'} a known ${fields}${total === undefined ? '' : `, ${total}`}.`,
    ...(overlapping === undefined
      ? []
      : [`${countText(overlapping)} of the ${noun} ${overlapping === 1 ? 'counts' : 'count'} in several groups.`]),
    ...(ungrouped === 0
      ? []
      : [
          `${countText(ungrouped)} of the ${noun} ${ungrouped === 1 ? 'has' : 'have'} no known ${group_by.map(nameInWords).join(' or ')}${ungroupedText(data)}.`,
        ]),
    ...grantsLine(grants),
    ...aggregateSample({ covered }, query),
    ...excludedLines(left_out, of, left_out_grants),
  ];
}

/** How many of some rounds are grants, in at most one line. */
export function grantsLine(grants: number | undefined, records?: number): string[] {
  if (grants === undefined) return [];
  if (grants === records) return [`Found ${ONLY_GRANTS_MATCH}.`];
  const [are, them] = grants === 1 ? ['is a grant', 'it'] : ['are grants', 'them'];
  return [`${countText(grants)} ${are}: --funding-stage ${NO_GRANTS} leaves ${them} out.`];
}

/** The number of records that only an unknown field excludes, in at most one line. */
export function excludedLines(
  unknown: SearchData['unknown'] = {},
  type: RecordType | 'all' = 'all',
  grants: SearchData['unknown_grants'] = {},
): string[] {
  const counts = [...unknownFacts(unknown)].map(([names, some]) => {
    const facts = [...new Set(names.map((name) => factOf(name as FilterName, type)))];
    const what = `${withAnd(facts)} ${facts.length === 1 ? 'is' : 'are'}`;
    const isOfRounds = names.some((name) => isDateOfRounds(name, type));
    const them = amongGrants(grants[names[0] as FilterName]);
    return [
      `${isOfRounds ? `with no round on record whose ${what} known` : `whose ${what} unknown`}${them}`,
      some,
    ] as const;
  });
  const [[fact, count] = [], ...rest] = new Map(counts);
  if (fact === undefined || count === undefined) return [];
  const others = count === 1 ? 'other that matches the rest, but' : 'others that match the rest, but';
  const more = rest.map(([other, some]) => `; ${countText(some)} ${other}`);
  return [`Left out: ${countText(count)} ${others} ${fact}${more.join('')}.`];
}
