import * as z from 'zod';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { checkFields } from '../../contract/field-names.ts';
import { filterShape } from '../../contract/filters.ts';
import { hasNextPage, SEARCH_TYPES, searchQuery } from '../../contract/queries.ts';
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
  ...filterShape,
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
});

export const searchTool = defineTool({
  name: 'search',
  title: 'Search records',
  description:
    'Find Web3 companies, people, investors (VC firms) and events by name, ticker, web domain or words such as "dex arbitrum", narrowed by filters. Best match first; next has the arguments of the next call. Use it first, then get_entity for one record with its relations.',
  input,
  output,
  hints: READ_ONLY,
  isPublic: false,
  access: ['key', 'embedded', 'none'],
  run: async (args, { client, signal }) => {
    const { detail, fields, ...search } = args;
    checkFields(args.type === 'all' ? RECORD_TYPES : [args.type], fields, 'arguments');
    const found = await client.search(search, { signal });
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
    };
  },
  text: (answer) => {
    const asOf = answer.asOf === null ? '' : ` As of ${answer.asOf}.`;
    const following = answer.next === null ? [] : [`Next page: search ${JSON.stringify(answer.next)}`];
    return [`${foundLine(answer)}${asOf} ${answer.notice}`, ...answer.results.map(recordLine), ...following].join('\n');
  },
});

function foundLine({ results, totalResults, totalPages, page, limit }: z.output<typeof output>): string {
  if (totalResults === 0) {
    return 'No records match. Try fewer or other words, fewer filters (a country is its whole name), or type "all".';
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
