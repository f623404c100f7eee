import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ERRORS, ServiceError } from '../../contract/errors.ts';
import { KEY_LEVELS, type KeyLevel } from '../../contract/keys.ts';
import type { ErrorLog } from '../errors.ts';

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

/** Challenges a refusal that signing in can remedy, and returns its status, on which hosts start authorization. */
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

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const SERVER_ERROR = -32_000;
const INTERNAL_ERROR = -32_603;

const RETRY_AFTER_SECONDS = '1';

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A request rejected before the protocol parses it. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly rpc: RpcError;

  constructor(status: number, rpc: RpcError) {
    super(rpc.message);
    this.status = status;
    this.rpc = rpc;
  }
}

/** Answers errors as JSON-RPC errors. Details of bugs go to the log only. */
export function protocolErrorHandler(log: ErrorLog): ErrorRequestHandler {
  return (thrown, _request, response, next) => {
    if (response.headersSent) return next(thrown);
    const { status, rpc } = toRefusal(thrown);
    // Errors after the client disconnected are not logged.
    if (status === 500 && !response.closed) log.error(thrown);
    if (status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS);
    if (thrown instanceof ServiceError) response.set(thrown.headers);
    challenge(response, rpc.data);
    response.locals['errorCode'] = rpc.data?.['code'];
    response.set('Cache-Control', 'no-store').status(status).type('application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', error: rpc, id: null }));
  };
}

function toRefusal(thrown: unknown): { status: number; rpc: RpcError } {
  if (thrown instanceof HttpRefusal) return thrown;
  if (!(thrown instanceof ServiceError))
    return { status: 500, rpc: { code: INTERNAL_ERROR, message: 'Internal error' } };
  const { code, message } = thrown;
  return { status: ERRORS[code].status, rpc: { code: SERVER_ERROR, message, data: { code } } };
}
