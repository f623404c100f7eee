import { once } from 'node:events';
import type { Request as NodeRequest, Response as NodeResponse } from 'express';

/** Converts a request for the SDK's handler. The parsed body is passed separately. */
export function toWebRequest({ url, method, headers }: NodeRequest, signal: AbortSignal): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each] as [string, string]),
  );
  return new Request(new URL(url, 'http://mcp.invalid'), { method, headers: entries, signal });
}

/** Writes the handler's response as it arrives; an event stream may stay open. */
export async function sendResponse(from: Response, response: NodeResponse, gone: AbortSignal): Promise<void> {
  response.status(from.status);
  for (const [name, value] of from.headers) {
    // The server controls keep-alive, because it may be shutting down.
    if (name !== 'connection') response.setHeader(name, value);
  }
  response.setHeader('Cache-Control', 'no-store');
  const isStream = from.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (from.body === null || !isStream) return void response.end(await from.text());
  try {
    for await (const chunk of from.body) {
      // Combines the writes of one event loop turn, usually all of them.
      if (response.writableCorked === 0) {
        response.cork();
        setImmediate(() => response.uncork());
      }
      if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
    }
  } catch (error) {
    // The client has disconnected.
    if (!gone.aborted) throw error;
  }
  response.end();
}
