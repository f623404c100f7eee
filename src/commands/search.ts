import type { Client } from '../client/client.ts';
import type { AggregateQuery } from '../contract/aggregate.ts';
import type { RecordData } from '../contract/entities/index.ts';
import { filtersText } from '../contract/filter-words.ts';
import { FILTER_NAMES, filterShape } from '../contract/filters.ts';
import { isInNames } from '../contract/named-records.ts';
import { CSV_ROWS_MAX, hasNextPage, SEARCH_LIMIT_MAX, searchOrCsvLimit, searchQuery } from '../contract/queries.ts';
import { createReader } from '../contract/reader.ts';
import type { SearchData, UnderstoodSentence } from '../contract/record-responses.ts';
import { countsText, isGrant } from '../contract/rounds.ts';
import { latestText, searchAbsence, searchSample } from '../contract/sample-notes.ts';
import {
  type AskedAggregate,
  aggregateAskedFor,
  answersAlone,
  askedIn,
  asksForLikes,
  fieldAskedFor,
  nearestText,
  unstatedText,
} from '../contract/sentence-calls.ts';
import { shellWord } from '../contract/shell-word.ts';
import { sortedBy, sortsAbout } from '../contract/sorts.ts';
import { isUnsourced, UNSOURCED } from '../contract/unsourced.ts';
import { countText } from '../contract/value-text.ts';
import { GRANT } from '../contract/vocabulary.ts';
import { excludedLines, grantsLine, printAggregate } from './aggregate.ts';
import { type Command, type Flag, type FlagValues, READING_SETTINGS } from './command.ts';
import { ConfigError, type Settings, UsageError } from './config.ts';
import { FILTER_FLAGS } from './filter-flags.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { recordTitle } from './get.ts';
import {
  isTerminal,
  nameInWords,
  print,
  printable,
  printJson,
  printToStderr,
  styled,
  terminalWidth,
  visible,
  wrap,
} from './output.ts';
import {
  COLUMNS,
  comparedIn,
  daggerNote,
  headingWords,
  lineOf,
  markAfter,
  type RecordLike,
  showCompared,
  showTable,
  tableCell,
  UNKNOWN_CELL,
} from './record-table.ts';
import { commandOf, readAs } from './sentence-lines.ts';
import { callService, emptyDatabaseText } from './service-connection.ts';

const parameters = searchQuery
  .omit({ query: true, format: true })
  .extend({ type: searchQuery.shape.type.default('all'), limit: searchOrCsvLimit });
const flags = flagsOfSchema(parameters.shape);
const read = createReader(searchQuery.extend({ limit: searchOrCsvLimit }), 'arguments');

export const command: Command = {
  usage: 'search [QUERY]',
  positionalsMax: Number.POSITIVE_INFINITY,
  about:
    'Search companies, people, investors, events and rounds. QUERY is a name, keywords or a sentence, of which type, places, dates, amounts and names are read as filters; without it, the records that match the filters are listed.',
  example: 'web3-bi search "open sea" --type companies',
  moreExamples: [
    'web3-bi search "series A rounds led by paradigm in 2021"',
    'web3-bi search "companies in Germany backed by a16z"',
    'web3-bi search "alternatives to Aave"',
    'web3-bi search --type companies --chain Base --funding-min 10M --sort -total_funding_usd',
  ],
  flags: {
    ...flags,
    sort: { ...flags['sort'], choicesText: sortsAbout() } as Flag,
    ...FILTER_FLAGS,
    csv: { type: 'boolean', description: `Print CSV, with up to ${CSV_ROWS_MAX} rows.` },
  },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals }) => {
    const isCsv = flags['csv'] === true;
    if (isCsv && flags['json'] === true) throw new UsageError('--csv and --json: give one of them.');
    const query = queryOf(flags, positionals.join(' '));
    if (isCsv) await callService(settings, (client) => searchCsv(client, query, settings), showCsv);
    else if (flags['json'] === true)
      checkPage(await callService(settings, (client) => client.search(query), printJson));
    else {
      const find = (client: Client): Promise<Found> => searchWithRounds(client, query, settings);
      checkPage((await callService(settings, find, show)).found);
    }
  },
};

/** The rows; without any, also what is known about that, where a further request is free. */
async function searchCsv(client: Client, query: ReturnType<typeof queryOf>, settings: Settings) {
  const { text, totalResults } = await client.searchCsv(query);
  const isExplained = totalResults === 0 && settings.base_url === undefined;
  const empty = isExplained ? await searchWithRounds(client, { ...query, limit: 1 }, settings) : undefined;
  return { text, totalResults, empty };
}

function showCsv({ text, totalResults, empty }: Awaited<ReturnType<typeof searchCsv>>): void {
  process.stdout.write(visible(text));
  if (empty === undefined) printToStderr(`${totalResults} found`);
  else showNotes(empty);
}

/** An empty search without filters is an error, because it would list everything. */
function queryOf(flags: FlagValues, text: string) {
  const queryParameters = parametersOf(parameters.shape, flags);
  const isNarrowed =
    flags['sort'] !== undefined || Object.values(parametersOf(filterShape, flags)).some((given) => given !== undefined);
  if (text === '' && !isNarrowed && flags['type'] === 'all')
    throw new UsageError(
      'search needs a QUERY, a filter or a type, such as: web3-bi search coinbase, or web3-bi search --tag defi',
    );
  return readFlags(read, { ...queryParameters, query: text });
}

interface Found {
  readonly query: ReturnType<typeof queryOf>;
  readonly found: SearchData;
  /** Rounds with the same words, which a search of all types omits. */
  readonly rounds: string;
  readonly emptyText?: string | undefined;
}

/** Makes further requests only where they are free: a remote service counts or charges each. */
async function searchWithRounds(client: Client, query: ReturnType<typeof queryOf>, settings: Settings): Promise<Found> {
  const { base_url } = settings;
  const found = await client.search(query);
  if (found.answer !== undefined) return { query, found, rounds: '' };
  if (base_url === undefined && found.totalResults === 0)
    return { query, found, rounds: '', emptyText: await emptyDatabaseText(client) };
  const { type, list } = found.understood ?? {};
  const isOfNames = query.type === 'all' && type === undefined && list === undefined;
  const isFiltered = FILTER_NAMES.some((name) => query[name] !== undefined);
  if (base_url !== undefined || query.page > 1 || !isOfNames || isFiltered) return { query, found, rounds: '' };
  const page = await client.search({ type: 'rounds', query: query.query, page: 1, limit: 1 });
  const { results, totalResults: total } = page;
  // Approximate rounds are omitted beside exact records.
  const isLess = isApproximate(results) && found.results.length > 0 && !isApproximate(found.results);
  const grants = page.grants ?? (results.some(isGrant) ? total : 0);
  return { query, found, rounds: isLess || total === 0 ? '' : countsText({ rounds: total - grants, grants }) };
}

const isApproximate = ([first]: SearchData['results']): boolean => first !== undefined && 'approximate' in first;

function checkPage({ page, totalPages, totalResults }: SearchData): void {
  if (totalResults === 0 || page <= totalPages) return;
  throw new ConfigError(`Page ${page} does not exist; there ${totalPages === 1 ? 'is' : 'are'} ${totalPages}.`);
}

function show(result: Found): void {
  const { found, query } = result;
  const { understood, answer, sentence } = found;
  const asked = askedBy(found);
  if (sentence !== undefined) printToStderr(styled('bold', printable(sentence), process.stderr));
  const said =
    answer === undefined ? [] : printAggregate(answer, answer.asked as AggregateQuery, '--limit', SEARCH_LIMIT_MAX);
  if (answer !== undefined && asked !== undefined && answersAlone(asked, understood)) {
    const { of, group_by, filters } = asked;
    printToStderr(
      `Read as ${[`${of} by ${group_by.map(nameInWords).join(' and ')}`, ...filtersText(filters)].join(', ')}.`,
    );
    printToStderr(commandOf(asked));
    return;
  }
  if (answer !== undefined) print('');
  const [first] = found.results;
  const isOneType = first !== undefined && found.results.every(({ type }) => type === first.type);
  const order = [sortedBy(query, understood) ?? fieldAskedFor(understood ?? {}) ?? 'name'].filter(
    (field) => field !== 'name',
  );
  const compared = comparedIn(found);
  if (isTerminal() && compared.length > 0) showCompared(compared);
  else if (isTerminal() && isOneType) showTable(first.type, found.results, order);
  else showLines(found, order);
  showNotes(result, said);
}

/** What is to be known of the records that were found, but for what was said of the answer. */
function showNotes({ found, rounds, query, emptyText }: Found, said: readonly string[] = []): void {
  const { understood } = found;
  if (found.totalResults === 0) printToStderr(emptyText ?? nothingText(found, query));
  else if (found.page <= found.totalPages) {
    const more = hasNextPage(found) ? `; --page ${found.page + 1} shows more` : '';
    printToStderr(
      `${countText(found.totalResults)} found, page ${found.page} of ${countText(found.totalPages)}${more}`,
    );
  }
  if (rounds !== '') printToStderr(`Rounds that match too: ${rounds}; --type rounds lists them.`);
  if (understood !== undefined)
    for (const line of [...readAs(understood), ...askedCommands(understood, found)]) printToStderr(line);
  if (isApproximate(found.results) && comparedIn(found).length === 0)
    printToStderr(
      understood === undefined ||
        (understood.text !== '' &&
          understood.list === undefined &&
          !isInNames(found.results as RecordData[], understood))
        ? 'No exact match; similar records are shown.'
        : 'Not all was read as typed; the list matches what was read.',
    );
  const coverage = [
    ...grantsLine(found.grants, found.totalResults),
    ...excludedLines(found.unknown, understood?.type ?? query.type, found.unknown_grants),
    ...searchSample(found, query),
  ];
  for (const line of coverage.filter((each) => !said.includes(each))) printToStderr(line);
}

function nothingText(found: SearchData, query: Found['query']): string {
  if (found.understood?.unstated !== undefined) return 'Nothing is listed.';
  const until = found.covered === null ? undefined : latestText(found.covered);
  const known = [searchAbsence(found, query), until].filter((each) => each !== undefined);
  return ['Nothing matches; try fewer or other keywords, or fewer filters.', ...known].join(' ');
}

/** The aggregate that a search has as its answer, by the flags beside its sentence, too; else the one that the sentence asks for. */
function askedBy({ understood, answer, page, results }: SearchData): AskedAggregate | undefined {
  // A first page has counted what can be, unless it is approximate.
  const isCountable = page > 1 || isApproximate(results);
  if (answer !== undefined) return askedIn(answer.asked);
  return isCountable ? aggregateAskedFor(understood ?? {}) : undefined;
}

/** The commands that answer what a sentence asks for beyond a list, and the names nearest to an unknown one. */
function askedCommands(understood: UnderstoodSentence, found: SearchData): string[] {
  const { connect: [from, to] = [], nearest, unstated } = understood;
  const [first] = found.results;
  const asked = askedBy(found);
  const lines = nearest === undefined ? [] : [nearestText(nearest)];
  if (unstated !== undefined) lines.push(unstatedText(unstated));
  if (first?.type === 'investors' && asksForLikes(understood.ignored))
    lines.push(`Its co-investors: web3-bi get investors/${first.slug}`);
  if (to !== undefined) lines.push(`How they are connected: web3-bi connect ${shellWord(from)} ${shellWord(to)}`);
  return [...lines.map(printable), ...(asked === undefined ? [] : [commandOf(asked)])];
}

function showLines(found: SearchData, order: readonly string[]): void {
  for (const record of found.results) {
    const line = record.type === 'rounds' ? roundLine(record) : lineOf(record);
    // The line of a round has its date and amount.
    const facts =
      record.type === 'rounds'
        ? []
        : order.flatMap((field) =>
            field in record ? `  ${headingWords(field)} ${tableCell(record, field)}${markAfter(record, field)}` : [],
          );
    print(recordTitle(record) + facts.join(''));
    if (line != null) for (const part of wrapped(printable(line))) print(`    ${part}`);
  }
  for (const note of daggerNote(found.results)) printToStderr(note);
}

function roundLine(record: RecordLike): string | null {
  const known = (COLUMNS.rounds ?? []).flatMap((column) => {
    const value = tableCell(record, column);
    if (value === UNKNOWN_CELL) return [];
    if (column === 'valuation_usd') return [`valued at ${value}`];
    return column === 'lead_investors' ? [`${record['stage'] === GRANT ? 'from' : 'led by'} ${value}`] : [value];
  });
  if (isUnsourced(record)) known.push(UNSOURCED);
  return known.length === 0 ? null : known.join(', ');
}

const INDENT = 4;
const wrapped = (line: string): string[] => (isTerminal() ? wrap(line, terminalWidth() - INDENT) : [line]);
