import type { KeyLevel } from './keys.ts';

const at = (status: number, about: string) => ({ status, about });

/** Every error code with its HTTP status and meaning. No other place assigns a status. */
export const ERRORS = {
  invalid_parameter: at(400, 'A parameter has a value that is not allowed; errors[] names it and the allowed values.'),
  missing_parameter: at(400, 'A required parameter is missing.'),
  malformed_request: at(400, 'The request could not be read: bad percent-encoding, bad JSON or the like.'),
  unauthenticated: at(401, 'The Authorization header is missing or is not "Bearer mk_...".'),
  invalid_key: at(401, 'The API key does not exist.'),
  key_expired: at(401, 'The API key was valid until its expiry date.'),
  key_revoked: at(401, 'The API key was revoked or replaced.'),
  budget_exceeded: at(402, 'A budget of the wallet does not allow the payment (a client error, as are the next six).'),
  offer_refused: at(402, 'The rules of the wallet do not allow the offered payment.'),
  not_confirmed: at(402, 'The payment needs the consent of a person, who did not or cannot give it.'),
  payment_refused: at(402, 'The service refused the payment that was sent.'),
  paid_not_served: at(402, 'The payment was settled on the chain, but no response came.'),
  outcome_unknown: at(402, 'The payment was sent, and its outcome could not be determined.'),
  not_sold: at(402, 'The requested data is not sold over x402; use a key.'),
  plan_required: at(403, 'The account of the key has no plan that includes the API.'),
  address_not_allowed: at(403, 'The key is restricted to certain addresses, and the request came from another.'),
  forbidden: at(403, 'The level of the key does not allow the operation; required_level names the one that does.'),
  not_found: at(404, 'There is no such path or record.'),
  method_not_allowed: at(405, 'The path exists, but not for this method; Allow lists the methods.'),
  not_acceptable: at(406, 'The Accept header excludes JSON, the only available format.'),
  request_timeout: at(408, 'The request did not arrive in time; the connection is closed.'),
  slug_conflict: at(409, 'Another record of the type has this slug; errors[] names the record.'),
  not_deleted: at(409, 'The record is not deleted, so there is nothing to restore.'),
  payment_conflict: at(
    409,
    'This payment identifier was used with another authorization; repeat the request with that one.',
  ),
  precondition_failed: at(412, 'The record has changed since the version in If-Match; ETag has the current one.'),
  payload_too_large: at(413, 'The body exceeds the size limit.'),
  uri_too_long: at(414, 'The address is longer than 8 KB.'),
  unsupported_media_type: at(415, 'The media type of the body is not supported.'),
  idempotency_mismatch: at(422, 'This Idempotency-Key was used with another body; use a new key for a new request.'),
  burst_limit_exceeded: at(
    429,
    'Too many requests, refused keys or payments, or unpaid requests for later pages, within seconds; Retry-After says when to retry.',
  ),
  daily_limit_exceeded: at(429, 'The requests of the day are used up; Retry-After ends at 00:00 UTC.'),
  monthly_limit_exceeded: at(429, 'The requests of the month are used up; Retry-After ends at 00:00 UTC on the 1st.'),
  headers_too_large: at(431, 'The address and headers together are longer than 16 KB.'),
  search_failed: at(500, 'The search backend failed; the request can be sent again later.'),
  internal: at(500, 'An internal fault; the log has it under the request id.'),
  unavailable: at(503, 'A dependency of the service does not respond; Retry-After says when to retry.'),
  facilitator_unreachable: at(
    503,
    'The payment facilitator does not respond; the authorization was not used and can be sent again.',
  ),
  payment_pending: at(
    503,
    'The outcome of the payment is not known yet; repeat the request with the same PAYMENT-SIGNATURE.',
  ),
  unreachable: at(503, 'The service did not respond (a client error, never sent by the service).'),
};

export type ErrorCode = keyof typeof ERRORS;

/** One invalid input: its path (`query.limit`) and what is wrong with it. */
export interface FieldError {
  readonly location: string;
  readonly message: string;
}

interface KnownDetails {
  readonly cause?: unknown;
  readonly remedy?: string | undefined;
}

interface ErrorDetails extends KnownDetails {
  readonly errors?: readonly FieldError[];
  /** Response headers of the error, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId?: string | undefined;
  readonly requiredLevel?: KeyLevel | undefined;
}

/** An error identified by its class name, so that `instanceof` holds across the copies of the class in the build. */
export class KnownError extends Error {
  static readonly kind: string = 'KnownError';

  /** What a person must do before a retry can succeed, such as `run npm ci`. */
  readonly remedy: string | undefined;

  constructor(message: string, { cause, remedy }: KnownDetails = {}) {
    super(message, { cause });
    this.remedy = remedy;
  }

  /** Whether a value is an instance of this class, of a copy of it, or of a subclass of either. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    for (let shape: unknown = thrown; shape instanceof Object; shape = Object.getPrototypeOf(shape)) {
      const kind = Object.getOwnPropertyDescriptor(shape.constructor, 'kind')?.value;
      // biome-ignore lint/complexity/noThisInStatic: it is the class on the right of instanceof, also one that extends this.
      if (kind === this.kind) return true;
    }
    return false;
  }
}

/** The caller's error, or a dependency's. Its message is sent; any other exception is a bug and becomes `internal`. */
export class ServiceError extends KnownError {
  static override readonly kind: string = 'ServiceError';

  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly requiredLevel: KeyLevel | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.name = 'ServiceError';
    this.code = code;
    this.errors = details.errors ?? [];
    this.headers = details.headers ?? {};
    this.requestId = details.requestId;
    this.requiredLevel = details.requiredLevel;
  }
}

/** An invalid input: its path, such as `query.limit`, and what is wrong with it. */
export const invalidAt = (location: string, message: string, code: ErrorCode = 'invalid_parameter'): ServiceError =>
  new ServiceError(code, message, { errors: [{ location, message }] });

/** Literal messages that clients match; they never change. */
export const TEXT = {
  searchUnauthenticated: 'Invalid or missing API key',
  unauthenticated: 'Missing or invalid authorization header',
  invalidKey: 'Invalid API key',
  forbidden: 'Insufficient permissions for write operations',
  rateLimited: 'Rate limit exceeded',
  searchFailed: 'External search service error',
} as const;
