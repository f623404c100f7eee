import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';

/** Refuses a client that wants anything but JSON, which is all there is. */
export const requireJsonAccepted: RequestHandler = (request, _response, next) => {
  const accepted = request.headers.accept;
  // What most clients send needs no parsing.
  if (accepted === undefined || accepted === '*/*' || accepted === 'application/json') return next();
  if (request.accepts('application/json') === false) {
    throw new ServiceError('not_acceptable', 'Answers are JSON; accept application/json.');
  }
  next();
};
