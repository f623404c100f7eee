import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { AT_LEAST_HEADER, CHANGE_HEADER } from '../../contract/changes.ts';
import { type Endpoint, isKeyed, isPriced, type Operation } from '../../contract/endpoints.ts';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { TEXT } from '../../contract/errors.ts';
import { once } from '../../contract/lazy.ts';
import { DEPTH_MAX } from '../../contract/queries.ts';
import { SIGN_IN_HEADER } from '../../contract/wallet-sign-in.ts';
import { PAYMENT_HEADERS, PRICE_USD } from '../../contract/x402.ts';
import { type Handler, JSON_TYPE } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { ENDPOINT_GROUPS, groupOf, offeredEndpoints } from '../offered-endpoints.ts';
import { createStaticDocument } from '../static-documents.ts';
import { bodyExample, slugOf } from './openapi-examples.ts';
import { responsesOf } from './openapi-responses.ts';

/** GET /api/v1/openapi.json: OpenAPI 3.1, generated from the contract on first use. */
export function openapi(deps: ServiceDeps): Handler {
  const document = once(() => createStaticDocument(JSON.stringify(describe(deps)), JSON_TYPE));
  return async () => document();
}

function describe({ publicUrl, version, paymentGate, contact = publicUrl }: ServiceDeps): object {
  const offered = offeredEndpoints(paymentGate !== undefined);
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'web3-bi',
      version,
      description: ABOUT,
      contact: { name: 'web3-bi', ...(contact.includes('://') ? { url: contact } : { email: contact }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...new Set(offered.map(groupOf))].map((name) => ({ name, description: ENDPOINT_GROUPS[name] })),
    servers: [{ url: publicUrl }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: mk_ and 49 letters and digits.' },
      },
    },
    paths: pathsOf(offered),
  });
}

const ABOUT = `Companies, people, investors, events and funding rounds of Web3.

**Keys.** Send \`Authorization: Bearer mk_...\` with every request that shows a lock. The level of a key says what it may do:
read, write (also create and change) or delete (also delete).

**Limits.** A request with a key counts once against its day and month, also when it is answered with 4xx. Not counted are 401,
403 for a missing plan or a foreign address, 429, 304, OPTIONS, /api/v1/usage and failures of ours. The headers of each answer
say what is left; after 429, Retry-After says when to come back.

**Pages.** \`page\` and \`limit\` go ${DEPTH_MAX} records deep; lists go on with \`cursor\`.

**Errors** are JSON: \`error\` for a person, \`code\` for a program, \`errors\` with the place of each fault, and
\`meta.requestId\`, which is also in X-Request-Id. Of /api/v1/search, 401 is \`${JSON.stringify({ error: TEXT.searchUnauthenticated })}\`
and a failed search \`${JSON.stringify({ error: TEXT.searchFailed })}\`, with nothing else.`;

function pathsOf(all: readonly Endpoint[]): Record<string, Record<string, ZodOpenApiOperationObject>> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of all)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  return paths;
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { name, summary, operation, body } = endpoint;
  const path = z.object(
    Object.fromEntries(
      pathParameters(endpoint).map((parameter) => [
        parameter,
        idOrSlugs.get(endpoint.type ?? 'companies') as z.ZodType,
      ]),
    ),
  );
  return {
    operationId: name,
    tags: [groupOf(endpoint)],
    summary,
    description: descriptionOf(endpoint),
    security: isKeyed(endpoint) ? [{ apiKey: [] }] : [],
    requestParams: { query: queryOf(endpoint), path, header: REQUEST_HEADERS[operation] ?? z.object({}) },
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(endpoint, body) } }),
    responses: responsesOf(endpoint),
    ...(isPriced(endpoint) && { 'x-payment-info': PAYMENT_INFO }),
  };
}

/** Price of a call (`x-payment-info`), as read by directories of paid APIs. */
const PAYMENT_INFO = {
  price: { mode: 'fixed', currency: 'USD', amount: PRICE_USD },
  protocols: [{ x402: {} }],
};

function queryOf({ query, aliases = {} }: Endpoint): z.ZodObject {
  const others = Object.entries(aliases).map(([alias, name]) => [
    alias,
    z.optional(query.shape[name] as z.ZodType).meta({ description: `Another name for ${name}.` }),
  ]);
  return query.extend(Object.fromEntries(others));
}

/** Purpose, required credential and price of an operation. */
function descriptionOf(endpoint: Endpoint): string {
  const { summary, access, isUncounted } = endpoint;
  if (access === 'nothing') return `${summary} Needs no key.`;
  if (isPriced(endpoint)) return `${summary} Needs no key: each request is paid for.`;
  if (access === 'payment') return `${summary} Needs no key: the wallet that paid signs in, and pays nothing.`;
  return `${summary} Needs a key of level ${access}${isUncounted ? '.' : ', and counts as one request.'}`;
}

const idOrSlugs = new Map(
  RECORD_TYPES.map((type) => [
    type,
    z
      .string()
      .min(1)
      .meta({ description: 'Record number or slug.', examples: [slugOf(type)] }),
  ]),
);
const pathParameters = ({ path }: Endpoint): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const requestHeader = (name: string, description: string) =>
  z.object({ [name]: z.string().optional().meta({ description }) });
const ifNoneMatch = requestHeader('If-None-Match', 'ETag of the version that the client has.');
const ifMatch = requestHeader('If-Match', 'ETag of the version that the record must still have.');
const idempotencyKey = requestHeader('Idempotency-Key', 'Makes retries of a request idempotent.');

const atLeast = requestHeader(
  AT_LEAST_HEADER,
  `Results include every change up to this position, as in ${CHANGE_HEADER} of a response to a change. Changes of the key itself are always included.`,
);
const signIn = requestHeader(
  SIGN_IN_HEADER,
  'The message signed by the paying wallet, in base64; see extensions of the 402.',
);
const signedPayment = requestHeader(PAYMENT_HEADERS.signature, 'A signed payment, in base64; see the 402.').extend({
  ...atLeast.shape,
  ...signIn.shape,
});

/** Request headers of an operation, besides the key. */
const REQUEST_HEADERS: Readonly<Partial<Record<Operation, z.ZodObject>>> = {
  openapi: ifNoneMatch,
  search: atLeast,
  aggregate: atLeast,
  connections: atLeast,
  list: atLeast,
  related: atLeast,
  detail: ifNoneMatch,
  create: idempotencyKey,
  replace: ifMatch,
  merge: ifMatch,
  delete: ifMatch,
  restore: idempotencyKey.extend(ifMatch.shape),
  paidSearch: signedPayment,
  paidAggregate: signedPayment,
  paidConnections: signedPayment,
  purchases: signIn,
};

function contentOf(endpoint: Endpoint, schema: z.ZodObject) {
  const content = { schema, example: bodyExample(endpoint) };
  return {
    'application/json': content,
    ...(endpoint.operation === 'merge' ? { 'application/merge-patch+json': content } : {}),
  };
}
