import type { Request, RequestHandler, Response } from 'express';
import { KEY_LEVELS, type KeyLevel } from '../../contract/keys.ts';

/** The WWW-Authenticate of a refusal; undefined if the endpoint has no sign-in. */
export type ChallengeOf = (
  request: Request,
  lacking: { readonly level: KeyLevel; readonly error: 'invalid_token' | 'insufficient_scope' | undefined },
) => string | undefined;

/** Refusals that signing in can remedy, with the status and error of RFC 6750, 3.1. */
const CHALLENGED: Readonly<Record<string, readonly [status: number, error?: 'invalid_token' | 'insufficient_scope']>> =
  {
    unauthenticated: [401],
    invalid_key: [401, 'invalid_token'],
    key_expired: [401, 'invalid_token'],
    key_revoked: [401, 'invalid_token'],
    forbidden: [403, 'insufficient_scope'],
  };

/** Enables challenges for the refusals of a request. */
export const challengeWith =
  (challengeOf: ChallengeOf): RequestHandler =>
  (_request, response, next) => {
    response.locals['challengeOf'] = challengeOf;
    next();
  };

/**
 * Challenges a refusal that signing in can remedy, and returns its status: hosts start authorization on the HTTP
 * status, whatever the result of a tool contains.
 */
export function challenge(response: Response, refusal: unknown): { status: number; header: string } | undefined {
  const { code, requiredLevel } = (refusal ?? {}) as { readonly code?: unknown; readonly requiredLevel?: KeyLevel };
  const [status, error] = (Object.hasOwn(CHALLENGED, String(code)) && CHALLENGED[String(code)]) || [];
  if (status === undefined) return undefined;
  const challengeOf = response.locals['challengeOf'] as ChallengeOf | undefined;
  const header = challengeOf?.(response.req, { level: requiredLevel ?? KEY_LEVELS[0], error });
  if (header === undefined) return undefined;
  response.setHeader('WWW-Authenticate', header);
  return { status, header };
}
