import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';

/** Responds 406 if no available format is acceptable. */
const requireAccepted =
  (types: readonly string[], message: string): RequestHandler =>
  (request, _response, next) => {
    const accepted = request.headers.accept;
    // Fast path for the most common values.
    if (accepted === undefined || accepted === '*/*' || accepted === 'application/json') return next();
    if (request.accepts([...types]) === false) throw new ServiceError('not_acceptable', message);
    next();
  };

export const requireJsonAccepted = requireAccepted(
  ['application/json'],
  'Responses are JSON; accept application/json.',
);

export const requireJsonOrCsvAccepted = requireAccepted(
  ['application/json', 'text/csv'],
  'Responses are JSON or CSV; accept application/json or text/csv.',
);
