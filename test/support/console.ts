import { join } from 'node:path';
import { createPages } from '../../src/console/pages.ts';
import { createHttpEndpoint } from '../../src/mcp/http/endpoint.ts';
import { createApp } from '../../src/service/app.ts';
import type { ServiceDeps } from '../../src/service/deps.ts';
import { createImports } from '../../src/service/imports/imports.ts';
import { listen } from '../../src/service/listen.ts';
import { createLog } from '../../src/service/logging.ts';
import { createPasswords, type Passwords } from '../../src/service/passwords/passwords.ts';
import { type PaymentGateOptions, preparePaymentGate } from '../../src/service/payments/payment-gate.ts';
import { createRequestRecorder, type RequestRecorder } from '../../src/service/request-recorder.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { RowInput } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { emptyDatabase } from './empty-database.ts';

/** An in-memory database, visible to its own connection only. */
const IN_MEMORY = 'sqlite::memory:';
const DIST = join(import.meta.dirname, '..', '..', 'dist');
export const PASSWORD = 'correct horse battery';
/** One password thread for all consoles of a test file, because it starts slowly. */
const passwords = rememberUsual(createPasswords(join(DIST, 'service', 'passwords', 'password-worker.mjs')));

/** Hashes and verifies the usual password once: each takes 100 ms, for hundreds of people who sign in. */
function rememberUsual(real: Passwords): Passwords {
  let usual: Promise<string> | undefined;
  let verified: Promise<boolean> | undefined;
  return {
    hash: (password) => {
      if (password !== PASSWORD) return real.hash(password);
      usual ??= real.hash(password);
      return usual;
    },
    verify: async (password, hash) => {
      if (password !== PASSWORD || hash === undefined || hash !== (await usual)) return real.verify(password, hash);
      verified ??= real.verify(password, hash);
      return verified;
    },
  };
}

const SELLING: PaymentGateOptions = {
  network: 'eip155:84532',
  payTo: '0x00000000000000000000000000000000000000aa',
  facilitatorUrl: 'http://127.0.0.1:9',
  verifyTimeoutMs: 1_000,
  settleTimeoutMs: 1_000,
  isDiscoverable: false,
  burstPerSecond: 0,
};

export interface Console {
  readonly url: string;
  readonly store: Store;
  readonly recorder: RequestRecorder;
  /** Log lines so far. */
  readonly log: readonly string[];
  /** The paths of all routes of the service, with their parameters. */
  readonly paths: readonly string[];
  setNow(now: Date): void;
  /** A new link for the first owner. */
  firstLink(): Promise<string>;
  /** A person of a new or existing account, with a signed-in browser. */
  person(given?: {
    account?: string;
    email?: string;
    level?: 'read' | 'write' | 'delete';
    role?: 'owner' | 'member';
    plan?: 'none' | 'api_access' | 'enterprise';
  }): Promise<Visitor>;
  visitor(agent?: string): Visitor;
  close(): Promise<void>;
}

interface Given
  extends Partial<Pick<ServiceDeps, 'clientDocuments' | 'burstPerSecond' | 'trustedProxies' | 'contact'>> {
  readonly publicUrl?: string;
  readonly database?: string;
  /** What starts the program, to those on its machine. */
  readonly program?: readonly string[];
  /** Whether the record pages are public. */
  readonly publicPages?: boolean;
  /** Sells searches, on a public chain by default. The facilitator is unreachable, because no page pays. */
  readonly selling?: Pick<PaymentGateOptions, 'isOnLocalChain'>;
}

/** The service with all its pages on a free port, over a database: by default an empty one of the run's engine. */
export async function startConsole(rows: readonly RowInput[] = [], given: Given = {}): Promise<Console> {
  const { selling, database, program, ...app } = given;
  let now: Date | undefined;
  const clock = (): Date => now ?? new Date();
  const url = database ?? (await emptyDatabase());
  const store = await openStore(url, clock);
  await store.records.putAll(rows);
  const log: string[] = [];
  const logger = createLog({ write: (line: string) => void log.push(line) }, 'info');
  const recorder = createRequestRecorder(store, logger);
  const common = {
    store,
    clock,
    log: logger,
    version: '0.0.0',
    burstPerSecond: 0,
    trustedProxies: [],
    passwords,
    recorder,
    ...(url !== IN_MEMORY && { imports: createImports(join(DIST, 'service', 'imports', 'import-worker.mjs'), url) }),
  };
  const paymentGate = selling && preparePaymentGate({ ...SELLING, ...selling })({ store, clock, log: logger });
  const names = { allowedHosts: ['127.0.0.1'], allowedOrigins: ['127.0.0.1'] };
  const mcp = createHttpEndpoint({ ...names, version: '0.0.0', log: { error: () => {} } });
  const parts = { pages: createPages(join(DIST, 'pages'), program) };
  const paths = new Set<string>();
  const server = await listen({ host: '127.0.0.1', port: 0, log: logger, clock }, (publicUrl) => {
    const deps = { ...common, ...parts, publicUrl, mount: mcp.mount, ...(paymentGate && { paymentGate }), ...app };
    const made = createApp(deps);
    // A pattern is requested at a path that only it matches.
    for (const { route } of made.router.stack)
      for (const path of [(route?.path ?? []) as unknown].flat()) paths.add(typeof path === 'string' ? path : '/none');
    return made;
  });
  let people = 0;
  const visitor = (agent = 'test browser'): Visitor => createVisitor(server.url, agent);
  return {
    url: server.url,
    store,
    recorder,
    log,
    paths: [...paths],
    setNow: (later) => {
      now = later;
    },
    firstLink: async () => {
      const first = { account: null, email: null, role: 'owner', level: 'delete', lifeMs: 86_400_000 } as const;
      return `${server.url}/account/invitation/${(await store.invitations.create({ ...first, author: OPERATOR })).token}`;
    },
    person: async ({ account = 'acme', email, level = 'delete', role = 'owner', plan = 'api_access' } = {}) => {
      people += 1;
      const address = email ?? `person-${people}@example.com`;
      if ((await store.accounts.find(account)) === undefined) await store.accounts.create(account, plan);
      const invitation = { account, email: address, role, level, lifeMs: 86_400_000 };
      const { token } = await store.invitations.create({ ...invitation, author: OPERATOR });
      const one = visitor();
      await one.get(`/account/invitation/${token}`);
      const { status } = await one.post(`/account/invitation/${token}`, { password: PASSWORD });
      if (status !== 303) throw new Error(`could not join: ${status}`);
      return one;
    },
    visitor,
    close: async () => {
      await recorder.flush();
      await mcp.close();
      await server.close();
      await paymentGate?.close();
      await store.close();
    },
  };
}

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts: it stores cookies and submits forms of the last page. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Seen>;
  /** Sends a form with the token of the page before; a field of that name replaces it. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Seen>;
  /** Sends a file with a form. */
  upload(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: { name: string; content: string },
  ): Promise<Seen>;
  signIn(email: string, password?: string): Promise<Seen>;
}

function createVisitor(url: string, agent: string): Visitor {
  const cookies = new Map<string, string>();
  let token = '';
  async function ask(path: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'User-Agent': agent, ...(cookie === '' ? {} : { Cookie: cookie }), ...(init.headers as object) };
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? token;
    return { status: response.status, headers: response.headers, text };
  }
  const visitor: Visitor = {
    cookies,
    get: (path) => ask(path),
    post: (path, fields, headers = {}) =>
      ask(path, { method: 'POST', headers, body: new URLSearchParams({ form_token: token, ...fields }) }),
    upload: (path, fields, { name, content }) => {
      const form = new FormData();
      for (const [field, value] of Object.entries({ form_token: token, ...fields })) form.set(field, value);
      form.set('file', new File([content], name));
      return ask(path, { method: 'POST', body: form });
    },
    signIn: async (email, password = PASSWORD) => {
      await visitor.get('/account/sign-in');
      return visitor.post('/account/sign-in', { email, password });
    },
  };
  return visitor;
}

/** The sentence that answers a search on the pages of a console, without its links; undefined for none. */
export async function answerTo({ url }: Pick<Console, 'url'>, query: string): Promise<string | undefined> {
  const page = await fetch(`${url}/search?${new URLSearchParams({ query })}`, { headers: { accept: 'text/html' } });
  return /<p class="answer">(.*?)<\/p>/s.exec(await page.text())?.[1]?.replaceAll(/<[^>]*>/g, '');
}
