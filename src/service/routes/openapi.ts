import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { type Endpoint, endpoints, isKeyed, type Operation } from '../../contract/endpoints.ts';
import { bareErrorBody, errorBody } from '../../contract/envelope.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { health } from '../../contract/health.ts';
import { PAYMENT_HEADERS, paymentRequired } from '../../contract/x402.ts';
import { bare, type Handler } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import {
  etagHeader,
  locationHeader,
  paymentRequiredHeader,
  paymentResponseHeader,
  quotaHeaders,
  retryHeaders,
} from './openapi-headers.ts';

/** GET /api/v1/openapi.json: OpenAPI 3.1, read from the contract and made once, when it is first asked for. */
export function openapi({ publicUrl, version, till }: ServiceDeps): Handler {
  // What is not sold here is not there.
  const offered = endpoints.filter(({ access }) => access !== 'payment' || till !== undefined);
  let document: string | undefined;
  return async () => {
    document ??= JSON.stringify(describe(publicUrl, version, offered));
    return bare(document);
  };
}

function describe(publicUrl: string, version: string, offered: readonly Endpoint[]): object {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'web3-bi', version, description: 'Companies, people, investors and events of Web3.' },
    servers: [{ url: publicUrl }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: mk_ and 49 letters and digits.' },
      },
    },
    paths: pathsOf(offered),
  });
}

function pathsOf(all: readonly Endpoint[]): Record<string, Record<string, ZodOpenApiOperationObject>> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of all) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return paths;
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const params = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const texts = params.map((name) => [name, z.string().meta({ description: 'Record number or slug.' })]);
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(isKeyed(endpoint) ? { security: [{ apiKey: [] }] } : {}),
    requestParams: {
      query: endpoint.query,
      ...(params.length > 0 ? { path: z.object(Object.fromEntries(texts)) } : {}),
      ...headersOf(endpoint),
    },
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyOf(endpoint, endpoint.body) } }),
    responses: {
      [`${endpoint.status}`]: { description: 'Success.', ...answerHeaders(endpoint), content: json(endpoint.answer) },
      ...(endpoint.operation === 'detail' ? { 304: { description: 'The version that If-None-Match names.' } } : {}),
      ...errorsOf(endpoint),
    },
  };
}

const CHANGES: readonly Operation[] = ['create', 'replace', 'merge', 'delete', 'restore'];
const isChange = ({ operation }: Endpoint): boolean => CHANGES.includes(operation);

function headersOf({ operation, method }: Endpoint) {
  const header = (name: string, description: string) => ({
    header: z.object({ [name]: z.string().optional().meta({ description }) }),
  });
  if (operation === 'detail') return header('If-None-Match', 'ETag of the version that is there already.');
  if (operation === 'paidSearch') return header(PAYMENT_HEADERS.signature, 'A signed payment, in base64; see the 402.');
  if (operation === 'create') return header('Idempotency-Key', 'Makes a request that is sent again happen once.');
  const ifMatch = 'ETag of the version that the record must still have.';
  if (operation === 'restore') return header('Idempotency-Key', 'Makes a request that is sent again happen once.');
  return method === 'GET' ? {} : header('If-Match', ifMatch);
}

const VERSIONED: readonly Operation[] = ['detail', 'create', 'replace', 'merge', 'restore'];

function answerHeaders({ access, operation }: Endpoint) {
  if (access === 'payment') return { headers: paymentResponseHeader };
  if (access === 'nothing') return {};
  const headers = VERSIONED.includes(operation) ? quotaHeaders.extend(etagHeader.shape) : quotaHeaders;
  return { headers: operation === 'create' ? headers.extend(locationHeader.shape) : headers };
}

const bodyOf = ({ operation }: Endpoint, schema: z.ZodObject) => ({
  'application/json': { schema },
  ...(operation === 'merge' ? { 'application/merge-patch+json': { schema } } : {}),
});

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const answerOf = (description: string, schema: z.ZodType) => ({ description, content: json(schema) });

/** Errors beyond those that every keyed endpoint has. */
function codesOf({ path, operation, method, body, ...rest }: Endpoint): ErrorCode[] {
  const isConditional = isChange({ path, operation, method, ...rest }) && operation !== 'create';
  return [
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(isConditional ? (['precondition_failed'] as const) : []),
    ...(operation === 'restore' || body !== undefined ? (['slug_conflict'] as const) : []),
    ...(body === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(method === 'POST' ? (['idempotency_mismatch'] as const) : []),
  ];
}

function errorsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  if (endpoint.operation === 'health') return { 503: answerOf('The core service is unavailable.', health) };
  if (endpoint.access === 'payment') return paymentErrors;
  if (endpoint.access === 'nothing') return {};
  const isSearch = endpoint.operation === 'search';
  const codes: ErrorCode[] = ['invalid_parameter', 'internal', 'unavailable', ...codesOf(endpoint)];
  return {
    ...Object.fromEntries(codes.map((code) => [ERRORS[code].status, answerOf(ERRORS[code].about, errorBody)])),
    403: answerOf(`${aboutAll(FORBIDDEN)} Quota headers are there when the level is too low.`, errorBody),
    429: { ...answerOf(aboutAll(TOO_MANY), errorBody), headers: quotaHeaders.extend(retryHeaders.shape) },
    401: answerOf('The key is missing or invalid.', isSearch ? bareErrorBody : errorBody),
    ...(isSearch ? { 500: answerOf('The search backend failed.', z.union([bareErrorBody, errorBody])) } : {}),
  };
}

const ofCode = (code: ErrorCode) => answerOf(ERRORS[code].about, errorBody);

const paymentErrors: ZodOpenApiResponsesObject = {
  400: ofCode('invalid_parameter'),
  402: { ...answerOf('A payment is needed, or was refused.', paymentRequired), headers: paymentRequiredHeader },
  409: ofCode('payment_conflict'),
  500: answerOf('The search failed; nothing was charged.', bareErrorBody),
  503: {
    ...answerOf(`${ERRORS.facilitator_unreachable.about} ${ERRORS.payment_pending.about}`, errorBody),
    headers: retryHeaders,
  },
};

const FORBIDDEN: readonly ErrorCode[] = ['plan_required', 'address_not_allowed', 'forbidden'];
const TOO_MANY: readonly ErrorCode[] = ['daily_limit_exceeded', 'monthly_limit_exceeded', 'burst_limit_exceeded'];

/** The codes that share a status, with what each means. */
const aboutAll = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `${code}: ${ERRORS[code].about}`).join(' ');
