import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { anyText, fromSchema } from '../support/from-schema.ts';
import { isLong } from '../support/length.ts';
import { type Described, type Description, readDescription } from '../support/openapi.ts';
import { sendPlain } from '../support/plain-request.ts';
import { ONE_OF_EACH } from '../support/requests.ts';
import { startService, type TestService } from '../support/service.ts';

/** Requests of each endpoint; more find more: `PROPERTY_RUNS=1000 npx vitest run test/service/openapi-properties.test.ts`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (isLong ? 40 : 15));

let service: TestService;
let key: string;
let description: Description;

beforeAll(async () => {
  service = await startService(ONE_OF_EACH);
  key = await service.newKey({ level: 'delete', plan: 'enterprise' });
  description = readDescription(await (await service.get('/api/v1/openapi.json')).json());
});
afterAll(() => service.close());

/** Text that `encodeURIComponent` rejects is sent unencoded, like by a broken client. */
const encoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
};

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Parameters with allowed values, arbitrary values, repeated ones, and unknown ones. */
function queryOf(parameters: readonly any[]): fc.Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = named.map(({ name, schema }) =>
    fc
      .oneof(
        { weight: 3, arbitrary: fromSchema(description.resolve, schema).map(textOf) },
        { weight: 1, arbitrary: anyText },
      )
      .map((value) => `${name}=${encoded(value)}`),
  );
  const foreign = fc.tuple(anyText, anyText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const raw = fc.constantFrom('%zz', '%c0%ae=1', '&&', '=', 'a[b]=c', '?');
  const required = named
    .filter((parameter) => parameter.required)
    .map(({ name, schema }) =>
      fromSchema(description.resolve, schema).map((value) => `${name}=${encoded(textOf(value))}`),
    );
  const any = fc.array(
    fc.oneof({ weight: 12, arbitrary: fc.oneof(...pairs, foreign) }, { weight: 1, arbitrary: raw }),
    {
      maxLength: 4,
    },
  );
  return fc
    .tuple(fc.oneof({ weight: 5, arbitrary: fc.tuple(...required) }, { weight: 1, arbitrary: fc.constant([]) }), any)
    .map((parts) => parts.flat().join('&'));
}

const SLUGS = ['1', 'acme', 'ada-example', 'example-capital', 'examplecon-2025', 'acme-seed', '2', '3'];
const idOrSlug = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SLUGS) },
  { weight: 1, arbitrary: anyText.filter((text) => text !== '').map(encoded) },
  { weight: 1, arbitrary: fc.constantFrom('.', '..', '%2e%2e', '%c0%ae', '%00', '%zz') },
);

/** Header values are bytes from space to tilde, without spaces at the ends. */
const headerValue = fc.oneof(
  fc.constantFrom('*', '"r1"', '"r1", "r2"', 'W/"r1"', 'once', '""'),
  fc.stringMatching(/^[!-~]([ -~]{0,300}[!-~])?$/),
);

function headersOf(parameters: readonly any[]): fc.Arbitrary<Record<string, string>> {
  const names = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const usual = Object.fromEntries(names.map((name) => [name, headerValue]));
  const others = { Accept: headerValue, 'X-Request-Id': headerValue, Origin: headerValue, Expect: headerValue };
  const some = fc.record(usual, { requiredKeys: [] });
  const strange = fc.record(others, { requiredKeys: [] });
  return fc
    .tuple(some, fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: strange }))
    .map(([own, more]) => ({ ...own, ...more }));
}

/** A valid body, one with an arbitrary field, or an arbitrary value. */
function bodyOf(requestBody: any): fc.Arbitrary<{ type: string; text: string }> {
  const [type = '', { schema }] = Object.entries<any>(requestBody.content)[0] ?? ['', {}];
  const right = fromSchema(description.resolve, schema) as fc.Arbitrary<object>;
  const fields = Object.keys(description.resolve(schema).properties);
  const wrong = fc
    .tuple(right, fc.constantFrom(...fields), fc.oneof(anyText, fc.jsonValue({ maxDepth: 4 })))
    .map(([body, field, value]) => ({ ...body, [field]: value }));
  const texts = fc.oneof(
    { weight: 5, arbitrary: right.map((body) => JSON.stringify(body)) },
    { weight: 5, arbitrary: wrong.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText },
  );
  const types = fc.oneof(
    { weight: 20, arbitrary: fc.constant(type) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'application/merge-patch+json'),
    },
  );
  return fc.record({ type: types, text: texts });
}

// What is paid for is not there in a service that takes no payments; test/service/payments has it.
const described = endpoints
  .filter(({ access }) => access !== 'payment')
  .map(({ method, path }) => [method, path] as const);

describe.each(described)('%s %s', (method, path) => {
  test('answers anything as the document says, and never with a fault of its own', async () => {
    const own = description.operations.find((one) => one.method === method && one.path === path) as Described;
    const { parameters = [], requestBody } = own.operation;
    const body = requestBody === undefined ? fc.constant(undefined) : bodyOf(requestBody);
    const request = fc.record({ idOrSlug, query: queryOf(parameters), headers: headersOf(parameters), body });
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        const place = path.replace('{idOrSlug}', given.idOrSlug);
        const received = await sendPlain(service.url, {
          method,
          path: given.query === '' ? place : `${place}?${given.query}`,
          body: given.body?.text,
          headers: {
            Authorization: `Bearer ${key}`,
            ...(given.body === undefined ? {} : { 'Content-Type': given.body.type }),
            ...given.headers,
          },
        });
        expect(received.status, received.text).toBeLessThan(500);
        expect(description.faultsOf(own, received)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
