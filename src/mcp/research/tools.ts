import * as z from 'zod';
import type { Client } from '../../client/client.ts';
import {
  entityOf,
  type NamedType,
  parseRecordPath,
  RECORD_TYPES,
  type RecordData,
  type RecordType,
} from '../../contract/entities/index.ts';
import { invalidAt } from '../../contract/errors.ts';
import type { Source } from '../../contract/fields.ts';
import { statedValue } from '../../contract/periods.ts';
import { QUERY_LENGTH_MAX } from '../../contract/queries.ts';
import { leadsMark } from '../../contract/record-texts.ts';
import { listsOf, type RelatedList } from '../../contract/relations.ts';
import { sourceFile } from '../../contract/source-file.ts';
import { isUnsourced, UNSOURCED } from '../../contract/unsourced.ts';
import { isUnsourcedText, markedText } from '../../contract/unsourced-texts.ts';
import { valueText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { defineTool, READ_ONLY, type ToolContext } from '../define-tool.ts';
import { uriOf } from '../register-resources.ts';
import { DATA_NOTICE, inLine, sanitize } from '../sanitize.ts';

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
  run: async (asked, context) => {
    const { client, signal } = context;
    const all = await client.search({ type: 'all', query: asked.query, limit: FOUND_MAX }, { signal });
    const rounds = await client.search({ type: 'rounds', query: asked.query, limit: ROUNDS_MAX }, { signal });
    const records = [...all.results, ...rounds.results.filter(({ approximate }) => approximate !== true)];
    return { results: (records as RecordData[]).map((record) => headOf(record, context)) };
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
  run: async ({ id }, context) => {
    const { client, signal } = context;
    const { type, slug } = partsOf(id);
    const record = (await client.get(type, slug, { signal })) as RecordData;
    const { id: shownId, title, url } = headOf(record, context);
    const metadata = { type, slug: record.slug, as_of: record['as_of'] ?? null, notice: DATA_NOTICE };
    return { id: shownId, title, text: await pageOf(client, record, signal), url, metadata };
  },
  text: asJson,
});

export const researchTools = [search, fetchTool];

function headOf(record: RecordData, { publicUrl }: ToolContext): z.output<typeof found> {
  const { type, slug, name } = record;
  const id = `${type}/${slug}`;
  const url = publicUrl === undefined ? ownAddress(record) : `${publicUrl.replace(/\/+$/, '')}/${id}`;
  // The name of a round states its type.
  const noun = type === 'rounds' ? '' : ` (${entityOf(type).noun})`;
  return { id, title: sanitize(name + noun), url: url ?? uriOf(record) };
}

/** The URL to cite for a record without a page here: its website, or the first source with a URL. */
function ownAddress(record: RecordData): string | undefined {
  const own = ['website', 'announcement', 'twitter', 'github'].map((field) => record[field]);
  const sources = ((record['sources'] ?? []) as { readonly source: string }[]).map(
    ({ source }) => sourceFile(source)?.url ?? source,
  );
  return [...own, ...sources].find((each): each is string => typeof each === 'string' && URL_START.test(each));
}

const URL_START = /^https?:\/\//;

function partsOf(id: string): { type: RecordType; slug: string } {
  const parts = parseRecordPath(id);
  if (parts !== undefined) return parts;
  throw invalidAt('arguments.id', `id must be type/slug as search gives it; types are ${RECORD_TYPES.join(', ')}`);
}

/** The text occurs twice in a result, once escaped. */
const CHARACTERS_MAX = 16_000;
const RELATED_MAX = 50;
/** Not facts, or shown elsewhere on the page. */
const LEFT_OUT = [
  ...['type', 'id', 'name', 'slug', 'sources', 'created_at', 'updated_at', 'as_of', 'is_verified'],
  'unsourced_fields',
];

/** A record as a page for people and models: one fact per line, with the numbers of its sources. */
async function pageOf(client: Client, record: RecordData, signal: AbortSignal): Promise<string> {
  const type = record.type;
  const sources = (record['sources'] ?? []) as Source[];
  const facts = Object.keys(entityOf(type).record.shape)
    .filter((field) => !LEFT_OUT.includes(field))
    .flatMap((field) => factLine(record, field, sources));
  const lists: string[] = [];
  for (const list of listsOf(type).filter(({ computed }) => computed === undefined))
    lists.push(...(await listLines(client, record, { list, signal })));
  const { noun } = entityOf(type);
  const asOf = record['as_of'] == null ? '' : ` As of ${record['as_of']}.`;
  const cited = sources.map(
    ({ source, as_of }, index) => `[${index + 1}] ${source}${as_of === null ? '' : `, ${as_of}`}`,
  );
  const lines = [
    `# ${record.name}`,
    `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun} of Web3.${asOf} Facts that are not listed are unknown.`,
    '',
    ...facts,
    ...lists,
    '',
    '## Sources',
    ...(cited.length === 0 ? ['No source is on record.'] : cited),
  ];
  const page = sanitize(lines.map(inLine).join('\n'));
  return page.length <= CHARACTERS_MAX ? page : `${page.slice(0, CHARACTERS_MAX)}…\n(The page is cut here.)`;
}

function factLine(record: RecordData, field: string, sources: readonly Source[]): string[] {
  const value = statedValue(record, field);
  const text = isUnsourcedText(record, field)
    ? markedText(record, field, ` (${UNSOURCED})`)
    : valueText(value, { titled: (title, name) => `${title} at ${name}` });
  if (text === '') return [];
  const numbers = sources.flatMap(({ fields }, index) => (fields.includes(field) ? [`[${index + 1}]`] : []));
  const { fromRounds } = entityOf(record.type);
  const isComputed = record.type === 'companies' && fromRounds.includes(field) && field !== 'month_only';
  const cited = numbers.join('') || (isComputed ? FROM_ROUNDS : '');
  // The text of an amount has no unit.
  const label = `${labelOf(field).replace(' (USD)', '')}${field.endsWith('_usd') ? ' (USD)' : ''}`;
  return [`- ${label}: ${text}${cited === '' ? '' : ` ${cited}`}`];
}

/** Source of facts computed from rounds. */
const FROM_ROUNDS = '(from the known rounds, see below)';

async function listLines(
  client: Client,
  record: RecordData,
  { list, signal }: { readonly list: RelatedList; readonly signal: AbortSignal },
): Promise<string[]> {
  const asked = { limit: RELATED_MAX };
  const found = await client.related(record.type as NamedType, String(record.id), list.name, asked, { signal });
  if (found.totalResults === 0) return [];
  const more = found.totalResults > RELATED_MAX ? `, the first ${RELATED_MAX}` : '';
  const entries = (found.results as RecordData[]).map((item) => `- ${entryOf(item)}`);
  return ['', `## ${labelOf(list.name)} (${found.totalResults}${more})`, ...entries];
}

function entryOf(item: RecordData): string {
  const { stage, amount_usd, amount_raw, announcement, start_date, headline } = item;
  const leads = ((item['lead_investors'] ?? []) as { readonly name: string }[]).map(({ name }) => name);
  const usd = amount_usd == null ? undefined : `${amount_usd} USD`;
  const amount = amount_raw == null ? usd : `${amount_raw} (${usd} by its source)`;
  const led = leads.length === 0 ? undefined : `led by ${leads.join(', ')}${leadsMark(item)}`;
  const dated = statedValue(item, 'announced_date') ?? start_date;
  const source = isUnsourced(item) ? UNSOURCED : announcement;
  const parts = [dated, stage, amount, led, headline, source].filter((part) => part != null);
  return `${item.name} (${item.type}/${item.slug})${parts.length === 0 ? '' : `: ${parts.join('; ')}`}`;
}
