import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

/** A key in this header by mistake must not become an id, which is logged. */
const OWN_ID = /^(?!mk_)[A-Za-z0-9_-]{8,64}$/i;

/** What of a UUID of version 7 tells the time, in hexadecimal digits. */
const TIME_DIGITS = 12;

/**
 * A new id, whose digits are a UUID of version 7: it begins with the time, so that in the index of the request log new ids
 * stand side by side. Random ones would have almost every request write a page of its own.
 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
  const random = randomUUID()
    .replaceAll('-', '')
    .slice(TIME_DIGITS + 1);
  return `req_${time}7${random}`;
}

/** Gives each request its id: the client's own when it is a plain one, else a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && OWN_ID.test(given) ? given : newRequestId();
  response.locals['requestId'] = id;
  response.set('X-Request-Id', id);
  next();
};
