import * as z from 'zod';
import { entityOf, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { QUERY_LENGTH_MAX } from '../../contract/queries.ts';
import { sourceFile } from '../../contract/source-file.ts';
import { uriOf } from '../register-resources.ts';
import { DATA_NOTICE, sanitize } from '../sanitize.ts';
import type { ShownRecord } from '../shown-record.ts';
import { defineTool, READ_ONLY, type ToolContext } from '../tool.ts';
import { pageOf } from './record-page.ts';

/** The two tools that citing research hosts require: search and fetch. */

const FOUND_MAX = 10;
/** Searched separately, because a search of all types excludes rounds. */
const ROUNDS_MAX = 5;

const query = z
  .string()
  .trim()
  .min(1)
  .max(QUERY_LENGTH_MAX)
  .meta({ description: 'Name, ticker, web domain or keywords.' });
const found = z.object({ id: z.string(), title: z.string(), url: z.string() });
const results = z.object({ results: z.array(found) });

const asJson = (answer: unknown): string => JSON.stringify(answer);

const search = defineTool({
  name: 'search',
  title: 'Search Web3 records',
  description: 'Find Web3 companies, people, investors, events and funding rounds. Then fetch a result by its id.',
  input: z.strictObject({ query }),
  output: results,
  hints: READ_ONLY,
  isPublic: false,
  run: async (asked, context) => {
    const { client, signal } = context;
    const all = await client.search({ type: 'all', query: asked.query, limit: FOUND_MAX }, { signal });
    const rounds = await client.search({ type: 'rounds', query: asked.query, limit: ROUNDS_MAX }, { signal });
    const records = [...all.results, ...rounds.results.filter(({ approximate }) => approximate !== true)];
    return { results: (records as ShownRecord[]).map((record) => headOf(record, context)) };
  },
  text: asJson,
});

const page = found.extend({ text: z.string(), metadata: z.looseObject({}) });

const fetchTool = defineTool({
  name: 'fetch',
  title: 'Read a record',
  description:
    'The page of one record by the id that search gave, such as companies/aave: every known fact with its source.',
  input: z.strictObject({ id: z.string().trim().min(1).max(QUERY_LENGTH_MAX).meta({ description: 'type/slug.' }) }),
  output: page,
  hints: READ_ONLY,
  isPublic: false,
  run: async ({ id }, context) => {
    const { client, signal } = context;
    const { type, slug } = partsOf(id);
    const record = (await client.get(type, slug, { signal })) as ShownRecord;
    const { id: shownId, title, url } = headOf(record, context);
    const metadata = { type, slug: record.slug, as_of: record['as_of'] ?? null, notice: DATA_NOTICE };
    return { id: shownId, title, text: await pageOf(client, record, signal), url, metadata };
  },
  text: asJson,
});

/** The tools of the research profile. */
export const researchTools = [search, fetchTool];

function headOf(record: ShownRecord, { publicUrl }: ToolContext): z.output<typeof found> {
  const { type, slug, name } = record;
  const id = `${type}/${slug}`;
  const url = publicUrl === undefined ? ownAddress(record) : `${publicUrl.replace(/\/+$/, '')}/${id}`;
  // The name of a round states its type.
  const noun = type === 'rounds' ? '' : ` (${entityOf(type as RecordType).noun})`;
  return { id, title: sanitize(name + noun), url: url ?? uriOf(record) };
}

/** The URL to cite for a record without a page here: its website, or the first source with a URL. */
function ownAddress(record: ShownRecord): string | undefined {
  const own = ['website', 'announcement', 'twitter', 'github'].map((field) => record[field]);
  const sources = ((record['sources'] ?? []) as { readonly source: string }[]).map(
    ({ source }) => sourceFile(source)?.url ?? source,
  );
  return [...own, ...sources].find((each): each is string => typeof each === 'string' && URL_START.test(each));
}

const URL_START = /^https?:\/\//;

function partsOf(id: string): { type: RecordType; slug: string } {
  const [type, slug, ...more] = id.split('/');
  const known = RECORD_TYPES.find((each) => each === type);
  if (known !== undefined && slug !== undefined && slug !== '' && more.length === 0) return { type: known, slug };
  const message = `id must be type/slug as search gives it; types are ${RECORD_TYPES.join(', ')}`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'arguments.id', message }] });
}
