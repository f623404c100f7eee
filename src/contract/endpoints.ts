import * as z from 'zod';
import { deletedOf } from './changes.ts';
import { entities, entityOf, type RecordType } from './entities/index.ts';
import { type Entity, withArticle } from './entity.ts';
import { enveloped } from './envelope.ts';
import { generalEndpoints } from './general-endpoints.ts';
import { changeBodies, newBodies } from './input.ts';
import type { KeyLevel } from './keys.ts';
import { provenance } from './provenance.ts';
import { listQuery, recordQuery, relatedQuery } from './queries.ts';
import { answerOfList, listSchema, readOf } from './record-answers.ts';
import { type RelatedList, relatedLists } from './relations.ts';

const noQuery = z.object({});

/** Whether an endpoint requires a key. */
export function isKeyed(endpoint: Endpoint): endpoint is Endpoint & { readonly access: KeyLevel } {
  return endpoint.access !== 'nothing' && endpoint.access !== 'payment';
}

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
  readonly answer: z.ZodType;
  /** Status code of a successful response. */
  readonly status: 200 | 201;
  /** The record type of the path. */
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

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Type names as operation names: `Companies`, `FundingRound`. */
const nounName = (entity: Entity): string => entity.noun.split(' ').map(capital).join('');

const readingOf = (entity: (typeof entities)[number], deleted: z.ZodType): readonly Endpoint[] => [
  {
    operation: 'list',
    name: `list${capital(entity.type)}`,
    method: 'GET',
    path: `/api/v1/${entity.type}`,
    summary: `List ${entity.type}.`,
    access: 'read',
    query: listQuery,
    answer: enveloped(listSchema(readOf.get(entity.type) as z.ZodType)),
    status: 200,
    type: entity.type,
  },
  {
    operation: 'detail',
    name: `get${nounName(entity)}`,
    method: 'GET',
    path: `/api/v1/${entity.type}/{idOrSlug}`,
    summary: `One ${entity.noun}, by number or slug.`,
    access: 'read',
    query: recordQuery,
    answer: enveloped(z.union([readOf.get(entity.type) as z.ZodType, deleted])),
    status: 200,
    type: entity.type,
  },
  {
    operation: 'sources',
    name: `get${nounName(entity)}Sources`,
    method: 'GET',
    path: `/api/v1/${entity.type}/{idOrSlug}/sources`,
    summary: `Where each field of ${withArticle(entity.noun)} comes from, and as of when.`,
    access: 'read',
    query: noQuery,
    answer: enveloped(provenance),
    status: 200,
    type: entity.type,
  },
];

/** The properties in which write endpoints differ. */
type Writing = Pick<Endpoint, 'operation' | 'method' | 'summary' | 'access' | 'answer'> & Partial<Endpoint>;

const writingOf = (entity: (typeof entities)[number], deleted: z.ZodType): readonly Endpoint[] => {
  const { type, noun, record } = entity;
  const one = withArticle(noun);
  const write = ({ path = '/{idOrSlug}', ...given }: Writing): Endpoint => ({
    name: `${given.operation}${nounName(entity)}`,
    path: `/api/v1/${type}${path}`,
    query: noQuery,
    status: 200,
    type,
    ...given,
  });
  const answer = enveloped(record);
  const level = { access: 'write', answer } as const;
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
      answer: enveloped(deleted),
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

const ofEachRelation: readonly Endpoint[] = relatedLists.map((related) => ({
  operation: 'related',
  name: `list${capital(entityOf(related.of).noun)}${related.name.split('_').map(capital).join('')}`,
  method: 'GET',
  path: `/api/v1/${related.of}/{idOrSlug}/${related.name}`,
  summary: related.summary,
  access: 'read',
  query: relatedQuery,
  answer: enveloped(answerOfList(related)),
  status: 200,
  type: related.of,
  related,
}));

export const endpoints: readonly Endpoint[] = [...generalEndpoints, ...ofEachType, ...ofEachRelation];
