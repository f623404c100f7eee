import * as z from 'zod';
import type { Client, SearchQuery } from '../../client/client.ts';
import type { AggregateQuery } from '../../contract/aggregate.ts';
import { fieldsAskedIn } from '../../contract/asked-fields.ts';
import type { CsvMetadata } from '../../contract/csv-metadata.ts';
import { conciseFields, RECORD_TYPES, type RecordData } from '../../contract/entities/index.ts';
import { checkFields } from '../../contract/field-names.ts';
import { partiesCounted } from '../../contract/groups-asked.ts';
import {
  CSV_ROWS_MAX,
  hasNextPage,
  SEARCH_LIMIT_DEFAULT,
  SEARCH_LIMIT_MAX,
  SEARCH_TYPES,
  searchOrCsvLimit,
  searchQuery,
} from '../../contract/queries.ts';
import type { SearchData, UnderstoodSentence } from '../../contract/record-responses.ts';
import { aggregateSample, grantsText, latestText, searchAbsence, searchSample } from '../../contract/sample-notes.ts';
import {
  aggregateAskedFor,
  answersAlone,
  askedIn,
  asksForLikes,
  type ListOwner,
  leftOutWords,
  nearestText,
  unstatedText,
  wordsOutOfTotals,
} from '../../contract/sentence-calls.ts';
import { SORTS_TEXT, sortedBy } from '../../contract/sorts.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { filterArguments, UNPUBLISHED } from '../filter-arguments.ts';
import {
  charactersLeft,
  countFitting,
  countFittingRecords,
  jsonLengthOf,
  type PagePosition,
  shorten,
  splitPage,
} from '../result-size.ts';
import { DATA_NOTICE, sanitize } from '../sanitize.ts';
import { aggregateLines, type ShownAggregate, showAggregate } from '../shown-aggregate.ts';
import {
  type Detail,
  fieldsArgument,
  leftOutLine,
  newestAsOf,
  notice,
  recordLine,
  recordOutput,
  showRecord,
} from '../shown-record.ts';

const { query, page, sort } = searchQuery.shape;

const input = z.strictObject({
  query,
  type: z.enum(SEARCH_TYPES).default('all').meta({ description: 'all: all but rounds.' }),
  ...filterArguments,
  sort: sort.meta({ description: SORTS_TEXT }),
  page: page.meta({ description: '' }),
  limit: searchOrCsvLimit.meta({
    description: `${SEARCH_LIMIT_DEFAULT}; at most ${SEARCH_LIMIT_MAX}, in CSV ${CSV_ROWS_MAX}.`,
  }),
  detail: z
    .enum(['concise', 'full', 'csv'])
    .default('concise')
    .meta({ description: 'concise: main known fields; full: all, with sources; csv: a table.' }),
  fields: fieldsArgument,
});

const output = z.object({
  notice,
  results: z.array(recordOutput),
  totalResults: z.int(),
  totalPages: z.int(),
  page: z.int(),
  limit: z.int(),
  next: z.looseObject({}).nullable(),
  asOf: z.string().nullable(),
  csv: z.string().optional(),
  unknown: z.looseObject({}),
  unknown_grants: z.record(z.string(), z.int()).optional(),
  coverage: z.looseObject({}).optional(),
  covered: z.string().nullable(),
  grants: z.int().optional(),
  sample: z.string().optional(),
  absence: z.string().optional(),
  approximate: z.boolean().optional(),
  understood: z.looseObject({}).optional(),
  answer: z.looseObject({}).optional(),
  sentence: z.string().optional(),
});

type Args = z.output<typeof input>;
type Answer = z.output<typeof output>;

export const searchTool = defineTool({
  name: 'search',
  title: 'Search records',
  description:
    'Find Web3 companies, people, investors (VCs), events, funding rounds by name, ticker, domain, keywords. Filters: A, A|B or a list (any), all:A|B, not:A|B, A|not:B, except:A|B (keeps unknown). Also founder, stale, sourced, investments_min. unknown: facts missing. Rounds, events: a sample. Use first, then get_entity.',
  input,
  narrow: (published, { filters }) =>
    Object.fromEntries(Object.entries(published).filter(([name]) => !(filters as readonly string[]).includes(name))),
  published: input.omit(UNPUBLISHED).loose(),
  output,
  hints: READ_ONLY,
  access: ['key', 'embedded', 'none'],
  run: async (given, { client, signal }) => {
    const { detail, fields, ...search } = given;
    checkFields(given.type === 'all' ? RECORD_TYPES : [given.type], fields, 'arguments');
    if (detail === 'csv') return searchTable(client, given, signal);
    const query = { ...search, fields: neededFields(given) } as SearchQuery;
    const found = await client.search(query, { signal });
    const requestJson = JSON.stringify(given);
    const known = shownPages.get(found);
    if (known?.asked === requestJson) return known.answer;
    const answer = shownPage(found, { ...given, detail });
    shownPages.set(found, { asked: requestJson, answer });
    return answer;
  },
  text: (answer) => {
    const known = texts.get(answer) ?? textOf(answer);
    texts.set(answer, known);
    return known;
  },
});

/** Results and texts of pages still in memory: in-process access returns equal pages as the same object. */
const shownPages = new WeakMap<SearchData, { readonly asked: string; readonly answer: Answer }>();
const texts = new WeakMap<Answer, string>();

function shownPage(found: SearchData, given: Args & { readonly detail: Detail }): Answer {
  const args = { ...given, limit: found.limit };
  const records = found.results as RecordData[];
  const showing = { ...args, sortedBy: sortedBy(given, found.understood), asked: askedFields(given) };
  const answer = found.answer && { asked: found.answer.asked, ...showAggregate(found.answer) };
  const shown = fitPage(
    records.map((record) => showRecord(record, showing)),
    { args, room: charactersLeft({ args, answer }) },
  );
  const isCut = shown.results.length < records.length;
  const following = hasNextPage(found) ? { ...args, page: found.page + 1 } : null;
  return {
    notice: DATA_NOTICE,
    results: shown.results,
    totalResults: found.totalResults,
    totalPages: found.totalPages,
    page: found.page,
    limit: found.limit,
    next: isCut ? { ...args, ...shown.rest } : following,
    asOf: newestAsOf(records),
    ...aboutOf(
      { ...found, ...(records.some((record) => record['approximate'] === true) && { approximate: true }) },
      given,
    ),
    ...(answer && { answer }),
    ...(found.sentence !== undefined && { sentence: found.sentence }),
  };
}

/** Properties of a page besides its records, without those that do not apply. */
function aboutOf(found: CsvMetadata & Pick<SearchData, 'totalResults' | 'answer'>, given: Args) {
  const { unknown, unknown_grants, coverage, covered, grants, understood, approximate, answer } = found;
  const counted = answer === undefined ? [] : aggregateSample(answer, answer.asked as AggregateQuery);
  // What is said of the records is said more fully of the answer.
  const listed = searchSample(found, given).filter(
    (line) => !counted.some((each) => each.startsWith(line.slice(0, -1))),
  );
  const sample = [...listed, ...counted];
  const absence = found.totalResults === 0 ? searchAbsence(found, given) : undefined;
  return {
    unknown,
    ...(unknown_grants !== undefined && { unknown_grants }),
    ...(coverage !== undefined && { coverage }),
    covered,
    ...(grants !== undefined && { grants }),
    ...(sample.length > 0 && { sample: sample.join(' ') }),
    ...(absence !== undefined && { absence }),
    ...(approximate !== undefined && { approximate }),
    ...(understood !== undefined && { understood }),
  };
}

function textOf(answer: Answer): string {
  const asOf = answer.asOf === null ? '' : ` The newest source of this page is of ${answer.asOf}.`;
  const following = answer.next === null ? [] : [`Next page: search ${JSON.stringify(answer.next)}`];
  const table = answer.csv === undefined ? [] : [answer.csv];
  const sample = answer.sample === undefined ? '' : ` ${answer.sample}`;
  const read = answer.understood === undefined ? '' : ` Understood as ${JSON.stringify(answer.understood)}.`;
  return [
    ...(answer.sentence === undefined ? [] : [answer.sentence]),
    `${foundLine(answer)}${cutLine(answer)}${read}${hintsOf(answer)}${asOf}${leftOutLine(answer)}${tableLine(answer)}${sample} ${answer.notice}`,
    ...answerLines(answer),
    ...(isAnswerAlone(answer) ? [] : answer.results.map(recordLine)),
    ...table,
    ...following,
  ].join('\n');
}

/** The fields to request: those that are shown, and the date of the record. Undefined for all. */
function neededFields(given: Args): readonly string[] | undefined {
  const { type, detail, fields, sort } = given;
  if (fields !== undefined) return [...fields, 'as_of'];
  // A sentence may order by a field that its type has beside the concise ones, of which this is the only one.
  return detail === 'full'
    ? undefined
    : [...new Set([...columnsFor(type, sort ?? '-updated_at'), ...askedFields(given)])];
}

/** The fields that the text of a search asks for: `ticker of Acme`. */
const askedFields = ({ type, query = '' }: Args): readonly string[] =>
  fieldsAskedIn(query, type === 'all' ? RECORD_TYPES : [type]);

const columnsFor = (type: Args['type'], sort: string | undefined): readonly string[] => [
  ...new Set([...(CONCISE.get(type) ?? []), sortedBy({ type, sort }) ?? 'as_of']),
];

const CONCISE = new Map(
  SEARCH_TYPES.map((type) => [type, conciseFields(type === 'all' ? RECORD_TYPES : [type])] as const),
);

/** The search as a CSV table of as many rows as fit. */
async function searchTable(client: Client, given: Args, signal: AbortSignal): Promise<Answer> {
  const { detail: _, fields, limit: size = CSV_ROWS_MAX, ...search } = given;
  const columns =
    fields ??
    (given.type === 'all'
      ? undefined
      : columnsFor(given.type, given.sort ?? (given.query === undefined ? undefined : '-updated_at')));
  const query = { ...search, fields: columns, limit: size } as SearchQuery;
  const { text, totalResults, ...about } = await client.searchCsv(query, { signal });
  const [heading = '', ...rows] = sanitize(text).trimEnd().split('\n');
  const args = { ...given, limit: size };
  const pagePosition = { page: given.page, limit: size };
  const fitting = Math.max(1, countFitting(rows, charactersLeft(args) - jsonLengthOf(heading)));
  const totalPages = Math.ceil(totalResults / size);
  const { shown, rest } =
    fitting < rows.length ? splitPage(pagePosition, fitting) : { shown: fitting, rest: undefined };
  const following = hasNextPage({ ...pagePosition, totalPages }) ? { ...args, page: given.page + 1 } : null;
  return {
    notice: DATA_NOTICE,
    results: [],
    csv: [heading, ...rows.slice(0, shown)].join('\n'),
    totalResults,
    totalPages,
    ...pagePosition,
    next: rest === undefined ? following : { ...args, ...rest },
    asOf: null,
    ...aboutOf({ ...about, totalResults }, given),
  };
}

/** Properties that JSON has per record or in its structured content. */
const tableLine = ({ csv, covered, totalResults }: Answer): string =>
  csv === undefined || totalResults === 0 || covered === null ? '' : ` ${latestText(covered)}`;

const quoted = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(', ');

/** What the results of an approximate search lack, which must be read before them. */
function approximateLine({ approximate, understood }: Answer): string {
  if (approximate !== true) return '';
  const without = quoted(leftOutWords((understood ?? {}) as Partial<UnderstoodSentence>));
  const those = without === '' ? 'are the nearest' : `leave out ${without}`;
  return `Approximate: no record matches the whole query as typed; these ${those}. `;
}

function cutLine({ page, limit, next }: Answer): string {
  const rest = next as PagePosition | null;
  if (rest === null || rest.limit === limit) return '';
  const shown = (rest.page - 1) * rest.limit - (page - 1) * limit;
  return ` Only the first ${shown} of this page fit: continue with page ${rest.page} and limit ${rest.limit}.`;
}

function foundLine(answer: Answer): string {
  const { results, totalResults, totalPages, page, limit, covered, csv, grants, absence } = answer;
  const { unstated } = (answer.understood ?? {}) as Partial<UnderstoodSentence>;
  if (totalResults === 0 && unstated !== undefined) return unstatedText(unstated);
  if (totalResults === 0) {
    const until = covered === null ? '' : ` ${latestText(covered)}`;
    const proof = absence === undefined ? '' : ` ${absence}`;
    return `No records match.${proof}${until} Try fewer or other keywords, fewer filters, or type "all".`;
  }
  const past = results.length === 0 && csv === undefined ? ', which is past the last' : '';
  const mixed = grants === undefined ? '' : `: ${grantsText(totalResults, grants)}`;
  return `${isAnswerAlone(answer) ? '' : approximateLine(answer)}Found ${totalResults}${mixed}; page ${page} of ${totalPages}${past}, limit ${limit}.`;
}

/** The leading records of a page that fit, and the page where the rest begins. */
function fitPage(records: RecordData[], { args, room }: { args: Args & { readonly limit: number }; room: number }) {
  const fitting = countFittingRecords(records, room);
  const [first, ...others] = records;
  if (first === undefined) return { results: [], rest: {} };
  if (fitting === records.length) return { results: others.length > 0 ? records : [shorten(first, room)], rest: {} };
  const { shown, rest } = splitPage(args, fitting);
  return { results: [shorten(first, room), ...others.slice(0, shown - 1)], rest };
}

/** The aggregate that a sentence asks for, with the call for more of its rows. */
function answerLines(shown: Answer): readonly string[] {
  const { answer } = shown;
  if (answer === undefined) return [];
  const { asked, ...counted } = answer as unknown as ShownAggregate & { readonly asked: object };
  const isCut = counted.rows.length < counted.groups;
  // What is left out stands in the line of the search.
  const [head, ...rows] = aggregateLines({ ...counted, covered: { ...counted.covered, left_out: undefined } });
  return [
    `Answer${isCut ? `, of which aggregate ${JSON.stringify(asked)} has more` : ''}: ${head}`,
    ...rows,
    ...(isAnswerAlone(shown) ? [] : ['Records:']),
  ];
}

/** Whether the records are of more than the question, such as all companies that raised, by what they raised ever. */
function isAnswerAlone({ answer, understood }: Pick<Answer, 'answer' | 'understood'>): boolean {
  const asked = answer?.['asked'] as AggregateQuery | undefined;
  return asked !== undefined && answersAlone(askedIn(asked), understood as Partial<UnderstoodSentence>);
}

interface Hinted extends Pick<Answer, 'approximate' | 'answer' | 'page' | 'csv'> {
  readonly understood?: Answer['understood'];
  readonly results: readonly { readonly type?: unknown; readonly slug?: unknown }[];
}

/** Calls for what a sentence asks beyond a list: similar records, totals, connections. Empty if nothing. */
function hintsOf({ understood, approximate, answer, page, csv, results: [first] }: Hinted): string {
  const read = (understood ?? {}) as Partial<UnderstoodSentence>;
  const { ignored = [], list_of: owner, connect: [from, to] = [], nearest, unstated } = read;
  const connected = to === undefined ? '' : ` How they are connected: connect ${JSON.stringify({ from, to })}.`;
  const near = nearest === undefined ? '' : ` ${nearestText(nearest)}`;
  // A first page has counted what can be, unless it is approximate or a table.
  const isCountable = answer === undefined && (page > 1 || csv !== undefined || approximate === true);
  const totals = isCountable ? totalsHint(read, approximate ? quoted(wordsOutOfTotals(read)) : '') : '';
  const left = unstated !== undefined && first !== undefined ? ` ${unstatedText(unstated)}` : '';
  return `${similarHint(ignored, first, owner)}${totals}${connected}${near}${left}`;
}

function similarHint(
  ignored: readonly string[],
  first: Hinted['results'][number] | undefined,
  owner: ListOwner | undefined,
): string {
  const of = owner ?? first;
  if (!asksForLikes(ignored) || (of?.type !== 'companies' && of?.type !== 'investors')) return '';
  const isCompany = of.type === 'companies';
  const call = `get_entity ${JSON.stringify({ type: of.type, id: of.slug, include: [isCompany ? 'similar' : 'co_investors'] })}`;
  if (owner !== undefined) return ` Similar to ${owner.name}, which is not listed; what they share: ${call}.`;
  return ` ${isCompany ? 'Companies like the first' : 'Co-investors of the first'}: ${call}.`;
}

function totalsHint(read: Partial<NonNullable<SearchData['understood']>>, without: string): string {
  const asked = aggregateAskedFor(read);
  if (asked === undefined) return '';
  const { measure, filters, isComparison, ...call } = asked;
  const query = { ...call, ...(measure && { measure: [measure] }), ...filters };
  const of = `${asked.group_by.join(' and ')}${without === '' ? '' : `, also without ${without}`}`;
  const own = isComparison ? [] : partiesCounted(asked);
  const besides = own.length === 0 ? '' : ` Its row of ${own.join(', ')} is no co-investor.`;
  return ` For ${measure ?? 'counts'} by ${of}: aggregate ${JSON.stringify(query)}.${besides}`;
}
