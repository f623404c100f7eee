import * as z from 'zod';
import { aggregateData, EXTREMES } from './aggregate.ts';
import { entities, RECORD_TYPES } from './entities/index.ts';
import type { Entity } from './entity.ts';
import { count, isoDate, monthOnly, nameText, slugText } from './fields.ts';
import { FILTER_NAMES } from './filters.ts';
import type { ComputedList, RelatedList } from './relations.ts';

/** Response schemas of searches, lists and records. Apart from the queries, because an MCP server starts without them. */

type RecordsOf<Entities> = Entities extends readonly [infer First extends Entity, ...infer Rest]
  ? [First['record'], ...RecordsOf<Rest>]
  : [];

const named = { type: true, id: true, name: true, slug: true } as const;

/** Schemas of records reduced to the fields selected by `fields`, which always include those that identify the record. */
const parts = entities.map(({ record }) =>
  (record as z.ZodObject)
    .partial()
    .required(named)
    .meta({ id: `${record.meta()?.['id']}Part`, description: 'A record reduced to the requested `fields`.' }),
);

/** Response schema of a record by type: complete, or reduced by `fields`. */
export const readOf = new Map(
  entities.map(({ type, record }, index) => [type, z.union([record as z.ZodObject, parts[index] as z.ZodObject])]),
);

/** Response schema of a record of any type. A plain union would strip fields that its members do not share. */
const anyWhole = z.discriminatedUnion(
  'type',
  entities.map((entity) => entity.record) as unknown as RecordsOf<typeof entities>,
);
const anyPart = z.discriminatedUnion('type', parts as unknown as RecordsOf<typeof entities>);
// Typed as complete: a caller that selects fields knows which ones are present.
const anyRecord = z.union([anyWhole, anyPart]) as unknown as typeof anyWhole;

const approximate = z
  .literal(true)
  .optional()
  .meta({ description: 'Set if the record matches only approximately, not as typed.' });

/** A record of any type as a search result. */
const foundOf = (records: readonly z.ZodObject[]) =>
  records.map((record) => record.extend({ approximate }).meta({ id: `${record.meta()?.['id']}Found` }));
const anyFound = z.union([
  z.discriminatedUnion('type', foundOf(entities.map(({ record }) => record as z.ZodObject)) as never),
  z.discriminatedUnion('type', foundOf(parts) as never),
]) as unknown as z.ZodType<z.output<typeof anyWhole> & { readonly approximate?: true }>;

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    results: z.array(item).meta({ description: 'Records of this page, the best first.' }),
    totalResults: count.meta({ description: 'Records that match.' }),
    totalPages: count.meta({ description: 'Pages of this size.' }),
    page: count.meta({ description: 'This page.' }),
    limit: count.meta({ description: 'Records a page.' }),
  });

const totals = z
  .object(Object.fromEntries(RECORD_TYPES.map((type) => [type, count.optional()])))
  .meta({ description: 'Records that match, by type.' });

const completeness = {
  unknown: z
    .partialRecord(z.enum(FILTER_NAMES), count)
    .meta({ description: 'By filter: records excluded because the field is unknown.' }),
  covered: isoDate.nullable().meta({
    description:
      'Newest date of the searched types, whatever the filters: the last round announced, the last event begun, or else the newest source.',
  }),
};

/** A page of a list, with a cursor for the next one. */
export const listSchema = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({
    ...completeness,
    nextCursor: z.string().nullable().meta({ description: 'Cursor of the next page; null on the last.' }),
  });

const understood = z
  .object({
    type: z.enum(RECORD_TYPES).optional().meta({ description: 'Type that it names, where several are searched.' }),
    filters: z
      .partialRecord(z.enum(FILTER_NAMES), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Filters parsed from it, in the form of request parameters.' }),
    sort: z.string().optional().meta({ description: 'Requested order, such as -amount_usd.' }),
    list: z
      .literal('similar')
      .optional()
      .meta({ description: 'List that it asks for of one record: the companies similar to it.' }),
    list_of: z
      .object({ type: z.enum(RECORD_TYPES), slug: z.string(), name: z.string() })
      .optional()
      .meta({ description: 'The record of this list, which is not listed.' }),
    group_by: z.array(z.string()).optional().meta({ description: 'Groups of the aggregate that it asks for.' }),
    order: z
      .enum(EXTREMES)
      .optional()
      .meta({ description: 'Order of its groups by their figure, if not the usual one.' }),
    period: z
      .partialRecord(z.enum(['from', 'to']), z.string())
      .optional()
      .meta({ description: 'Days that the aggregate counts, where the records listed have no date.' }),
    periods: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .optional()
      .meta({
        description: 'Periods that are compared, of which the filters have all days from the first to the last.',
      }),
    compared: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if only the groups of the named investors are asked for.' }),
    share: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if it asks which part of all the value of its group is that the filters have.' }),
    connect: z
      .array(z.string())
      .optional()
      .meta({ description: 'Names of the two records whose connection it asks for.' }),
    nearest: z.array(z.string()).optional().meta({ description: 'Names most like the one that no record has.' }),
    unstated: z
      .array(z.string())
      .optional()
      .meta({ description: 'Words for facts that no filter is about, such as a valuation.' }),
    text: z.string().meta({ description: 'Words that were searched.' }),
    ignored: z.array(z.string()).meta({ description: 'Words without effect on the result.' }),
  })
  .optional()
  .meta({ description: 'How a sentence was parsed; absent if the query was searched verbatim.' });

const grants = count
  .optional()
  .meta({ description: 'Of rounds, unless a stage is given, those that are grants: programs pay many small ones.' });

const onRecord = count.optional().meta({
  description:
    'Of rounds and events, where a period or an order is given: funding rounds without grants, or events, on record in that period. They are the announced ones, a sample of all.',
});

const withoutDates = z.object({ records: count, latest: z.string().nullable() }).optional().meta({
  description:
    'Of rounds and events, where none matches in the period that is asked for: how many do without it, grants only if these are asked for, and their newest date.',
});

const withoutFilters = z
  .partialRecord(z.enum(FILTER_NAMES), count)
  .optional()
  .meta({ description: 'Where none matches several filters, by filter: how many match without it, the most first.' });

const unknownGrants = z
  .partialRecord(z.enum(FILTER_NAMES), count)
  .optional()
  .meta({ description: 'Of rounds, unless a stage is given, by filter: those counted in `unknown` that are grants.' });

const coverage = z
  .partialRecord(z.enum(FILTER_NAMES), z.object({ known: count, records: count, grants: count.optional() }))
  .optional()
  .meta({
    description:
      'With several filters, or where nothing passes one, by filter: how many records of the searched types, whatever the filters, state the field at all, and of rounds how many of the records are grants, of which few state much. `unknown` does not count records that lack two of the fields.',
  });

const answer = aggregateData
  .extend({ asked: z.looseObject({}).meta({ description: 'Its parameters, for `GET /api/v1/aggregate`.' }) })
  .optional()
  .meta({
    description:
      'On the first page of a sentence that asks for a total, a count or a ranking: the aggregate that it asks for, with at most `limit` rows.',
  });

export const searchData = pageOf(anyFound).extend({
  totals,
  ...completeness,
  unknown_grants: unknownGrants,
  coverage,
  grants,
  on_record: onRecord,
  without_dates: withoutDates,
  without_filters: withoutFilters,
  understood,
  answer,
  sentence: z.string().optional().meta({
    description: 'On the first page: the answer to a question, in a sentence of what the records found state.',
  }),
});
export type SearchData = z.output<typeof searchData>;
export type UnderstoodSentence = NonNullable<SearchData['understood']>;
export const listData = listSchema(anyRecord);
const known = z.boolean().meta({
  description:
    'False when the list is empty because no source states its content: it is unknown, not known to be empty.',
});

export const relatedData = pageOf(anyRecord).extend({ known });

const reference = z.object({ type: z.string(), slug: slugText, name: nameText });
const REASONS = {
  similar: {
    reasons: z
      .object({ tags: z.array(z.string()), chains: z.array(z.string()), investors: z.array(reference) })
      .meta({ description: 'What both have, the rarest first.' }),
  },
  coInvestors: {
    count: count.meta({ description: 'Known funding rounds that both took part in.' }),
    latest_round: reference
      .extend({
        announced_date: isoDate
          .nullable()
          .meta({ description: 'Day it was announced; only the month is known if month_only has it.' }),
        month_only: monthOnly(['announced_date', 'as_of']),
      })
      .meta({ description: 'The latest of those rounds.' }),
  },
} as const satisfies Record<ComputedList, z.ZodRawShape>;

/** Response of a computed list, with the reason for each record. */
const computedData = ({ name, types, computed }: RelatedList & { readonly computed: ComputedList }) => {
  const reasoned = (record: z.ZodObject): z.ZodObject =>
    record.extend(REASONS[computed]).meta({ id: `${record.meta()?.['id']}In${name}` });
  const of = entities.flatMap(({ type, record }, index) =>
    types.includes(type) ? [reasoned(record as z.ZodObject), reasoned(parts[index] as z.ZodObject)] : [],
  );
  return pageOf(z.union(of)).extend({ known });
};

export const responseOfList = (list: RelatedList): z.ZodType =>
  list.computed === undefined ? relatedData : computedData({ ...list, computed: list.computed });
