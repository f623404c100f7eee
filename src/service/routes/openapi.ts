import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { type Endpoint, endpoints } from '../../contract/endpoints.ts';
import { bareErrorBody, errorBody } from '../../contract/envelope.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { health } from '../../contract/health.ts';
import { bare, type Handler } from '../call.ts';
import { quotaHeaders, retryHeaders } from './openapi-headers.ts';

/** GET /api/v1/openapi.json: OpenAPI 3.1, read from the contract and made once, when it is first asked for. */
export function openapi(publicUrl: string, version: string): Handler {
  let document: string | undefined;
  return async () => {
    document ??= JSON.stringify(describe(publicUrl, version));
    return bare(document);
  };
}

function describe(publicUrl: string, version: string): object {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'web3-bi', version, description: 'Companies, people, investors and events of Web3.' },
    servers: [{ url: publicUrl }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: mk_ and 49 letters and digits.' },
      },
    },
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, { get: operationOf(endpoint) }])),
  });
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const params = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const texts = params.map((name) => [name, z.string().meta({ description: 'Record number or slug.' })]);
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.access === 'nothing' ? {} : { security: [{ apiKey: [] }] }),
    requestParams: {
      query: endpoint.query,
      ...(params.length > 0 ? { path: z.object(Object.fromEntries(texts)) } : {}),
    },
    responses: {
      200: { description: 'Success.', content: json(endpoint.answer), ...headersOf(endpoint) },
      ...errorsOf(endpoint),
    },
  };
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const headersOf = ({ access }: Endpoint) => (access === 'nothing' ? {} : { headers: quotaHeaders });
const answerOf = (description: string, schema: z.ZodType) => ({ description, content: json(schema) });

function errorsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  if (endpoint.operation === 'health') return { 503: answerOf('The core service is unavailable.', health) };
  if (endpoint.access === 'nothing') return {};
  const isSearch = endpoint.operation === 'search';
  const codes: ErrorCode[] = ['invalid_parameter', 'internal', 'unavailable'];
  if (endpoint.path.includes('{')) codes.push('not_found');
  return {
    ...Object.fromEntries(codes.map((code) => [ERRORS[code].status, answerOf(ERRORS[code].about, errorBody)])),
    403: answerOf(`${aboutAll(FORBIDDEN)} Quota headers are there when the level is too low.`, errorBody),
    429: { ...answerOf(aboutAll(TOO_MANY), errorBody), headers: quotaHeaders.extend(retryHeaders.shape) },
    401: answerOf('The key is missing or invalid.', isSearch ? bareErrorBody : errorBody),
    ...(isSearch ? { 500: answerOf('The search backend failed.', z.union([bareErrorBody, errorBody])) } : {}),
  };
}

const FORBIDDEN: readonly ErrorCode[] = ['plan_required', 'address_not_allowed', 'forbidden'];
const TOO_MANY: readonly ErrorCode[] = ['daily_limit_exceeded', 'monthly_limit_exceeded', 'burst_limit_exceeded'];

/** The codes that share a status, with what each means. */
const aboutAll = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `${code}: ${ERRORS[code].about}`).join(' ');
