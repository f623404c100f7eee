import type { KeyLevel } from './keys.ts';

/** Every error code with its HTTP status and meaning. No other place assigns a status. */
export const ERRORS = {
  invalid_parameter: {
    status: 400,
    about: 'A parameter has a value that is not allowed; errors[] names it and the allowed values.',
  },
  missing_parameter: { status: 400, about: 'A required parameter is missing.' },
  malformed_request: {
    status: 400,
    about: 'The request could not be read: bad percent-encoding, bad JSON or the like.',
  },
  unauthenticated: { status: 401, about: 'The Authorization header is missing or is not "Bearer mk_...".' },
  invalid_key: { status: 401, about: 'The API key does not exist.' },
  key_expired: { status: 401, about: 'The API key was valid until its expiry date.' },
  key_revoked: { status: 401, about: 'The API key was revoked or replaced.' },
  budget_exceeded: {
    status: 402,
    about: 'A budget of the wallet does not allow the payment (a client error, as are the next six).',
  },
  offer_refused: { status: 402, about: 'The rules of the wallet do not allow the offered payment.' },
  not_confirmed: { status: 402, about: 'The payment needs the consent of a person, who did not or cannot give it.' },
  payment_refused: { status: 402, about: 'The service refused the payment that was sent.' },
  paid_not_served: { status: 402, about: 'The payment was settled on the chain, but no response came.' },
  outcome_unknown: { status: 402, about: 'The payment was sent, and its outcome could not be determined.' },
  not_sold: { status: 402, about: 'The requested data is not sold over x402; use a key.' },
  plan_required: { status: 403, about: 'The account of the key has no plan that includes the API.' },
  address_not_allowed: {
    status: 403,
    about: 'The key is restricted to certain addresses, and the request came from another.',
  },
  forbidden: {
    status: 403,
    about: 'The level of the key does not allow the operation; required_level names the one that does.',
  },
  not_found: { status: 404, about: 'There is no such path or record.' },
  method_not_allowed: { status: 405, about: 'The path exists, but not for this method; Allow lists the methods.' },
  not_acceptable: { status: 406, about: 'The Accept header excludes JSON, the only available format.' },
  request_timeout: { status: 408, about: 'The request did not arrive in time; the connection is closed.' },
  slug_conflict: { status: 409, about: 'Another record of the type has this slug; errors[] names the record.' },
  not_deleted: { status: 409, about: 'The record is not deleted, so there is nothing to restore.' },
  payment_conflict: {
    status: 409,
    about: 'This payment identifier was used with another authorization; repeat the request with that one.',
  },
  precondition_failed: {
    status: 412,
    about: 'The record has changed since the version in If-Match; ETag has the current one.',
  },
  payload_too_large: { status: 413, about: 'The body exceeds the size limit.' },
  uri_too_long: { status: 414, about: 'The address is longer than 8 KB.' },
  unsupported_media_type: { status: 415, about: 'The media type of the body is not supported.' },
  idempotency_mismatch: {
    status: 422,
    about: 'This Idempotency-Key was used with another body; use a new key for a new request.',
  },
  burst_limit_exceeded: {
    status: 429,
    about:
      'Too many requests, refused keys or payments, or unpaid requests for later pages, within seconds; Retry-After says when to retry.',
  },
  daily_limit_exceeded: { status: 429, about: 'The requests of the day are used up; Retry-After ends at 00:00 UTC.' },
  monthly_limit_exceeded: {
    status: 429,
    about: 'The requests of the month are used up; Retry-After ends at 00:00 UTC on the 1st.',
  },
  headers_too_large: { status: 431, about: 'The address and headers together are longer than 16 KB.' },
  search_failed: { status: 500, about: 'The search backend failed; the request can be sent again later.' },
  internal: { status: 500, about: 'An internal fault; the log has it under the request id.' },
  unavailable: {
    status: 503,
    about: 'A dependency of the service does not respond; Retry-After says when to retry.',
  },
  facilitator_unreachable: {
    status: 503,
    about: 'The payment facilitator does not respond; the authorization was not used and can be sent again.',
  },
  payment_pending: {
    status: 503,
    about: 'The outcome of the payment is not known yet; repeat the request with the same PAYMENT-SIGNATURE.',
  },
  unreachable: { status: 503, about: 'The service did not respond (a client error, never sent by the service).' },
} as const satisfies Record<string, { status: number; about: string }>;

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
