import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

const OWN_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Gives each request its id: the client's own when it is a plain one, else a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && OWN_ID.test(given) ? given : `req_${randomUUID().replaceAll('-', '')}`;
  response.locals['requestId'] = id;
  response.set('X-Request-Id', id);
  next();
};
