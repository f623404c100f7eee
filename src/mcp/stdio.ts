import { PassThrough } from 'node:stream';
import { type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { isTooDeep, TOO_DEEP } from '../contract/json.ts';
import { createServer, type ServerDeps } from './server.ts';

/** How long requests that were under way when stdin ended may still take. */
const DRAIN_MS = 20_000;

/** Serves MCP over stdin and stdout, in both protocol eras; resolves when the connection has ended. */
export async function serveOverStdio(deps: ServerDeps): Promise<void> {
  const transport = createDrainingTransport();
  const handle = serveStdio(() => createServer(deps), { transport, onerror: (error) => deps.log.error(error) });
  const stop = (): void => transport.drain();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await transport.ended;
  await handle.close();
}

interface DrainingTransport extends Transport {
  readonly ended: Promise<void>;
  drain(): void;
}

/**
 * The SDK's stdio transport drops requests under way when stdin ends. A host, or a person who pipes requests in, has
 * asked them all the same: this one holds the end of stdin back until they are answered, for a bounded time.
 */
function createDrainingTransport(): DrainingTransport {
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
    // Messages that were read but not yet handed on come first.
    setImmediate(endWhenIdle);
    setTimeout(end, DRAIN_MS).unref();
  };
  const refuse = (message: JSONRPCMessage): void => {
    // A notification has no answer.
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
        if ('method' in message && 'id' in message) open.add(message.id);
        // A cancelled request is never answered, so nothing waits for it.
        if ('method' in message && message.method === 'notifications/cancelled')
          open.delete(message.params?.['requestId']);
        transport.onmessage?.(message);
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
