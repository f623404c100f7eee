import * as z from 'zod';
import { aggregateData, aggregateQuery } from './aggregate.ts';
import { connectionsData, connectionsQuery } from './connections.ts';
import type { Endpoint } from './endpoints.ts';
import { enveloped } from './envelope.ts';
import { health, healthQuery } from './health.ts';
import { searchData, searchQuery } from './queries.ts';
import { usage } from './usage.ts';
import { vocabulary } from './vocabulary-answer.ts';
import { paidAnswerOf, paidSearchAnswer, paidSearchQuery } from './x402.ts';

const noQuery = z.object({});

/** The operations that are about no type of record. */
export const generalEndpoints: readonly Endpoint[] = [
  {
    operation: 'health',
    name: 'getHealth',
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service works.',
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
    summary: 'Description of the service in OpenAPI 3.1.',
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
    summary: 'What is left of the quota of the key. Not counted.',
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
    summary: 'Count and sum up records by group.',
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
    summary: 'How two records are connected, over rounds, roles, events and portfolios.',
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
    summary: 'Values that filters can be given, and how much is known.',
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
    summary: 'Search companies, people and investors for a payment instead of a key.',
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
    summary: 'Count and sum up records by group, for a payment instead of a key.',
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
    summary: 'How two records are connected, for a payment instead of a key.',
    access: 'payment',
    query: connectionsQuery,
    answer: paidAnswerOf(connectionsData),
    status: 200,
  },
];
