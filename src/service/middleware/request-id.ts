import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

/** A key in this header by mistake must not become an id, which is logged. */
const OWN_ID = /^(?!mk_)[A-Za-z0-9_-]{8,64}$/i;

export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** Gives each request its id: the client's own when it is a plain one, else a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && OWN_ID.test(given) ? given : newRequestId();
  response.locals['requestId'] = id;
  response.set('X-Request-Id', id);
  next();
};
