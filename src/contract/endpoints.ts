import * as z from 'zod';
import { aggregateData, aggregateQuery, GROUP_NAMES } from './aggregate.ts';
import { capitalize } from './capitalize.ts';
import { deletedOf } from './changes.ts';
import { connectionsData, connectionsQuery } from './connections.ts';
import { entities, entityOf, type RecordType } from './entities/index.ts';
import { nounName, withArticle } from './entity.ts';
import { enveloped } from './envelope.ts';
import { health, healthQuery } from './health.ts';
import { changeBodies, newBodies } from './input.ts';
import type { KeyLevel } from './keys.ts';
import { provenance } from './provenance.ts';
import { listQuery, recordQuery, relatedQuery, searchQuery } from './queries.ts';
import { listSchema, readOf, responseOfList, searchData } from './record-responses.ts';
import { type RelatedList, relatedLists } from './relations.ts';
import { usage } from './usage.ts';
import { vocabulary } from './vocabulary-response.ts';
import { paidResponseOf, paidSearchQuery, paidSearchResponse, purchasesQuery, purchasesResponse } from './x402.ts';

const noQuery = z.object({});

export const isKeyed = (endpoint: Endpoint): endpoint is Endpoint & { readonly access: KeyLevel } =>
  endpoint.access !== 'nothing' && endpoint.access !== 'payment';

export const hasCsv = ({ query }: Endpoint): boolean => 'format' in query.shape;

export const isPaged = ({ query }: Endpoint): boolean => 'page' in query.shape;

/** Whether each response of an endpoint has a price. */
export const isPriced = ({ access, operation }: Endpoint): boolean => access === 'payment' && operation !== 'purchases';

/** One operation of the service. The route, its validation, the OpenAPI document and the client derive from it. */
export interface Endpoint {
  readonly operation: Operation;
  /** Unique name, such as `getCompanies`; the `operationId` of OpenAPI. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Required credential: a key of this level, a payment (or the wallet that paid), or nothing. */
  readonly access: KeyLevel | 'payment' | 'nothing';
  /** Requests do not count against the quota of their key. */
  readonly isUncounted?: true;
  readonly query: z.ZodObject;
  /** Alternative parameter names, mapped to the canonical ones. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Schema of the body. Without it the body is not read. */
  readonly body?: z.ZodObject;
  readonly response: z.ZodType;
  readonly status: 200 | 201;
  readonly type?: RecordType;
  readonly related?: RelatedList;
}

export type Operation =
  | 'health'
  | 'openapi'
  | 'usage'
  | 'search'
  | 'aggregate'
  | 'connections'
  | 'vocabulary'
  | 'paidSearch'
  | 'paidAggregate'
  | 'paidConnections'
  | 'purchases'
  | 'list'
  | 'detail'
  | 'related'
  | 'sources'
  | 'create'
  | 'replace'
  | 'merge'
  | 'delete'
  | 'restore';

/** What an endpoint states; the rest has defaults. */
type Given<Stated extends keyof Endpoint> = Pick<Endpoint, 'operation' | 'summary' | 'response' | Stated> &
  Partial<Endpoint>;

const read = (given: Given<'path'>): Endpoint => ({
  name: given.operation,
  method: 'GET',
  access: 'read',
  query: noQuery,
  status: 200,
  ...given,
});

const readingOf = (entity: (typeof entities)[number], deleted: z.ZodType): readonly Endpoint[] => [
  read({
    operation: 'list',
    name: `list${capitalize(entity.type)}`,
    path: `/api/v1/${entity.type}`,
    summary: `List ${entity.type}.`,
    query: listQuery,
    response: enveloped(listSchema(readOf.get(entity.type) as z.ZodType)),
    type: entity.type,
  }),
  read({
    operation: 'detail',
    name: `get${nounName(entity.noun)}`,
    path: `/api/v1/${entity.type}/{idOrSlug}`,
    summary: `One ${entity.noun}, by number or slug.`,
    query: recordQuery,
    response: enveloped(z.union([readOf.get(entity.type) as z.ZodType, deleted])),
    type: entity.type,
  }),
  read({
    operation: 'sources',
    name: `get${nounName(entity.noun)}Sources`,
    path: `/api/v1/${entity.type}/{idOrSlug}/sources`,
    summary: `Where each field of ${withArticle(entity.noun)} comes from, and as of when.`,
    response: enveloped(provenance),
    type: entity.type,
  }),
];

const writingOf = (entity: (typeof entities)[number], deleted: z.ZodType): readonly Endpoint[] => {
  const { type, noun, record } = entity;
  const one = withArticle(noun);
  const write = ({ path = '/{idOrSlug}', ...given }: Given<'method' | 'access'>): Endpoint => ({
    name: `${given.operation}${nounName(entity.noun)}`,
    path: `/api/v1/${type}${path}`,
    query: noQuery,
    status: 200,
    type,
    ...given,
  });
  const response = enveloped(record);
  const level = { access: 'write', response } as const;
  return [
    write({
      operation: 'create',
      method: 'POST',
      path: '',
      summary: `Create ${one}.`,
      body: newBodies.get(type) as z.ZodObject,
      status: 201,
      ...level,
    }),
    write({
      operation: 'replace',
      method: 'PUT',
      summary: `Replace ${one}: fields left out are cleared.`,
      body: newBodies.get(type) as z.ZodObject,
      ...level,
    }),
    write({
      operation: 'merge',
      method: 'PATCH',
      summary: `Change the given fields of ${one}; null clears one.`,
      body: changeBodies.get(type) as z.ZodObject,
      ...level,
    }),
    write({
      operation: 'delete',
      method: 'DELETE',
      summary: `Delete ${one}; it can be restored for a while.`,
      access: 'delete',
      response: enveloped(deleted),
    }),
    write({
      operation: 'restore',
      method: 'POST',
      path: '/{idOrSlug}/restore',
      summary: `Restore ${one} that was deleted.`,
      ...level,
    }),
  ];
};

const ofEachType: readonly Endpoint[] = entities.flatMap((entity) => {
  const deleted = deletedOf(entity.record);
  return [...readingOf(entity, deleted), ...writingOf(entity, deleted)];
});

const ofEachRelation: readonly Endpoint[] = relatedLists.map((related) =>
  read({
    operation: 'related',
    name: `list${capitalize(entityOf(related.of).noun)}${related.name.split('_').map(capitalize).join('')}`,
    path: `/api/v1/${related.of}/{idOrSlug}/${related.name}`,
    summary: related.summary,
    query: relatedQuery,
    response: enveloped(responseOfList(related)),
    type: related.of,
    related,
  }),
);

const generalEndpoints: readonly Endpoint[] = [
  read({
    operation: 'health',
    name: 'getHealth',
    path: '/api/health',
    summary: 'Health of the service.',
    access: 'nothing',
    query: healthQuery,
    response: health,
  }),
  read({
    operation: 'openapi',
    name: 'getOpenapi',
    path: '/api/v1/openapi.json',
    summary: 'OpenAPI 3.1 document of the service.',
    access: 'nothing',
    response: z.looseObject({ openapi: z.string() }),
  }),
  read({
    operation: 'usage',
    name: 'getUsage',
    path: '/api/v1/usage',
    summary: 'Remaining quota of the key. Not counted.',
    isUncounted: true,
    response: enveloped(usage),
  }),
  read({
    operation: 'search',
    path: '/api/v1/search',
    summary: 'Search companies, people, investors and events, or funding rounds.',
    query: searchQuery,
    aliases: { q: 'query' },
    response: enveloped(searchData),
  }),
  read({
    operation: 'aggregate',
    path: '/api/v1/aggregate',
    summary: 'Count and sum records by group.',
    query: aggregateQuery,
    response: enveloped(aggregateData),
  }),
  read({
    operation: 'connections',
    path: '/api/v1/connections',
    summary: 'Connections between two records over rounds, roles, events and portfolios.',
    query: connectionsQuery,
    response: enveloped(connectionsData),
  }),
  read({
    operation: 'vocabulary',
    name: 'getVocabulary',
    path: '/api/v1/vocabulary',
    summary: 'Filter values and coverage.',
    query: noQuery.strict(),
    response: enveloped(vocabulary),
  }),
  read({
    operation: 'paidSearch',
    path: '/api/v1/x402/search',
    summary: 'Search companies, people, investors or funding rounds, with a payment instead of a key.',
    access: 'payment',
    query: paidSearchQuery,
    aliases: { query: 'q' },
    response: paidSearchResponse,
  }),
  read({
    operation: 'paidAggregate',
    path: '/api/v1/x402/aggregate',
    summary: 'Count and sum records by group, with a payment instead of a key.',
    access: 'payment',
    query: aggregateQuery,
    response: paidResponseOf(aggregateData),
  }),
  read({
    operation: 'paidConnections',
    path: '/api/v1/x402/connections',
    summary: 'Connections between two records, with a payment instead of a key.',
    access: 'payment',
    query: connectionsQuery,
    response: paidResponseOf(connectionsData),
  }),
  read({
    operation: 'purchases',
    name: 'listPurchases',
    path: '/api/v1/x402/purchases',
    summary: 'Purchases of the signed-in wallet, newest first.',
    access: 'payment',
    query: purchasesQuery,
    response: purchasesResponse,
  }),
];

export const endpoints: readonly Endpoint[] = [...generalEndpoints, ...ofEachType, ...ofEachRelation];

/** Names of parameters, fields and groups, which are refused where unknown: ignoring one would return another list. */
export const MEANINGFUL_NAMES: ReadonlySet<string> = new Set([
  ...endpoints.flatMap(({ query }) => Object.keys(query.shape)),
  ...entities.flatMap(({ record }) => Object.keys(record.shape)),
  ...GROUP_NAMES,
]);
