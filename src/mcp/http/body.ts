import type { Request, Response } from 'express';
import { type Caller, createSharedCapacity, TOO_MANY_REQUESTS } from './concurrency-limits.ts';
import { HttpRefusal, SERVER_ERROR } from './protocol-errors.ts';

const BODY_BYTES_MAX = 256 * 1024;
/** Bytes of incomplete bodies from callers without a key: in total, and per address. */
const ANONYMOUS_BYTES = { max: 16 * 1024 * 1024, maxEach: 1024 * 1024 };

/** Reads a body as text. The media type, size and time are bounded. */
export type BodyReader = (request: Request, response: Response, caller: Caller) => Promise<string>;

export function createBodyReader(timeoutMs: number): BodyReader {
  const anonymous = createSharedCapacity(ANONYMOUS_BYTES);
  const unbounded = { acquire: () => true, release: () => undefined };
  return (request, response, { hasKey, name }) => {
    checkHeaders(request, response);
    const pool = hasKey ? unbounded : anonymous;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const timer = setTimeout(() => end(refuseBody(response, 408, LATE)), timeoutMs);
      const take = (chunk: Buffer): void => {
        if (bytes + chunk.length > BODY_BYTES_MAX) end(refuseBody(response, 413, TOO_LARGE));
        else if (!pool.acquire(name, chunk.length)) end(refuseBody(response, 503, TOO_MANY_REQUESTS));
        else {
          bytes += chunk.length;
          chunks.push(chunk);
        }
      };
      const finish = (): void => end();
      const cutOff = (): void => end(refusal(400, 'The request was cut off.'));
      const end = (error?: HttpRefusal): void => {
        clearTimeout(timer);
        // The close event of a completed request needs no handling.
        request.off('data', take).off('end', finish).off('close', cutOff);
        pool.release(name, bytes);
        bytes = 0;
        if (error === undefined) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(error);
        // Drain the rest, because a client that is still sending does not read the response.
        request.resume();
      };
      request.on('data', take).once('end', finish).once('close', cutOff);
    });
  };
}

const LATE = 'Request Timeout: the body did not arrive in time.';
const TOO_LARGE = `Payload Too Large: a message may have ${BODY_BYTES_MAX} bytes.`;

/** Rejects by headers alone. */
function checkHeaders(request: Request, response: Response): void {
  if (request.is('application/json') === false || request.headers['content-type'] === undefined)
    throw refusal(415, 'Unsupported Media Type: Content-Type must be application/json.');
  if (Number(request.headers['content-length']) > BODY_BYTES_MAX) {
    request.resume();
    throw refuseBody(response, 413, TOO_LARGE);
  }
}

/** Closes the connection, so that the unread rest of the body is not parsed as the next request. */
function refuseBody(response: Response, status: number, message: string): HttpRefusal {
  response.set('Connection', 'close');
  return refusal(status, message);
}

const refusal = (status: number, message: string): HttpRefusal =>
  new HttpRefusal(status, { code: SERVER_ERROR, message });
