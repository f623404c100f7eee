import * as z from 'zod';
import type { Client } from '../../client/client.ts';
import { SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import { relatedLists } from '../../contract/relations.ts';
import { type Asked, resolve } from '../resolve.ts';
import {
  DATA_NOTICE,
  type Detail,
  detailArgument,
  fieldsArgument,
  newestAsOf,
  recordLine,
  type ShownRecord,
  shownRecord,
  showRecord,
} from '../show.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const ITEMS_MAX = 20;
const RELATED_LIMIT = 20;

const RELATED_NAMES = [...new Set(relatedLists.map((list) => list.name))] as [string, ...string[]];
const text = z.string().trim().min(1).max(200).optional();

const asked = {
  type: z.enum(SEARCHED_TYPES).optional(),
  id: z
    .union([z.int(), z.string().trim().min(1).max(200)])
    .optional()
    .meta({ description: 'Record number, slug, name or web domain.' }),
  slug: text,
  name: text,
  domain: text,
};

const input = z.strictObject({
  ...asked,
  items: z
    .array(z.strictObject(asked))
    .min(1)
    .max(ITEMS_MAX)
    .optional()
    .meta({ description: `Up to ${ITEMS_MAX} records at once, each {type, id}.` }),
  include: z
    .array(z.enum(RELATED_NAMES))
    .max(RELATED_NAMES.length)
    .default([])
    .meta({ description: 'Related lists to add where the type has them.' }),
  detail: detailArgument,
  fields: fieldsArgument,
});

const entity = z.object({
  status: z.enum(['exact', 'ambiguous', 'none']),
  record: shownRecord.nullable(),
  candidates: z.array(shownRecord).meta({ description: 'Records that bear the name, or near misses.' }),
});

const output = z.object({ entities: z.array(entity), asOf: z.string().nullable() });

export const getEntityTool = defineTool({
  name: 'get_entity',
  title: 'Get records',
  description:
    'Look up known records by type and id (number, slug, name or web domain), with related lists on request. Answers exact, ambiguous (pick from candidates) or none (near misses); it never guesses.',
  input,
  output,
  hints: READ_ONLY,
  isPublic: false,
  access: ['key', 'embedded', 'none'],
  run: async ({ items, include, detail, fields, ...single }, { client, signal }) => {
    checkFields(SEARCHED_TYPES, fields, 'arguments');
    const entities = [];
    for (const item of items ?? [single]) {
      const found = await resolve(client, complete(item), signal);
      const record = found.record && (await withRelated(client, found.record, include, { detail, fields, signal }));
      entities.push({
        ...found,
        record,
        candidates: found.candidates.map((candidate) => showRecord(candidate, 'concise')),
      });
    }
    return { entities, asOf: newestAsOf(entities.flatMap(({ record }) => record ?? [])) };
  },
  text: ({ entities, asOf }) => {
    const lines = entities.flatMap(({ status, record, candidates }) => [
      HEADINGS[status],
      ...(record === null ? [] : [recordLine(record)]),
      ...candidates.map((candidate) => `candidate ${recordLine(candidate)}`),
    ]);
    return [`${asOf === null ? '' : `As of ${asOf}. `}${DATA_NOTICE}`, ...lines].join('\n');
  },
});

const HEADINGS = {
  exact: 'exact:',
  ambiguous: 'ambiguous: several records bear this name; call again with the type and id of one of them:',
  none: 'none: no such record; near misses, if any, follow:',
};

function complete({ type, id, slug, name, domain }: z.output<z.ZodObject<typeof asked>>): Asked {
  const [given, ...others] = Object.entries({ id, slug, name, domain }).filter(([, value]) => value !== undefined);
  if (type === undefined || given === undefined || others.length > 0) {
    const message = `give type (${SEARCHED_TYPES.join(', ')}) and one of id, slug, name, domain`;
    throw new ServiceError('missing_parameter', message, { errors: [{ location: 'arguments', message }] });
  }
  return { type, by: given[0] as Asked['by'], value: String(given[1]) };
}

interface Shown {
  readonly detail: Detail;
  readonly fields: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

async function withRelated(
  client: Client,
  record: ShownRecord,
  include: readonly string[],
  { detail, fields, signal }: Shown,
) {
  const shown = showRecord(record, detail, fields);
  const lists = relatedLists.filter((list) => list.of === record.type && include.includes(list.name));
  if (lists.length === 0) return shown;
  const related: Record<string, unknown> = {};
  for (const list of lists) {
    const found = await client.related(
      record.type as SearchedType,
      String(record.id),
      list.name,
      { limit: RELATED_LIMIT },
      { signal },
    );
    const results = (found.results as ShownRecord[]).map((item) => showRecord(item, 'concise'));
    related[list.name] = { totalResults: found.totalResults, results };
  }
  return { ...shown, related };
}
