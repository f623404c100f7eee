import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';

/** Answers OPTIONS, and refuses every other method of a path that has handlers for these. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') return void response.status(204).set('Allow', allowed).end();
    throw new ServiceError('method_not_allowed', `Use one of ${allowed} here.`, { headers: { Allow: allowed } });
  };
}
