import type { Request, Response } from 'express';
import { HttpRefusal, SERVER_ERROR } from './errors.ts';

const BODY_BYTES_MAX = 256 * 1024;

/** Reads the body of a request as text: JSON by its type, of a bounded size, in a bounded time. */
export async function readBody(request: Request, response: Response, timeoutMs: number): Promise<string> {
  if (request.is('application/json') === false || request.headers['content-type'] === undefined) {
    throw refusal(415, 'Unsupported Media Type: Content-Type must be application/json.');
  }
  // What is left of a body that is not read to its end must not be taken for the next request.
  const giveUp = (status: number, message: string): HttpRefusal => {
    response.set('Connection', 'close');
    return refusal(status, message);
  };
  const tooLarge = () => giveUp(413, `Payload Too Large: a message may have ${BODY_BYTES_MAX} bytes.`);
  if (Number(request.headers['content-length']) > BODY_BYTES_MAX) {
    request.resume();
    throw tooLarge();
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => end(giveUp(408, 'Request Timeout: the body did not arrive in time.')), timeoutMs);
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > BODY_BYTES_MAX) end(tooLarge());
    };
    const end = (error?: HttpRefusal): void => {
      clearTimeout(timer);
      request.off('data', take);
      if (error === undefined) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(error);
      // A client that is still sending would not read an answer on a connection that is cut.
      request.resume();
    };
    request
      .on('data', take)
      .once('end', () => end())
      .once('close', () => end(refusal(400, 'The request was cut off.')));
  });
}

const refusal = (status: number, message: string): HttpRefusal =>
  new HttpRefusal(status, { code: SERVER_ERROR, message });
