import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Author } from '../../store/port/audit.ts';

/** Request ids are logged, so an API key in this header is not accepted as one. */
const OWN_ID = /^(?!mk_)[A-Za-z0-9_-]{8,64}$/i;

/** Hexadecimal digits of the timestamp in a version 7 UUID. */
const TIME_DIGITS = 12;

/** A version 7 UUID: it begins with the time, so that new ids are adjacent in the index of the request log. */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
  const random = randomUUID()
    .replaceAll('-', '')
    .slice(TIME_DIGITS + 1);
  return `req_${time}7${random}`;
}

/** The author of what a request does before it is known whose it is. */
export const anonymousAuthor = ({ ip }: Request, { locals }: Response): Author => ({
  account: 'nobody',
  keyId: null,
  requestId: String(locals['requestId']),
  address: ip ?? null,
});

/** Assigns the request id: the client's if it is valid, otherwise a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const received = request.get('x-request-id');
  const id = received !== undefined && OWN_ID.test(received) ? received : newRequestId();
  response.locals['requestId'] = id;
  response.set('X-Request-Id', id);
  next();
};
