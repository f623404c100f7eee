import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
  type ProtocolEra,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Access as ClientAccess } from '../../client/access.ts';
import { createClient } from '../../client/client.ts';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { MODERN_REVISION } from '../../contract/mcp.ts';
import type { ErrorLog } from '../errors.ts';
import { createRecordBus, type RecordBus, type RecordChanges } from '../record-bus.ts';
import { createServer, type ServerDeps } from '../server.ts';
import { tools } from '../tools/index.ts';
import { type BodyReader, createBodyReader } from './body.ts';
import { type Caller, type ConcurrencyLimits, createConcurrencyLimits } from './concurrency-limits.ts';
import { createPayingCall, type PayingFetch } from './paying-call.ts';
import {
  type ChallengeOf,
  challengeWith,
  HttpRefusal,
  INVALID_REQUEST,
  PARSE_ERROR,
  protocolErrorHandler,
  SERVER_ERROR,
} from './protocol-errors.ts';
import { createServerCache, type ServerCache } from './server-cache.ts';
import { sendResponse, toWebRequest } from './web-request.ts';

const PATH = '/mcp';
const RESEARCH_PATH = `${PATH}/research`;
const ACCOUNT_PATH = `${PATH}/account`;
const CARD_PATH = `${PATH}/server-card`;
/** Grace period of calls in progress when the endpoint closes. */
const DRAIN_MS = 6_000;
/** In-process access ignores the host of the URL. */
const SERVICE_URL = 'http://direct.invalid';

const BODY_TIMEOUT_MS = 10_000;
const ACTIVE_MAX = 512;
/** How often the key of a stream is checked. */
const RECHECK_MS = 30_000;

interface HttpOptions extends AllowedHosts, Pick<ServerDeps, 'coverageGaps' | 'apps'> {
  readonly version: string;
  readonly log: ErrorLog;
  readonly bodyTimeoutMs?: number;
  readonly recheckMs?: number;
  /** Concurrent calls with a key. */
  readonly activeMax?: number;
  /** Source of record changes; without it there are no change notifications. */
  readonly changes?: RecordChanges;
  readonly create?: (deps: ServerDeps) => McpServer;
}

/** The parts of the service that a mounted protocol uses. */
interface ServiceGateway {
  readonly publicUrl: string;
  readonly authenticate: RequestHandler;
  callerOf(request: Request, response: Response): Caller;
  accessOf(request: Request, response: Response): Access;
  challengeOf: ChallengeOf;
}

export type McpEndpoint = ReturnType<typeof createHttpEndpoint>;

/** MCP over Streamable HTTP, stateless, in both protocol eras. */
export function createHttpEndpoint(options: HttpOptions) {
  const calls = createConcurrencyLimits(options.activeMax ?? ACTIVE_MAX);
  const bus = options.changes && createRecordBus(options.changes, options.log);
  const served = serversOf(serverMaker(options), kindOf, bus);
  const research = serversOf(
    serverMaker({ ...options, create: (deps) => createServer({ ...deps, profile: 'research', publicUrl: pagesUrl }) }),
    // Research tools make several requests per call, so they are not sold.
    (authInfo) => (accessOf(authInfo).hasKey ? 'key' : 'none'),
  );
  let pagesUrl: string | undefined;
  const readBody = createBodyReader(options.bodyTimeoutMs ?? BODY_TIMEOUT_MS);
  return {
    /** Mounts /mcp, /mcp/account and /mcp/research. `pagesUrl` is the base URL of record pages, if there are any. */
    mount: (app: Express, gateway: ServiceGateway, url?: string): void => {
      pagesUrl = url;
      app.get(CARD_PATH, serverCard(gateway.publicUrl + PATH, options.version));
      app.use(PATH, checkHostAndOrigin(options), postOnly, challengeWith(gateway.challengeOf), gateway.authenticate);
      const common = { gateway, calls, readBody, recheckMs: options.recheckMs ?? RECHECK_MS };
      app.post(PATH, serve({ ...served, ...common, bus }));
      app.post(ACCOUNT_PATH, demandKey(gateway), serve({ ...served, ...common, bus }));
      app.post(RESEARCH_PATH, serve({ ...research, ...common, bus: undefined }));
      app.use(PATH, protocolErrorHandler(options.log));
    },
    /** Notifies subscribers that a list has changed. */
    notify: served.handler.notify,
    /** Waits for the calls in progress, up to the grace period, and closes the remaining streams. */
    close: async (): Promise<void> => {
      bus?.close();
      await calls.whenNoCalls(DRAIN_MS);
      for (const { handler, servers: serverCache } of [served, research]) {
        await handler.close();
        await serverCache.close();
      }
    },
  };
}

const serversOf = (create: Create, kind: KindOf = kindOf, bus?: RecordBus) => ({
  handler: createHandler(create, kind, bus),
  servers: createServerCache(create, kind),
});
type Create = (kind: Kind, hasChanges?: boolean) => McpServer;
type KindOf = (authInfo: AuthInfo | undefined) => Kind;

interface Access {
  readonly hasKey: boolean;
  /** Whether the endpoint accepts a payment for the request. */
  readonly canPay: boolean;
  readonly fetch: ClientAccess & PayingFetch;
}
type Kind = 'key' | 'payment' | 'none';

/** The access of a request, passed through the SDK in its authInfo. */
const accessOf = (authInfo: AuthInfo | undefined): Access => authInfo?.extra?.['access'] as Access;

function kindOf(authInfo: AuthInfo | undefined): Kind {
  const { hasKey, canPay } = accessOf(authInfo);
  if (hasKey) return 'key';
  return canPay ? 'payment' : 'none';
}

/** Creates servers per kind of access, each shared by its callers. */
function serverMaker({ version, log, coverageGaps, apps, create = createServer }: HttpOptions): Create {
  const fetchOf = ({ http }: ServerContext) => accessOf(http?.authInfo).fetch;
  const client = (context: ServerContext) => createClient(SERVICE_URL, fetchOf(context));
  const paid = (context: ServerContext) => createPayingCall({ baseUrl: SERVICE_URL, fetch: fetchOf(context), context });
  const serverDeps = { client, log, version, coverageGaps, apps, transport: 'http' } as const;
  return (access, hasChanges = false) =>
    create({ ...serverDeps, access, ...(access === 'payment' && { paid }), hasChanges });
}

/** The SDK's handler, for lifecycle messages and malformed requests. */
function createHandler(create: Create, kind: KindOf, bus: RecordBus | undefined): McpHttpHandler {
  // Older revisions subscribe within a session, which stateless endpoints lack. Following a record requires a key, as
  // reading it does.
  const hasChanges = (access: Kind, era: ProtocolEra): boolean =>
    bus !== undefined && access === 'key' && era === 'modern';
  const make = (access: Kind, era: ProtocolEra): McpServer => create(access, hasChanges(access, era));
  return createMcpHandler(({ authInfo, era }) => make(kind(authInfo), era), {
    ...(bus && { bus }),
    // Reported errors are those of callers and are answered, so they are not logged.
    onerror: () => {},
  });
}

const postOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'POST') return next();
  response.set('Allow', 'POST, OPTIONS');
  throw new HttpRefusal(405, {
    code: SERVER_ERROR,
    message: 'Method not allowed: MCP is served here without sessions; use POST.',
  });
};

/** Challenges the first message without a key, because some hosts do not sign in later. */
const demandKey =
  ({ callerOf }: ServiceGateway): RequestHandler =>
  (request, response, next) => {
    if (callerOf(request, response).hasKey) return next();
    throw new ServiceError('unauthenticated', TEXT.unauthenticated);
  };

interface EndpointDeps {
  readonly handler: McpHttpHandler;
  readonly servers: ServerCache;
  readonly gateway: ServiceGateway;
  readonly calls: ConcurrencyLimits;
  readonly readBody: BodyReader;
  readonly bus: RecordBus | undefined;
  readonly recheckMs: number;
}

function serve({ handler, servers, gateway, calls, readBody, bus, recheckMs }: EndpointDeps): RequestHandler {
  return async (request, response) => {
    const caller = gateway.callerOf(request, response);
    const parsedBody = parse(await readBody(request, response, caller)) as { readonly method?: unknown } | null;
    // For the log line and the metric, written when the response ends.
    response.locals['mcp'] = namesOfMessage(parsedBody);
    const isListening = parsedBody?.method === 'subscriptions/listen';
    if (isListening) calls.beginStream(caller, response);
    else calls.beginCall(caller, response);
    if (isListening && caller.hasKey) {
      endWithKey(gateway, { request, response, everyMs: recheckMs });
      // Changes after the acknowledgement must all be notified, so watching starts first.
      await bus?.watch();
    }
    const extra = { access: gateway.accessOf(request, response) };
    const authInfo = { token: '', clientId: '', scopes: [], extra };
    if (await servers.serve({ message: parsedBody, request, response, authInfo })) return;
    const ended = new AbortController();
    // Only if the response is incomplete, because creating an AbortError is expensive.
    response.once('close', () => response.writableFinished || ended.abort());
    const result = await handler.fetch(toWebRequest(request, ended.signal), { parsedBody, authInfo });
    await sendResponse(result, response, ended.signal);
  };
}

/** Ends a stream when its key is no longer valid. */
function endWithKey(
  { authenticate }: ServiceGateway,
  { request, response, everyMs }: { readonly request: Request; readonly response: Response; readonly everyMs: number },
): void {
  const end = (): void => void response.destroy();
  const check = async (): Promise<void> => {
    await authenticate(request, response, (error?: unknown) => error !== undefined && end());
  };
  const timer = setInterval(() => void check().catch(end), everyMs).unref();
  response.once('close', () => clearInterval(timer));
}

function parse(text: string): unknown {
  const message = jsonOf(text);
  // Batches were removed in revision 2025-06-18.
  if (Array.isArray(message)) {
    throw new HttpRefusal(400, {
      code: INVALID_REQUEST,
      message: 'Invalid Request: batches are not part of the protocol; send one message at a time.',
    });
  }
  return message;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ServiceError)
      throw new HttpRefusal(400, { code: INVALID_REQUEST, message: `Invalid Request: ${error.message}.` });
    throw new HttpRefusal(400, { code: PARSE_ERROR, message: 'Parse error: the body must be JSON.' });
  }
}

const METHODS = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/initialized',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
]);
const TOOLS = new Set<string>(tools.map(({ name }) => name));

/** Method and tool of a message, limited to known names; anything else is `other`. Other methods have the tool `none`. */
function namesOfMessage(message: unknown) {
  const { method, params } = (message ?? {}) as { readonly method?: unknown; readonly params?: { name?: unknown } };
  const tool = method === 'tools/call' ? known(TOOLS, params?.name) : 'none';
  return { method: known(METHODS, method), tool };
}

const known = (names: ReadonlySet<string>, name: unknown): string =>
  typeof name === 'string' && names.has(name) ? name : 'other';

interface AllowedHosts {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const PREFLIGHT_LIFE_SECONDS = '3600';
const ACCEPTED_HEADERS =
  'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';
const EXPOSED_HEADERS = 'WWW-Authenticate, X-Request-Id, Retry-After';

/** Rejects requests with a foreign Host (DNS rebinding) or Origin, and answers CORS preflights of allowed origins. */
function checkHostAndOrigin({ allowedHosts, allowedOrigins }: AllowedHosts): RequestHandler {
  return (request, response, next) => {
    const host = validateHostHeader(request.headers.host, [...allowedHosts]);
    if (!host.ok) throw refusal('This host name is not allowed; add it to WEB3_BI_ALLOWED_HOSTS.');
    const { origin } = request.headers;
    if (!validateOriginHeader(origin, [...allowedOrigins]).ok)
      throw refusal('This origin is not allowed; add it to WEB3_BI_ALLOWED_ORIGINS.');
    response.vary('Origin');
    if (origin !== undefined)
      response.set('Access-Control-Allow-Origin', origin).set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS') return next();
    response.set('Allow', 'POST, OPTIONS').set('Access-Control-Allow-Methods', 'POST');
    response
      .set('Access-Control-Allow-Headers', ACCEPTED_HEADERS)
      .set('Access-Control-Max-Age', PREFLIGHT_LIFE_SECONDS);
    response.status(204).end();
  };
}

const refusal = (message: string): HttpRefusal => new HttpRefusal(403, { code: SERVER_ERROR, message });

/** Server card (SEP-2127): connection details for registries and hosts. */
function serverCard(address: string, version: string): RequestHandler {
  const card = JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'io.github.web3-bi/web3-bi-mcp',
    title: 'Web3 business intelligence',
    description: 'Search Web3 companies, people, investors, events and funding rounds.',
    version,
    websiteUrl: new URL(address).origin,
    remotes: [
      {
        type: 'streamable-http',
        url: address,
        headers: [
          {
            name: 'Authorization',
            description:
              'Bearer and an API key (mk_...); where the service sells calls, a payment (x402) does instead.',
            isRequired: false,
            isSecret: true,
          },
        ],
        supportedProtocolVersions: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      },
    ],
  });
  return (_request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' });
    response.type('application/mcp-server-card+json').send(card);
  };
}
