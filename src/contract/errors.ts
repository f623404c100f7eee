import type { KeyLevel } from './keys.ts';

/** Every way in which the service says no: the HTTP status of each code is here and nowhere else (specification 7). */
export const ERRORS = {
  invalid_parameter: {
    status: 400,
    about: 'A parameter has a value that is not allowed; errors[] says which and what is.',
  },
  missing_parameter: { status: 400, about: 'A parameter that must be given is missing.' },
  malformed_request: {
    status: 400,
    about: 'The request could not be read: bad percent-encoding, bad JSON or the like.',
  },
  unauthenticated: { status: 401, about: 'The Authorization header is missing or is not "Bearer mk_...".' },
  invalid_key: { status: 401, about: 'The API key is not one of ours.' },
  key_expired: { status: 401, about: 'The API key was valid until its expiry date.' },
  key_revoked: { status: 401, about: 'The API key was revoked, or another one has replaced it.' },
  plan_required: { status: 403, about: 'The account of the key has no plan that includes the API.' },
  address_not_allowed: {
    status: 403,
    about: 'The key may be used from certain addresses only, and this is none of them.',
  },
  forbidden: {
    status: 403,
    about: 'The level of the key does not allow the operation; required_level says which does.',
  },
  not_found: { status: 404, about: 'There is no such path or record.' },
  method_not_allowed: { status: 405, about: 'The path exists, but not for this method; Allow lists the methods.' },
  slug_conflict: { status: 409, about: 'Another record of the type has this slug; errors[] says which.' },
  not_deleted: { status: 409, about: 'The record is not deleted, so there is nothing to restore.' },
  payment_conflict: {
    status: 409,
    about: 'This payment identifier came before with another authorization; repeat the request with that one.',
  },
  precondition_failed: {
    status: 412,
    about: 'The record has changed since the version that If-Match names; ETag has the present one.',
  },
  not_acceptable: { status: 406, about: 'The Accept header leaves JSON out, and there is nothing else to give.' },
  request_timeout: { status: 408, about: 'The request did not arrive in time; the connection is closed.' },
  payload_too_large: { status: 413, about: 'The body is larger than is accepted.' },
  uri_too_long: { status: 414, about: 'The address is longer than 8 KB.' },
  unsupported_media_type: { status: 415, about: 'The body is not in a form that is accepted.' },
  idempotency_mismatch: {
    status: 422,
    about: 'This Idempotency-Key came before with another body; take a new key for a new request.',
  },
  burst_limit_exceeded: {
    status: 429,
    about:
      'Too many requests, refused keys or payments, or unpaid requests for later pages, within seconds; Retry-After says when to go on.',
  },
  daily_limit_exceeded: { status: 429, about: 'The requests of the day are used up; Retry-After leads to 00:00 UTC.' },
  monthly_limit_exceeded: {
    status: 429,
    about: 'The requests of the month are used up; Retry-After leads to 00:00 UTC on the 1st.',
  },
  headers_too_large: { status: 431, about: 'The address and headers together are longer than 16 KB.' },
  search_failed: { status: 500, about: 'The search backend failed; the request can be sent again later.' },
  internal: { status: 500, about: 'A fault of ours; the request id finds it in the log.' },
  unavailable: {
    status: 503,
    about: 'Something the service needs does not answer; Retry-After says when to try again.',
  },
  facilitator_unreachable: {
    status: 503,
    about: 'The payment facilitator does not answer; the authorization was not used and can be sent again.',
  },
  payment_pending: {
    status: 503,
    about: 'What became of the payment is not known yet; repeat the request with the same PAYMENT-SIGNATURE.',
  },
  budget_exceeded: {
    status: 402,
    about: 'A budget of the wallet does not allow the payment (said by the client, as are the six below).',
  },
  offer_refused: { status: 402, about: 'The rules of the wallet do not allow what the service asks to sign.' },
  not_confirmed: { status: 402, about: 'The payment needs the consent of a person, who did not or cannot give it.' },
  payment_refused: { status: 402, about: 'The service refused the payment that was sent.' },
  paid_not_served: { status: 402, about: 'The payment was settled on the chain, and no answer came.' },
  outcome_unknown: { status: 402, about: 'The payment was sent, and nobody could say what became of it.' },
  not_sold: { status: 402, about: 'What is asked for cannot be bought with x402; a key has it.' },
  unreachable: { status: 503, about: 'The service itself did not answer (said by the client, never by the service).' },
} as const satisfies Record<string, { status: number; about: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault of one input: where it is (`query.limit`) and what is wrong with it. */
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
  /** Response headers that belong to the error, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId?: string | undefined;
  /** Level that a key needs for what was refused. */
  readonly requiredLevel?: KeyLevel | undefined;
}

/**
 * An error that is known by the name of its class: the build has parts with copies of the classes, and an error of one
 * must be known in the other. A class that extends this, or one that does, states its own `kind`.
 */
export class KnownError extends Error {
  static readonly kind: string = 'KnownError';

  /** What a person must do first, such as `run npm ci`; until then, trying again does not help. */
  readonly remedy: string | undefined;

  constructor(message: string, { cause, remedy }: KnownDetails = {}) {
    super(message, { cause });
    this.remedy = remedy;
  }

  /** Whether something was made by this class, by a copy of it or by a class that extends it. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    for (let shape: unknown = thrown; shape instanceof Object; shape = Object.getPrototypeOf(shape)) {
      const kind = Object.getOwnPropertyDescriptor(shape.constructor, 'kind')?.value;
      // biome-ignore lint/complexity/noThisInStatic: it is the class on the right of instanceof, also one that extends this.
      if (kind === this.kind) return true;
    }
    return false;
  }
}

/** A mistake of the caller or a failure of something away; any other throw is a bug. Its message is for the caller. */
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

/** The literal texts that the specification fixes (section 7). */
export const TEXT = {
  searchUnauthenticated: 'Invalid or missing API key',
  unauthenticated: 'Missing or invalid authorization header',
  invalidKey: 'Invalid API key',
  forbidden: 'Insufficient permissions for write operations',
  rateLimited: 'Rate limit exceeded',
  searchFailed: 'External search service error',
} as const;
