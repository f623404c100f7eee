import * as z from 'zod';
import { entities, entityOf, SEARCHED_TYPES, type SearchedType, searchedEntities } from './entities/index.ts';
import type { Entity } from './entity.ts';
import { enveloped } from './envelope.ts';
import { count } from './fields.ts';
import { filterShape, sortParameter } from './filters.ts';
import { health, healthQuery } from './health.ts';
import type { KeyLevel } from './keys.ts';
import { type RelatedList, relatedLists } from './relations.ts';
import { usage } from './usage.ts';

export const QUERY_LENGTH_MAX = 200;
const SEARCH_LIMIT_DEFAULT = 10;
const SEARCH_LIMIT_MAX = 50;
const LIST_LIMIT_DEFAULT = 20;
const LIST_LIMIT_MAX = 100;
/** How deep pages go: page times limit. Deeper lists are walked with a narrower query. */
export const DEPTH_MAX = 10_000;

/** Whether the page after this one can be asked for. */
export function hasNextPage({ page, totalPages, limit }: { page: number; totalPages: number; limit: number }): boolean {
  return page < totalPages && (page + 1) * limit <= DEPTH_MAX;
}

export const SEARCH_TYPES = [...SEARCHED_TYPES, 'all'] as const;

const page = z.int().min(1).max(DEPTH_MAX).default(1).meta({ description: 'Page, from 1.' });
const fieldNames = z
  .array(z.string().min(1).max(50))
  .max(100)
  .optional()
  .meta({
    description: 'Only these fields of each record, separated by commas; type, id, name and slug are always there.',
    param: { style: 'form', explode: false },
  });

const limitUpTo = (max: number, usual: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .default(usual)
    .meta({ description: `Records a page, at most ${max}.` });

const searchText = z
  .string()
  .trim()
  .max(QUERY_LENGTH_MAX)
  .default('')
  .meta({ description: 'Text to find: a name, ticker, web domain or words. Empty lists the type.' });

/** What a search takes (specification 4.1). */
export const searchQuery = z.object({
  type: z.enum(SEARCH_TYPES).meta({ description: 'Kind of record, or all of them.' }),
  query: searchText,
  page,
  limit: limitUpTo(SEARCH_LIMIT_MAX, SEARCH_LIMIT_DEFAULT),
  sort: sortParameter,
  fields: fieldNames,
  ...filterShape,
});

const pageQuery = { page, limit: limitUpTo(LIST_LIMIT_MAX, LIST_LIMIT_DEFAULT), fields: fieldNames };

/** What a related list takes. */
export const relatedQuery = z.object(pageQuery);

/** What a list takes. */
export const listQuery = z.object({ ...pageQuery, sort: sortParameter, ...filterShape });

const recordQuery = z.object({ fields: fieldNames });

type RecordsOf<Entities> = Entities extends readonly [infer First extends Entity, ...infer Rest]
  ? [First['record'], ...RecordsOf<Rest>]
  : [];

/** A record of any type. A plain union would strip the fields in which its members differ. */
const anyRecord = z.discriminatedUnion(
  'type',
  entities.map((entity) => entity.record) as unknown as RecordsOf<typeof entities>,
);

/** A page of records (specification 2.3). */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    results: z.array(item).meta({ description: 'Records of this page, the best first.' }),
    totalResults: count.meta({ description: 'Records that match.' }),
    totalPages: count.meta({ description: 'Pages of this size.' }),
    page: count.meta({ description: 'This page.' }),
    limit: count.meta({ description: 'Records a page.' }),
  });

const totals = z
  .object(Object.fromEntries(SEARCHED_TYPES.map((type) => [type, count.optional()])))
  .meta({ description: 'Records that match, by type.' });

export const searchData = pageOf(anyRecord).extend({ totals });
export const listData = pageOf(anyRecord);

/** One operation of the service, from which the route, its validation, OpenAPI and the client are made. */
export interface Endpoint {
  readonly operation: Operation;
  /** Unique name, such as `getCompanies`. */
  readonly name: string;
  readonly method: 'GET';
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly access: KeyLevel | 'nothing';
  /** Set where a request with a key does not count against its quota. */
  readonly isUncounted?: true;
  readonly query: z.ZodObject;
  /** Other names of parameters, each with the parameter it stands for. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly answer: z.ZodType;
  /** The type that the path is about. */
  readonly type?: SearchedType;
  readonly related?: RelatedList;
}

export type Operation = 'health' | 'openapi' | 'usage' | 'search' | 'list' | 'detail' | 'related';

const general: readonly Endpoint[] = [
  {
    operation: 'health',
    name: 'getHealth',
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service works.',
    access: 'nothing',
    query: healthQuery,
    answer: health,
  },
  {
    operation: 'openapi',
    name: 'getOpenapi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'Description of the service in OpenAPI 3.1.',
    access: 'nothing',
    query: z.object({}),
    answer: z.looseObject({ openapi: z.string() }),
  },
  {
    operation: 'usage',
    name: 'getUsage',
    method: 'GET',
    path: '/api/v1/usage',
    summary: 'What is left of the quota of the key. Not counted.',
    access: 'read',
    isUncounted: true,
    query: z.object({}),
    answer: enveloped(usage),
  },
  {
    operation: 'search',
    name: 'search',
    method: 'GET',
    path: '/api/v1/search',
    summary: 'Search companies, people, investors and events.',
    access: 'read',
    query: searchQuery,
    aliases: { q: 'query' },
    answer: enveloped(searchData),
  },
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ofEachType: readonly Endpoint[] = searchedEntities.flatMap((entity): Endpoint[] => [
  {
    operation: 'list',
    name: `list${capital(entity.type)}`,
    method: 'GET',
    path: `/api/v1/${entity.type}`,
    summary: `List ${entity.type}.`,
    access: 'read',
    query: listQuery,
    answer: enveloped(pageOf(entity.record)),
    type: entity.type,
  },
  {
    operation: 'detail',
    name: `get${capital(entity.noun)}`,
    method: 'GET',
    path: `/api/v1/${entity.type}/{idOrSlug}`,
    summary: `One ${entity.noun}, by number or slug.`,
    access: 'read',
    query: recordQuery,
    answer: enveloped(entity.record),
    type: entity.type,
  },
]);

const ofEachRelation: readonly Endpoint[] = relatedLists.map((related) => ({
  operation: 'related',
  name: `list${capital(entityOf(related.of).noun)}${capital(related.name)}`,
  method: 'GET',
  path: `/api/v1/${related.of}/{idOrSlug}/${related.name}`,
  summary: related.summary,
  access: 'read',
  query: relatedQuery,
  answer: enveloped(listData),
  type: related.of,
  related,
}));

/** Every operation of the service. */
export const endpoints: readonly Endpoint[] = [...general, ...ofEachType, ...ofEachRelation];
