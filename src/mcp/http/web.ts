import { once } from 'node:events';
import type { Request as NodeRequest, Response as NodeResponse } from 'express';

/** A request as the SDK's handler takes it. Its body has been read and parsed, and goes to the handler beside it. */
export function toWebRequest({ url, method, headers }: NodeRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each] as [string, string]),
  );
  return new Request(new URL(url, 'http://mcp.invalid'), { method, headers: given, signal });
}

/** Writes the handler's answer as it comes; an event stream may stay open for long. */
export async function sendAnswer(answer: Response, response: NodeResponse, gone: AbortSignal): Promise<void> {
  response.status(answer.status);
  for (const [name, value] of answer.headers) {
    // Whether the connection is kept is the server's decision: it may be stopping.
    if (name !== 'connection') response.setHeader(name, value);
  }
  response.setHeader('Cache-Control', 'no-store');
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (answer.body === null || !isStream) return void response.end(await answer.text());
  try {
    for await (const chunk of answer.body) {
      // What comes in one turn of the event loop, mostly all of it, leaves as one piece.
      if (response.writableCorked === 0) {
        response.cork();
        setImmediate(() => response.uncork());
      }
      if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
    }
  } catch (error) {
    // Who asked has gone, and nobody waits for the rest.
    if (!gone.aborted) throw error;
  }
  response.end();
}
