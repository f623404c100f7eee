import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';

/** Refuses a client that takes none of the forms in which an answer is given. */
const requireAccepted =
  (types: readonly string[], message: string): RequestHandler =>
  (request, _response, next) => {
    const accepted = request.headers.accept;
    // What most clients send needs no parsing.
    if (accepted === undefined || accepted === '*/*' || accepted === 'application/json') return next();
    if (request.accepts([...types]) === false) throw new ServiceError('not_acceptable', message);
    next();
  };

export const requireJsonAccepted = requireAccepted(['application/json'], 'Answers are JSON; accept application/json.');

export const requireJsonOrCsvAccepted = requireAccepted(
  ['application/json', 'text/csv'],
  'Answers are JSON or CSV; accept application/json or text/csv.',
);
