import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler, type Response } from 'express';

const HOST = '127.0.0.1';
const BODY_MAX = '10mb';

interface FaultReply {
  readonly status: number;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

/** A fault of one call. */
export interface InjectedFault {
  /** `before`: the work is not done. `after`: it is done, such as a settlement on the chain, and only the response fails. */
  readonly at: 'before' | 'after';
  /** The response: a reset connection, none, HTML, a truncated one, the given one, or the correct one after a wait. */
  readonly answer: 'reset' | 'hang' | 'garbage' | 'truncated' | FaultReply | { readonly until: () => Promise<unknown> };
}

export interface FaultRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Computes the correct response from the body. */
  readonly work: (body: string) => Promise<FaultReply>;
}

/** An HTTP server on loopback with fault injection. */
export interface FaultyServer<Name extends string> {
  readonly url: string;
  /** Injects one fault into each of the next calls of a route, in order. */
  failNext(route: Name, ...faults: readonly InjectedFault[]): void;
  /** Injects a fault into every call of a route until `clearFaults`. Faults of `failNext` come first. */
  failAlways(route: Name, fault: InjectedFault): void;
  /** Removes all pending faults. */
  clearFaults(): void;
  /** Number of calls of a route, including failed ones. */
  calls(route: Name): number;
  /** Resets all connections and refuses new ones. */
  stop(): Promise<void>;
  /** Accepts connections again, on the same port. */
  start(): Promise<void>;
}

/** Serves routes on a free port. */
export async function startFaultyServer<Name extends string>(
  routes: Readonly<Record<Name, FaultRoute>>,
): Promise<FaultyServer<Name>> {
  const queuedFaults = new Map<Name, InjectedFault[]>();
  const standingFaults = new Map<Name, InjectedFault>();
  const counts = new Map<Name, number>();
  const app = express()
    .disable('x-powered-by')
    .use(express.text({ type: () => true, limit: BODY_MAX }));
  for (const [name, { method, path, work }] of Object.entries(routes) as [Name, FaultRoute][]) {
    const takeFault = (): InjectedFault | undefined => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return queuedFaults.get(name)?.shift() ?? standingFaults.get(name);
    };
    app[method](path, answer(takeFault, work));
  }
  const server = createServer(app);
  // One connection per call: after a stop, callers must find the port closed instead of reusing a connection.
  server.maxRequestsPerSocket = 1;
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}`,
    failNext: (route, ...faults) => void queuedFaults.set(route, [...(queuedFaults.get(route) ?? []), ...faults]),
    failAlways: (route, fault) => void standingFaults.set(route, fault),
    clearFaults: () => {
      queuedFaults.clear();
      standingFaults.clear();
    },
    calls: (route) => counts.get(route) ?? 0,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    start: () => listen(server, port),
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, 'listening');
}

function answer(takeFault: () => InjectedFault | undefined, work: FaultRoute['work']): RequestHandler {
  return async (request, response) => {
    const fault = takeFault();
    const body = typeof request.body === 'string' ? request.body : '';
    if (fault === undefined) return send(response, await work(body));
    const { at, answer: wrong } = fault;
    if (typeof wrong === 'object' && 'until' in wrong) {
      if (at === 'before') await wrong.until();
      const reply = await work(body);
      if (at === 'after') await wrong.until();
      return send(response, reply);
    }
    if (at === 'after') await work(body);
    sendFault(response, wrong);
  };
}

function send(response: Response, { status, body }: FaultReply): void {
  response.status(status).type('application/json');
  response.send(typeof body === 'string' ? body : JSON.stringify(body));
}

function sendFault(response: Response, wrong: FaultReply | Exclude<InjectedFault['answer'], object>): void {
  if (typeof wrong === 'object') return void send(response, wrong);
  if (wrong === 'hang') return;
  if (wrong === 'reset') return void response.socket?.resetAndDestroy();
  if (wrong === 'garbage') return void response.type('text/html').send('<html><body>Bad gateway</body></html>');
  response.type('application/json').set('Content-Length', '200');
  response.write('{"success":tr', () => response.destroy());
}
