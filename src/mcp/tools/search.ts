import * as z from 'zod';
import type { SearchQuery } from '../../client/client.ts';
import { NAMED_TYPES } from '../../contract/entities/index.ts';
import { checkFields } from '../../contract/field-names.ts';
import { hasNextPage, SEARCH_TYPES, searchQuery } from '../../contract/queries.ts';
import { filterArguments, UNTOLD } from '../filter-arguments.ts';
import { countFitting, roomBeside, shorten, splitPage } from '../fit.ts';
import { DATA_NOTICE } from '../readable.ts';
import {
  detailArgument,
  fieldsArgument,
  newestAsOf,
  notice,
  recordLine,
  type ShownRecord,
  shownRecord,
  showRecord,
} from '../show.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const { query, page, limit, sort } = searchQuery.shape;

const input = z.strictObject({
  query,
  type: z.enum(SEARCH_TYPES).default('all'),
  ...filterArguments,
  sort,
  page,
  limit,
  detail: detailArgument,
  fields: fieldsArgument,
});

const output = z.object({
  notice,
  results: z.array(shownRecord),
  totalResults: z.int(),
  totalPages: z.int(),
  page: z.int(),
  limit: z.int(),
  next: z.looseObject({}).nullable(),
  asOf: z.string().nullable(),
  unknown: z.looseObject({}),
  covered: z.string().nullable(),
});

export const searchTool = defineTool({
  name: 'search',
  title: 'Search records',
  description:
    'Find Web3 companies, people, investors (VC firms), events and funding rounds by name, ticker, web domain or words, narrowed by filters. A filter takes a value, A|B or a list (any), all:A|B, not:A|B. unknown counts records left out for want of the fact. Use it first, then get_entity.',
  input,
  published: input.omit(UNTOLD),
  output,
  hints: READ_ONLY,
  isPublic: false,
  access: ['key', 'embedded', 'none'],
  run: async (args, { client, signal }) => {
    const { detail, fields, ...search } = args;
    checkFields(args.type === 'all' ? NAMED_TYPES : [args.type], fields, 'arguments');
    const found = await client.search(search as SearchQuery, { signal });
    const records = found.results as ShownRecord[];
    const shown = fitPage(
      records.map((record) => showRecord(record, args)),
      args,
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
      unknown: found.unknown,
      covered: found.covered,
    };
  },
  text: (answer) => {
    const asOf = answer.asOf === null ? '' : ` As of ${answer.asOf}.`;
    const following = answer.next === null ? [] : [`Next page: search ${JSON.stringify(answer.next)}`];
    return [
      `${foundLine(answer)}${asOf}${unknownLine(answer)} ${answer.notice}`,
      ...answer.results.map(recordLine),
      ...following,
    ].join('\n');
  },
});

/** What was left out for want of a fact: without it, an answer looks like all there is. */
function unknownLine({ unknown }: z.output<typeof output>): string {
  const left = Object.entries(unknown).map(([name, count]) => `${count} for ${name}`);
  return left.length === 0 ? '' : ` Left out, because the fact is unknown: ${left.join(', ')}.`;
}

function foundLine({ results, totalResults, totalPages, page, limit, covered }: z.output<typeof output>): string {
  if (totalResults === 0) {
    const until = covered === null ? '' : ` The newest on record is of ${covered}.`;
    return `No records match.${until} Try fewer or other words, fewer filters, or type "all".`;
  }
  const past = results.length === 0 ? ', which is past the last' : '';
  return `Found ${totalResults}; page ${page} of ${totalPages}${past}, limit ${limit}.`;
}

/** As many records of a page as an answer can hold, and where the rest of it begins. */
function fitPage(records: ShownRecord[], args: z.output<typeof input>) {
  const room = roomBeside(args);
  const fitting = countFitting(records, room);
  const [first, ...others] = records;
  if (first === undefined) return { results: [], rest: {} };
  if (fitting === records.length) return { results: others.length > 0 ? records : [shorten(first, room)], rest: {} };
  const { shown, rest } = splitPage(args, fitting);
  return { results: [shorten(first, room), ...others.slice(0, shown - 1)], rest };
}
