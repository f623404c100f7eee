import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints as all } from '../../src/contract/endpoints.ts';
import { entities } from '../../src/contract/entities/index.ts';
import { startService, type TestService } from '../support/service.ts';

/** What a service offers that takes no payments; test/service/payments has the rest. */
const endpoints = all.filter(({ access }) => access !== 'payment');

let service: TestService;
let document: any;
beforeAll(async () => {
  service = await startService();
  document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
});
afterAll(() => service.close());

describe('GET /api/v1/openapi.json', () => {
  test('200 without a key describes every endpoint and none besides', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://test' }] });
    const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(
      endpoints.map((endpoint) => `${endpoint.method.toLowerCase()} ${endpoint.path}`).sort(),
    );
  });

  test('200 says of every endpoint with a key what is left and when it refuses', () => {
    for (const { path, method, access, status: success } of endpoints) {
      const { responses } = document.paths[path][method.toLowerCase()];
      const refused = document.components.responses.TooMany.headers;
      if (access === 'nothing') {
        expect([path, responses[429], responses[success].headers]).toEqual([
          path,
          undefined,
          expect.not.objectContaining({ RateLimit: expect.anything() }),
        ]);
      } else {
        expect([path, responses[429]]).toEqual([path, { $ref: '#/components/responses/TooMany' }]);
        expect(Object.keys(responses[success].headers)).toEqual(
          expect.arrayContaining(['X-RateLimit-Reset', 'RateLimit']),
        );
      }
      expect(Object.keys(refused)).toEqual(expect.arrayContaining(['X-RateLimit-Reset', 'RateLimit', 'Retry-After']));
    }
  });

  test('200 has a schema of each record with every field', () => {
    for (const { record } of entities) {
      const name = String(record.meta()?.['id']);
      const schema = document.components.schemas[name] ?? document.components.schemas[`${name}Output`];
      expect(Object.keys(schema.properties)).toEqual(Object.keys(record.shape));
    }
  });
});
