import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Meta } from '../../contract/envelope.ts';
import { ERRORS, type ErrorCode, JSON_BYTES_MAX, SENT, ServiceError, TEXT } from '../../contract/errors.ts';
import { isTooDeep, TOO_DEEP } from '../../contract/json.ts';
import { metaOf } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { refundQuota } from './enforce-quota.ts';

const JSON_TYPES = ['application/json', 'application/merge-patch+json'];

/** Parses a JSON body after authorization. Rejects other media types before reading. */
export const readBody: readonly RequestHandler[] = [
  (request, _response, next) => {
    if (request.is(JSON_TYPES) === false || request.get('content-type') === undefined)
      throw new ServiceError('unsupported_media_type', SENT.unsupported_media_type);
    next();
  },
  express.json({ limit: JSON_BYTES_MAX, type: JSON_TYPES, strict: false }),
  (request, _response, next) => {
    if (isTooDeep(request.body)) throw new ServiceError('malformed_request', `${TOO_DEEP}.`);
    next();
  },
];

export const RETRY_AFTER_SECONDS = '5';

type Deps = Pick<ServiceDeps, 'clock' | 'log' | 'publicUrl' | 'pages' | 'paymentGate'>;

/** Marks a route whose 401 and backend errors are `{error}` only. */
export const bareErrors: RequestHandler = (_request, response, next) => {
  response.locals['isBare'] = true;
  next();
};

/** Answers errors as JSON. Only messages of ServiceErrors are sent; anything else is a bug and is logged. */
export function errorHandler(deps: Deps): ErrorRequestHandler {
  const { clock, log, publicUrl, pages } = deps;
  const docsUrl = pages === undefined ? undefined : `${publicUrl}/docs/errors/`;
  const remedy = keyRemedy(deps);
  return async (thrown, request, response, next) => {
    const error = toServiceError(thrown);
    const { status } = ERRORS[error.code];
    const requestId = String(response.locals['requestId']);
    response.locals['errorCode'] = error.code;
    if (status >= 500) {
      // 503 can be caused by a lock, so it is only a warning; 500 is a bug.
      const level = status === 503 ? 'warn' : 'error';
      log[level]({ requestId, code: error.code, err: error.cause ?? error, path: request.path }, 'request failed');
    }
    // Headers are sent already, so Express closes the connection.
    if (response.headersSent) return next(thrown);
    if (status >= 500) await refundQuota(response);
    response.set('Cache-Control', 'no-store');
    if (status === 503 || error.code === 'search_failed') response.set('Retry-After', RETRY_AFTER_SECONDS);
    response.status(status).set(error.headers).type('application/json');
    // A bare error has no room for it.
    if (status === 401 && docsUrl !== undefined) response.set('Link', `<${docsUrl}${error.code}>; rel="help"`);
    const bareText = response.locals['isBare'] === true ? bareTextOf(error.code) : undefined;
    if (bareText !== undefined) return void response.end(JSON.stringify({ error: bareText }));
    response.end(errorJson(error, metaOf(requestId, clock()), { docsUrl, ...(status === 401 && { remedy }) }));
  };
}

/** How a caller without access gets it: with a key, or where searches are sold, with a payment. */
export function keyRemedy({
  publicUrl,
  pages,
  paymentGate,
}: Pick<Deps, 'publicUrl' | 'pages' | 'paymentGate'>): string {
  const made = pages === undefined ? 'the operator makes one' : `made at ${publicUrl}/account`;
  const paid = `; or without a key, pay for a request at ${publicUrl}/api/v1/x402/search`;
  return `Send an API key as Authorization: Bearer KEY (${made})${paymentGate === undefined ? '' : paid}.`;
}

/** The error body in the envelope, linked to its documentation page if there are pages. */
export function errorJson(
  { message, code, errors, requiredLevel }: ServiceError,
  meta: Meta,
  { docsUrl, remedy }: { readonly docsUrl?: string | undefined; readonly remedy?: string } = {},
): string {
  const faults = errors.length > 0 ? { errors } : {};
  const docs = docsUrl === undefined ? {} : { docs: docsUrl + code };
  const level = requiredLevel === undefined ? {} : { required_level: requiredLevel };
  return JSON.stringify({ success: false, error: message, code, ...docs, remedy, ...level, ...faults, meta });
}

/** The whole body of an error of the search endpoint that has only a text. */
export function bareTextOf(code: ErrorCode): string | undefined {
  if (ERRORS[code].status === 401) return TEXT.searchUnauthenticated;
  return code === 'search_failed' ? TEXT.searchFailed : undefined;
}

/** Errors of Express and its body parser, by status. */
const READING: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['malformed_request', SENT.malformed_request],
  413: ['payload_too_large', SENT.payload_too_large],
  415: ['unsupported_media_type', 'The charset or encoding of the body is not accepted; send JSON in UTF-8.'],
};

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = (thrown as { status?: unknown } | undefined)?.status;
  const [code, message] = READING[Number(status)] ?? [];
  if (code !== undefined && message !== undefined) return new ServiceError(code, message, { cause: thrown });
  return new ServiceError('internal', SENT.internal, { cause: thrown });
}

/** Answers OPTIONS, and responds 405 to other methods of a path. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') return void response.status(204).set('Allow', allowed).end();
    throw new ServiceError('method_not_allowed', `Use one of ${allowed} here.`, { headers: { Allow: allowed } });
  };
}
