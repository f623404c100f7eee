import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { type Endpoint, endpoints } from '../../contract/endpoints.ts';
import { bareErrorBody, errorBody } from '../../contract/envelope.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { health } from '../../contract/health.ts';
import { bare, type Handler } from '../call.ts';

/** GET /api/v1/openapi.json: OpenAPI 3.1, read from the contract and made once, when it is first asked for. */
export function openapi(publicUrl: string, version: string): Handler {
  let document: string | undefined;
  return async () => {
    document ??= JSON.stringify(describe(publicUrl, version));
    return bare(document);
  };
}

function describe(publicUrl: string, version: string): unknown {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: mk_ and 49 letters and digits.',
  });
  for (const endpoint of endpoints) registry.registerPath(pathOf(endpoint));
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'web3-bi', version, description: 'Companies, people, investors and events of Web3.' },
    servers: [{ url: publicUrl }],
  });
}

type PathConfig = Parameters<OpenAPIRegistry['registerPath']>[0];

function pathOf(endpoint: Endpoint): PathConfig {
  const params = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const texts = params.map((name) => [name, z.string().meta({ description: 'Record number or slug.' })]);
  return {
    method: 'get',
    path: endpoint.path,
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.access === 'nothing' ? {} : { security: [{ apiKey: [] }] }),
    request: { query: endpoint.query, ...(params.length > 0 ? { params: z.object(Object.fromEntries(texts)) } : {}) },
    responses: { 200: { description: 'Success.', content: json(endpoint.answer) }, ...errorsOf(endpoint) },
  };
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

function errorsOf(endpoint: Endpoint): PathConfig['responses'] {
  if (endpoint.operation === 'health') {
    return { 503: { description: 'The core service is unavailable.', content: json(health) } };
  }
  if (endpoint.access === 'nothing') return {};
  const isSearch = endpoint.operation === 'search';
  const codes: ErrorCode[] = ['invalid_parameter', 'plan_required', 'internal', 'unavailable'];
  if (endpoint.path.includes('{')) codes.push('not_found');
  const bareOnSearch = isSearch ? bareErrorBody : errorBody;
  return {
    ...Object.fromEntries(codes.map((code) => [ERRORS[code].status, errorAnswer(ERRORS[code].about, errorBody)])),
    401: errorAnswer('The key is missing or invalid.', bareOnSearch),
    ...(isSearch ? { 500: errorAnswer('The search backend failed.', z.union([bareErrorBody, errorBody])) } : {}),
  };
}

function errorAnswer(description: string, schema: z.ZodType): PathConfig['responses'][string] {
  return { description, content: json(schema) };
}
