import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';

/** Answers OPTIONS, and responds 405 to other methods of a path. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') return void response.status(204).set('Allow', allowed).end();
    throw new ServiceError('method_not_allowed', `Use one of ${allowed} here.`, { headers: { Allow: allowed } });
  };
}
