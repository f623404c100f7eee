import { expect } from 'vitest';
import { type Endpoint, endpoints, type Operation } from '../../src/contract/endpoints.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from './builders.ts';
import type { Received } from './openapi.ts';
import { type Plain, sendPlain } from './plain-request.ts';
import type { TestService } from './service.ts';

/** A record of each type, number 1 of its kind. */
export const ONE_OF_EACH = [aCompany(), aPerson(), anInvestor(), anEvent(), aRound()];

type Asked = Pick<Plain, 'path' | 'headers' | 'body'>;

/** Requests for a service with one record of each type. */
export interface Requests {
  send(method: string, asked: Asked, secret?: string): Promise<Received>;
  /** The body of a new record of a type. */
  newBody(type: string | undefined, more?: object): string;
  /** Creates a record and returns its slug. */
  newRecord(type: string | undefined, more?: object): Promise<string>;
  /** A request that succeeds with a key of sufficient level. */
  fine(endpoint: Endpoint): Promise<Asked>;
}

export const endpointOf = ({ method, path }: { method: string; path: string }): Endpoint =>
  endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path) as Endpoint;

/** Required parameters of operations. */
const QUERIES: Readonly<Partial<Record<Operation, string>>> = {
  search: '?type=all',
  aggregate: '?of=companies&group_by=tag',
  connections: '?from=companies/acme&to=Ada%20Example',
};

export function createRequests({ url }: Pick<TestService, 'url'>, key: string): Requests {
  let made = 0;
  const requests: Requests = {
    send: (method, { path, headers = {}, body }, secret = key) =>
      sendPlain(url, {
        method,
        path,
        body,
        headers: {
          ...(secret === '' ? {} : { Authorization: `Bearer ${secret}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
      }),
    newBody: (type, more = {}) => {
      made += 1;
      return JSON.stringify({ name: `Made ${made}`, ...(type === 'rounds' ? { company: 'Acme' } : {}), ...more });
    },
    newRecord: async (type, more = {}) => {
      const { status, text } = await requests.send('POST', {
        path: `/api/v1/${type}`,
        body: requests.newBody(type, more),
      });
      expect(status).toBe(201);
      return JSON.parse(text).data.slug;
    },
    fine: async ({ operation, type, path, body }) => {
      const isChange = ['replace', 'merge', 'delete', 'restore'].includes(operation);
      const slug = isChange ? await requests.newRecord(type) : '1';
      if (operation === 'restore') await requests.send('DELETE', { path: `/api/v1/${type}/${slug}` });
      return {
        path: path.replace('{idOrSlug}', slug) + (QUERIES[operation] ?? ''),
        body: body === undefined ? undefined : requests.newBody(type),
      };
    },
  };
  return requests;
}
