import { PassThrough } from 'node:stream';
import {
  type JSONRPCMessage,
  type McpServer,
  type ProtocolEra,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { isTooDeep, TOO_DEEP } from '../contract/json.ts';
import { createRecordBus, type RecordBus, type RecordChanges } from './record-bus.ts';
import { createServer, type ServerDeps } from './server.ts';

/** Grace period of requests in progress when stdin ends. */
const DRAIN_MS = 20_000;

interface StdioDeps extends ServerDeps {
  /** Source of record changes; without it there are no change notifications. */
  readonly changes?: RecordChanges | undefined;
}

/** Serves MCP over stdin and stdout, in both protocol eras. Resolves when the connection has ended. */
export async function serveOverStdio({ changes, ...deps }: StdioDeps): Promise<void> {
  const { log, profile } = deps;
  const bus = changes && profile !== 'research' ? createRecordBus(changes, log) : undefined;
  const transport = createDrainingTransport(async () => bus?.watch().catch((error: unknown) => log.error(error)));
  const create = (era: ProtocolEra): McpServer => {
    const server = createServer({ ...deps, hasChanges: bus !== undefined });
    if (bus !== undefined) publishChanges(server, bus, era);
    return server;
  };
  const handle = serveStdio(({ era }) => create(era), { transport, onerror: (error) => log.error(error) });
  const stop = (): void => transport.drain();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await transport.ended;
  bus?.close();
  await handle.close();
}

/** Notifies of changes in subscribed records. The SDK tracks subscriptions in the modern revision only. */
function publishChanges({ server }: McpServer, bus: RecordBus, era: ProtocolEra): void {
  const followed = new Set<string>();
  bus.subscribe((event) => {
    if (event.kind === 'resource_updated' && (era === 'modern' || followed.has(event.uri)))
      void server.sendResourceUpdated({ uri: event.uri }).catch(() => {});
  });
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    followed.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    followed.delete(params.uri);
    return {};
  });
}

/** Subscription methods. `subscriptions/listen` is answered when it ends. */
const FOLLOWING = ['subscriptions/listen', 'resources/subscribe'];

interface DrainingTransport extends Transport {
  readonly ended: Promise<void>;
  drain(): void;
}

/** Holds back the end of stdin until pending requests are answered, for a bounded time; the SDK's transport would drop piped ones. */
function createDrainingTransport(beforeFollowing: () => Promise<void>): DrainingTransport {
  const input = new PassThrough();
  const inner = new StdioServerTransport(input);
  const open = new Set<unknown>();
  let isDraining = false;
  const end = (): void => void input.end();
  const endWhenIdle = (): void => {
    if (isDraining && open.size === 0) end();
  };
  const drain = (): void => {
    if (isDraining) return;
    isDraining = true;
    // Messages already read are dispatched first.
    setImmediate(endWhenIdle);
    setTimeout(end, DRAIN_MS).unref();
  };
  const refuse = (message: JSONRPCMessage): void => {
    // Notifications have no response.
    if (!('method' in message && 'id' in message)) return;
    const error = { code: ProtocolErrorCode.InvalidRequest, message: `Invalid Request: ${TOO_DEEP}.` };
    void inner.send({ jsonrpc: '2.0', id: message.id, error });
  };
  let finish: () => void = () => {};
  const transport: DrainingTransport = {
    ended: new Promise((resolve) => {
      finish = resolve;
    }),
    drain,
    start: async () => {
      inner.onmessage = (message: JSONRPCMessage) => {
        if (isTooDeep(message)) return refuse(message);
        const isRequest = 'method' in message && 'id' in message;
        if (isRequest && message.method !== 'subscriptions/listen') open.add(message.id);
        // A cancelled request is never answered.
        if ('method' in message && message.method === 'notifications/cancelled')
          open.delete(message.params?.['requestId']);
        const deliver = (): void => transport.onmessage?.(message);
        if (isRequest && FOLLOWING.includes(message.method)) void beforeFollowing().then(deliver);
        else deliver();
      };
      inner.onerror = (error: Error) => transport.onerror?.(error);
      inner.onclose = () => {
        transport.onclose?.();
        finish();
      };
      await inner.start();
      process.stdin.on('data', (chunk) => void input.write(chunk));
      process.stdin.once('end', drain).once('close', drain).once('error', drain);
    },
    send: async (message) => {
      await inner.send(message);
      if (!('method' in message) && 'id' in message) open.delete(message.id);
      endWhenIdle();
    },
    close: () => inner.close(),
  };
  return transport;
}
