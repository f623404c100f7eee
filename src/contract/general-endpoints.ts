import * as z from 'zod';
import { aggregateData, aggregateQuery } from './aggregate.ts';
import { connectionsData, connectionsQuery } from './connections.ts';
import type { Endpoint } from './endpoints.ts';
import { enveloped } from './envelope.ts';
import { health, healthQuery } from './health.ts';
import { searchQuery } from './queries.ts';
import { searchData } from './record-answers.ts';
import { usage } from './usage.ts';
import { vocabulary } from './vocabulary-answer.ts';
import { paidAnswerOf, paidSearchAnswer, paidSearchQuery, purchasesAnswer, purchasesQuery } from './x402.ts';

const noQuery = z.object({});

/** Operations that do not belong to a record type. */
export const generalEndpoints: readonly Endpoint[] = [
  {
    operation: 'health',
    name: 'getHealth',
    method: 'GET',
    path: '/api/health',
    summary: 'Health of the service.',
    access: 'nothing',
    query: healthQuery,
    answer: health,
    status: 200,
  },
  {
    operation: 'openapi',
    name: 'getOpenapi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'OpenAPI 3.1 document of the service.',
    access: 'nothing',
    query: noQuery,
    answer: z.looseObject({ openapi: z.string() }),
    status: 200,
  },
  {
    operation: 'usage',
    name: 'getUsage',
    method: 'GET',
    path: '/api/v1/usage',
    summary: 'Remaining quota of the key. Not counted.',
    access: 'read',
    isUncounted: true,
    query: noQuery,
    answer: enveloped(usage),
    status: 200,
  },
  {
    operation: 'search',
    name: 'search',
    method: 'GET',
    path: '/api/v1/search',
    summary: 'Search companies, people, investors and events, or funding rounds.',
    access: 'read',
    query: searchQuery,
    aliases: { q: 'query' },
    answer: enveloped(searchData),
    status: 200,
  },
  {
    operation: 'aggregate',
    name: 'aggregate',
    method: 'GET',
    path: '/api/v1/aggregate',
    summary: 'Count and sum records by group.',
    access: 'read',
    query: aggregateQuery,
    answer: enveloped(aggregateData),
    status: 200,
  },
  {
    operation: 'connections',
    name: 'connections',
    method: 'GET',
    path: '/api/v1/connections',
    summary: 'Connections between two records over rounds, roles, events and portfolios.',
    access: 'read',
    query: connectionsQuery,
    answer: enveloped(connectionsData),
    status: 200,
  },
  {
    operation: 'vocabulary',
    name: 'getVocabulary',
    method: 'GET',
    path: '/api/v1/vocabulary',
    summary: 'Filter values and coverage.',
    access: 'read',
    query: noQuery,
    answer: enveloped(vocabulary),
    status: 200,
  },
  {
    operation: 'paidSearch',
    name: 'paidSearch',
    method: 'GET',
    path: '/api/v1/x402/search',
    summary: 'Search companies, people, investors or funding rounds, with a payment instead of a key.',
    access: 'payment',
    query: paidSearchQuery,
    aliases: { query: 'q' },
    answer: paidSearchAnswer,
    status: 200,
  },
  {
    operation: 'paidAggregate',
    name: 'paidAggregate',
    method: 'GET',
    path: '/api/v1/x402/aggregate',
    summary: 'Count and sum records by group, with a payment instead of a key.',
    access: 'payment',
    query: aggregateQuery,
    answer: paidAnswerOf(aggregateData),
    status: 200,
  },
  {
    operation: 'paidConnections',
    name: 'paidConnections',
    method: 'GET',
    path: '/api/v1/x402/connections',
    summary: 'Connections between two records, with a payment instead of a key.',
    access: 'payment',
    query: connectionsQuery,
    answer: paidAnswerOf(connectionsData),
    status: 200,
  },
  {
    operation: 'purchases',
    name: 'listPurchases',
    method: 'GET',
    path: '/api/v1/x402/purchases',
    summary: 'Purchases of the signed-in wallet, newest first.',
    access: 'payment',
    query: purchasesQuery,
    answer: purchasesAnswer,
    status: 200,
  },
];
