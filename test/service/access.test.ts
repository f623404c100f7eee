import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, endpoints, isKeyed } from '../../src/contract/endpoints.ts';
import { TEXT } from '../../src/contract/errors.ts';
import { allows, KEY_LEVELS, type KeyLevel } from '../../src/contract/keys.ts';
import { PLAN_NAMES, PLANS, type PlanName } from '../../src/contract/plans.ts';
import { loopbackEndpoint } from '../support/mcp-endpoint.ts';
import type { Received } from '../support/openapi.ts';
import { createRequests, ONE_OF_EACH, type Requests } from '../support/requests.ts';
import { startService, type TestService } from '../support/service.ts';

const endpoint = loopbackEndpoint(() => undefined);
let service: TestService;
let requests: Requests;
/** A key of each plan and level. */
const keys = new Map<string, string>();
beforeAll(async () => {
  service = await startService(ONE_OF_EACH, { mount: endpoint.mount });
  requests = createRequests(service, await service.newKey({ level: 'delete', plan: 'enterprise' }));
  for (const plan of PLAN_NAMES)
    for (const level of KEY_LEVELS) keys.set(`${plan} ${level}`, await service.newKey({ plan, level }));
});
afterAll(async () => {
  await endpoint.close();
  await service.close();
});

interface Case {
  readonly endpoint: Endpoint;
  readonly plan: PlanName;
  readonly level: KeyLevel;
}

/**
 * The decision table: the plan is looked at before the endpoint, so every plan and level meet at one endpoint; the level is
 * compared with what the endpoint needs, so every level meets every endpoint. A new endpoint is among them by itself.
 */
const combinations = PLAN_NAMES.flatMap((plan) => KEY_LEVELS.map((level) => ({ endpoint: searched(), plan, level })));
const levels = endpoints.flatMap((endpoint) =>
  KEY_LEVELS.map((level) => ({ endpoint, plan: 'api_access', level }) as const),
);

function searched(): Endpoint {
  const found = endpoints.find(({ operation }) => operation === 'search');
  if (found === undefined) throw new Error('The contract has no search');
  return found;
}

const row = (given: Case) =>
  [expectedOf(given).status, given.endpoint.method, given.endpoint.path, given.plan, given.level, given] as const;

const seen = ({ status, headers, text }: Received) => {
  const { code, error, required_level } = JSON.parse(text);
  return { status, code, error, required_level, isCounted: headers['x-ratelimit-daily-remaining'] !== undefined };
};

/** Endpoints without a key. A service without a receiving address sells nothing. */
function withoutKey({ access, status }: Endpoint) {
  return access === 'payment' ? { status: 404, code: 'not_found' } : { status };
}

/** Expected status by endpoint, plan and level (specification 5.1 to 5.3). */
function expectedOf({ endpoint, plan, level }: Case) {
  if (!isKeyed(endpoint)) return { ...withoutKey(endpoint), isCounted: false };
  const isCounted = plan === 'api_access';
  if (!PLANS[plan].hasApi) return { status: 403, code: 'plan_required', isCounted };
  const { access, status } = endpoint;
  if (allows(level, access)) return { status, isCounted };
  const error = 'Insufficient permissions for write operations';
  return { status: 403, code: 'forbidden', error, required_level: access, isCounted };
}

describe.each([
  { what: 'every plan and level', cases: combinations.map(row) },
  { what: 'every endpoint and level', cases: levels.map(row) },
])('$what', ({ cases }) => {
  test.each(cases)('%i %s %s with a key of the plan %s and the level %s', async (_status, ...more) => {
    const [method, , plan, level, given] = more;
    const asked = await requests.fine(given.endpoint);
    const received = await requests.send(method, asked, keys.get(`${plan} ${level}`));
    expect(seen(received)).toMatchObject(expectedOf(given));
  });
});

describe('every endpoint without a key', () => {
  const refusalOf = (endpoint: Endpoint) => {
    if (!isKeyed(endpoint)) return withoutKey(endpoint);
    const error = endpoint.operation === 'search' ? TEXT.searchUnauthenticated : TEXT.unauthenticated;
    return { status: 401, error };
  };

  test.each(
    endpoints.map((endpoint) => [refusalOf(endpoint).status, endpoint.method, endpoint.path, endpoint] as const),
  )('%i %s %s', async (_status, method, _path, endpoint) => {
    const received = await requests.send(method, await requests.fine(endpoint), '');
    expect(seen(received)).toMatchObject({ ...refusalOf(endpoint), isCounted: false });
  });
});

/** Paths beside the API, with the status without credentials if nothing is sold. */
const BESIDE = [
  [200, 'GET', '/livez'],
  [200, 'GET', '/readyz'],
  [200, 'GET', '/mcp/server-card'],
  [405, 'GET', '/mcp'],
  [404, 'GET', '/.well-known/x402'],
  [404, 'GET', '/api/v1/x402/other'],
  [404, 'GET', '/metrics'],
] as const;

test.each(BESIDE)('%i %s %s without a key', async (status, method, path) => {
  expect((await requests.send(method, { path }, '')).status).toBe(status);
});
