import type { Request, RequestHandler, Response } from 'express';
import { KEY_LEVELS, type KeyLevel } from '../../contract/keys.ts';

/** The WWW-Authenticate of an answer that lacks a level; undefined where no person can sign in. */
export type ChallengeOf = (
  request: Request,
  lacking: { readonly level: KeyLevel; readonly error: 'invalid_token' | 'insufficient_scope' | undefined },
) => string | undefined;

/** Which refusals a person can help with by signing in, as the statuses and errors of RFC 6750, 3.1. */
const CHALLENGED: Readonly<Record<string, readonly [status: number, error?: 'invalid_token' | 'insufficient_scope']>> =
  {
    unauthenticated: [401],
    invalid_key: [401, 'invalid_token'],
    key_expired: [401, 'invalid_token'],
    key_revoked: [401, 'invalid_token'],
    forbidden: [403, 'insufficient_scope'],
  };

/** Has the refusals of a request challenged. */
export const challengeWith =
  (challengeOf: ChallengeOf): RequestHandler =>
  (_request, response, next) => {
    response.locals['challengeOf'] = challengeOf;
    next();
  };

/**
 * Challenges the refusal of a call, when a person could sign in for it, and gives the status that it must have: hosts begin
 * to authorize, or ask for more, at the status of HTTP alone, whatever a tool's result says.
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
