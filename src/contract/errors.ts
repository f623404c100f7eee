import type { KeyLevel } from './keys.ts';

interface ErrorText {
  readonly about: string;
  /** What a programmer does about it, on the page of the error. */
  readonly remedy: string;
  /** What a model does about it. `{wait}` is the time after which to repeat the call; without it, repeating does not help. */
  readonly advice?: string;
}

const at = (status: number, text: ErrorText) => ({ status, ...text });

/** Every error code with its HTTP status, its meaning and its remedy. No other place assigns a status. */
export const ERRORS = {
  invalid_parameter: at(400, {
    about: 'A parameter has a value that is not allowed; errors[] names it and the allowed values.',
    remedy:
      'Read errors[]: each has the location of a parameter or field and what it must be. Correct it and send it again.',
    advice: 'Correct the arguments and call again.',
  }),
  missing_parameter: at(400, {
    about: 'A required parameter is missing.',
    remedy: 'Add the parameter that errors[] names.',
    advice: 'Add what is missing and call again.',
  }),
  malformed_request: at(400, {
    about: 'The request could not be read: bad percent-encoding, bad JSON or the like.',
    remedy: 'Encode parameters as UTF-8 (encodeURIComponent does), and send well-formed JSON.',
    advice: 'Leave control characters out and call again.',
  }),
  unauthenticated: at(401, {
    about: 'The Authorization header is missing or is not "Bearer mk_...".',
    remedy:
      'Send the header Authorization: Bearer mk_... with every request to /api/v1/. No other header is read, such as X-API-Key.',
    advice: 'Retrying will not help: ask the person to set WEB3_BI_API_KEY to a valid key.',
  }),
  invalid_key: at(401, {
    about: 'The API key does not exist.',
    remedy: 'Check that the whole key was copied. If it is lost, rotate it in your account.',
    advice: 'Retrying will not help: ask the person to set WEB3_BI_API_KEY to a valid key.',
  }),
  key_expired: at(401, {
    about: 'The API key was valid until its expiry date.',
    remedy: 'Create a new key in your account; an expiry cannot be changed.',
    advice: 'Retrying will not help: ask the person for a new key.',
  }),
  key_revoked: at(401, {
    about: 'The API key was revoked or replaced.',
    remedy: 'Use the key that replaced it, or make a new one.',
    advice: 'Retrying will not help: ask the person for a new key.',
  }),
  budget_exceeded: at(402, {
    about: 'A budget of the wallet does not allow the payment (a client error, never sent by the service).',
    remedy:
      'Client error of the wallet: wait for the next UTC day or session, or let a person raise WEB3_BI_MAX_USD_PER_CALL, _PER_SESSION or _PER_DAY.',
  }),
  offer_refused: at(402, {
    about: 'The rules of the wallet do not allow the offered payment.',
    remedy:
      'Client error of the wallet: the offered payment is not for one search; check the service with web3-bi doctor.',
  }),
  not_confirmed: at(402, {
    about: 'The payment needs the consent of a person, who did not or cannot give it.',
    remedy:
      'Client error of the wallet: let the person consent, in a host that supports it, or raise WEB3_BI_CONFIRM_ABOVE_USD.',
  }),
  payment_refused: at(402, {
    about: 'The service refused the payment that was sent.',
    remedy:
      'Client error of the wallet: see the reason in the text; an empty wallet and a wrong clock are the common ones.',
  }),
  paid_not_served: at(402, {
    about: 'The payment was settled on the chain, but no response came.',
    remedy:
      'Client error of the wallet: call again with the same arguments; the same signature is sent, and not charged again.',
  }),
  outcome_unknown: at(402, {
    about: 'The payment was sent, and its outcome could not be determined.',
    remedy: 'Client error of the wallet: call again with the same arguments; it is charged at most once.',
  }),
  not_sold: at(402, {
    about: 'The requested data is not sold over x402; use a key.',
    remedy:
      'Client error of the wallet: use an API key, which has filters, events, related lists and records by number.',
  }),
  plan_required: at(403, {
    about: 'The account of the key has no plan that includes the API.',
    remedy: 'Choose a plan for the account. Keys then work again.',
    advice: 'Retrying will not help: ask the person to choose a plan.',
  }),
  address_not_allowed: at(403, {
    about: 'The key is restricted to certain addresses, and the request came from another.',
    remedy: 'Send requests from an allowed address, or create a key with another list.',
    advice:
      'Retrying will not help: ask the person to use the key from an address it allows, or for a key without such a list.',
  }),
  forbidden: at(403, {
    about: 'The level of the key does not allow the operation; required_level names the one that does.',
    remedy: 'Use a key with the level that the operation needs: read, write or delete.',
    advice: 'Retrying will not help: ask the person for a key of a higher level.',
  }),
  not_found: at(404, {
    about: 'There is no such path or record.',
    remedy: 'Check the path. For a record, search for its name and use the slug of the result.',
    advice: 'Search for the name instead.',
  }),
  method_not_allowed: at(405, {
    about: 'The path exists, but not for this method; Allow lists the methods.',
    remedy: 'Use one of the methods in the header Allow.',
    advice: 'Retrying will not help: the service is of another version; ask the person to update one of them.',
  }),
  not_acceptable: at(406, {
    about: 'The Accept header excludes JSON, and for searches and lists also CSV.',
    remedy: 'Accept application/json.',
    advice: 'Retrying will not help: the service is of another version; ask the person to update one of them.',
  }),
  request_timeout: at(408, {
    about: 'The request did not arrive in time; the connection is closed.',
    remedy: 'Send the request without pauses; check the connection.',
  }),
  slug_conflict: at(409, {
    about: 'Another record of the type has this slug; errors[] names the record.',
    remedy: 'Use another slug, or leave it out to derive one from the name.',
  }),
  not_deleted: at(409, {
    about: 'The record is not deleted, so there is nothing to restore.',
    remedy: 'Nothing to do: the record is there.',
  }),
  payment_conflict: at(409, {
    about: 'This payment identifier was used with another authorization; repeat the request with that one.',
    remedy:
      'Sign a new authorization for this request, or send the request that the identifier or signature belongs to.',
  }),
  precondition_failed: at(412, {
    about: 'The record has changed since the version in If-Match; ETag has the current one.',
    remedy: 'Read the record again, apply your change to the current version, and send it with the new ETag.',
  }),
  payload_too_large: at(413, {
    about: 'The body exceeds the size limit.',
    remedy: 'Send less at once; a single record is far below the limit. Many records go through import.',
    advice: 'Ask for less and call again.',
  }),
  uri_too_long: at(414, {
    about: 'The address is longer than 8 KB.',
    remedy: 'Shorten the query.',
    advice: 'Shorten the arguments and call again.',
  }),
  unsupported_media_type: at(415, {
    about: 'The media type of the body is not supported.',
    remedy: 'Send Content-Type: application/json, in UTF-8.',
    advice: 'Retrying will not help: the service is of another version; ask the person to update one of them.',
  }),
  idempotency_mismatch: at(422, {
    about: 'This Idempotency-Key was used with another body; use a new key for a new request.',
    remedy: 'Use a new Idempotency-Key for a new request; an old one only repeats the same request.',
  }),
  burst_limit_exceeded: at(429, {
    about:
      'Too many requests, refused keys or payments, or unpaid requests for later pages, within seconds; Retry-After says when to retry.',
    remedy: 'Wait as long as Retry-After says, and spread requests more evenly.',
    advice: 'Retrying is safe, after {wait}. Send fewer calls at once: get_entity takes up to 20 records in one call.',
  }),
  daily_limit_exceeded: at(429, {
    about: 'The requests of the day are used up; Retry-After ends at 00:00 UTC.',
    remedy: 'Wait for 00:00 UTC (Retry-After), or use another plan.',
    advice:
      'Do not call again for {wait}, when a new UTC day begins. Continue with what you have, and tell the person that the requests of the day are used up.',
  }),
  monthly_limit_exceeded: at(429, {
    about: 'The requests of the month are used up; Retry-After ends at 00:00 UTC on the 1st.',
    remedy: 'Wait for the 1st of the month (Retry-After), or use another plan.',
    advice:
      'Do not call again for {wait}, when a new UTC month begins. Continue with what you have, and tell the person that the requests of the month are used up; a larger plan has more.',
  }),
  headers_too_large: at(431, {
    about: 'The address and headers together are longer than 16 KB.',
    remedy: 'Send fewer or shorter headers.',
    advice: 'Shorten the arguments and call again.',
  }),
  search_failed: at(500, {
    about: 'The search backend failed; the request can be sent again later.',
    remedy: 'Send it again after some seconds. It was not counted.',
  }),
  internal: at(500, {
    about: 'An internal fault; the log has it under the request id.',
    remedy: 'Retry; if it persists, report the request id. It was not counted.',
  }),
  unavailable: at(503, {
    about: 'A dependency of the service does not respond; Retry-After says when to retry.',
    remedy: 'Wait as long as Retry-After says, then send it again. It was not counted.',
  }),
  facilitator_unreachable: at(503, {
    about: 'The payment facilitator does not respond; the authorization was not used and can be sent again.',
    remedy: 'Send the same request with the same PAYMENT-SIGNATURE again, after Retry-After. Nothing was charged.',
  }),
  payment_pending: at(503, {
    about: 'The outcome of the payment is not known yet; repeat the request with the same PAYMENT-SIGNATURE.',
    remedy:
      'Send the same request with the same PAYMENT-SIGNATURE again, after Retry-After. Never sign a second payment for it.',
  }),
  unreachable: at(503, {
    about: 'The service did not respond (a client error, never sent by the service).',
    remedy: 'Client error: check the address of the service and the network.',
    advice:
      'Retrying is safe, after {wait}; if it fails again, ask the person to check WEB3_BI_BASE_URL with web3-bi doctor.',
  }),
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

/** A value that nothing has, as it was given, and those that it may mean. Pages offer them; the message names them as well. */
interface NearestValues {
  readonly given: string;
  readonly values: readonly string[];
}

interface ErrorDetails extends KnownDetails {
  readonly errors?: readonly FieldError[];
  readonly nearest?: NearestValues | undefined;
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
  readonly nearest: NearestValues | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly requiredLevel: KeyLevel | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.name = 'ServiceError';
    this.code = code;
    this.errors = details.errors ?? [];
    this.nearest = details.nearest;
    this.headers = details.headers ?? {};
    this.requestId = details.requestId;
    this.requiredLevel = details.requiredLevel;
  }
}

/** An invalid input: its path, such as `query.limit`, and what is wrong with it. */
export const invalidAt = (location: string, message: string, code: ErrorCode = 'invalid_parameter'): ServiceError =>
  new ServiceError(code, message, { errors: [{ location, message }] });

/** For `catch`: undefined for an input that is not allowed. Throws any other error. */
export function undefinedIfInvalid(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'invalid_parameter') return undefined;
  throw error;
}

/** A value of a filter that nothing has. */
export const noSuchValue = (filter: string, message: string, nearest: NearestValues): ServiceError =>
  new ServiceError('invalid_parameter', message, { errors: [{ location: `query.${filter}`, message }], nearest });

/** Literal messages that clients match; they never change. */
export const TEXT = {
  searchUnauthenticated: 'Invalid or missing API key',
  unauthenticated: 'Missing or invalid authorization header',
  invalidKey: 'Invalid API key',
  forbidden: 'Insufficient permissions for write operations',
  rateLimited: 'Rate limit exceeded',
  searchFailed: 'External search service error',
} as const;

/** Maximum size of a JSON body. */
export const JSON_BYTES_MAX = 256 * 1024;
/** Maximum length of an address with its parameters. */
export const ADDRESS_LENGTH_MAX = 8 * 1024;

/** What the service sends as `error` with a code; where it depends on the request, an example of it. Client errors have none. */
export const SENT = {
  invalid_parameter: 'limit must be at most 100',
  missing_parameter: 'to is required: text',
  malformed_request: 'The request could not be read; a body must be well-formed JSON.',
  unauthenticated: TEXT.unauthenticated,
  invalid_key: TEXT.invalidKey,
  key_expired: TEXT.invalidKey,
  key_revoked: TEXT.invalidKey,
  plan_required: 'An API Access or Enterprise plan is required; choose one for the account of this key.',
  address_not_allowed:
    'This key may not be used from this address; use it from an allowed one, or take a key without a list of addresses.',
  forbidden: TEXT.forbidden,
  not_found: 'There is no company with this number or slug; search by its name.',
  method_not_allowed: 'Use one of GET, HEAD, OPTIONS here.',
  not_acceptable: 'Responses are JSON; accept application/json.',
  request_timeout: 'The request did not arrive in time; send it again.',
  slug_conflict: 'slug: record 7 has it; choose another or change that record',
  not_deleted: 'The record is not deleted; there is nothing to restore',
  payment_conflict: 'This payment identifier was used with another authorization.',
  precondition_failed: 'The record has changed since you read it; read it again first',
  payload_too_large: `The body is larger than ${JSON_BYTES_MAX / 1024} KB; send less at once.`,
  uri_too_long: `The address is longer than ${ADDRESS_LENGTH_MAX} characters; shorten the query.`,
  unsupported_media_type: 'Send the body as JSON, with Content-Type: application/json.',
  idempotency_mismatch: 'Idempotency-Key: used before with another body; use a new key for a new request',
  burst_limit_exceeded: TEXT.rateLimited,
  daily_limit_exceeded: TEXT.rateLimited,
  monthly_limit_exceeded: TEXT.rateLimited,
  headers_too_large: 'The address and headers are too long; shorten the query.',
  search_failed: TEXT.searchFailed,
  internal: 'Internal error',
  unavailable: 'The database cannot do this at the moment; try again later.',
  facilitator_unreachable:
    'The payment facilitator cannot be reached. Nothing was charged and the authorization was not used: send the same request with the same PAYMENT-SIGNATURE again.',
  payment_pending:
    'The outcome of this payment is not confirmed yet. Repeat the request with the same PAYMENT-SIGNATURE, and do not sign again: it is charged at most once, and the response is stored.',
} as const satisfies Partial<Record<ErrorCode, string>>;

const EXAMPLE_PLACES: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_parameter: 'query.limit',
  missing_parameter: 'query.to',
  slug_conflict: 'body.slug',
};

/** An error of a code as the service sends it; undefined for client errors. */
export function exampleError(code: ErrorCode): ServiceError | undefined {
  if (!(code in SENT)) return undefined;
  const message = SENT[code as keyof typeof SENT];
  const location = EXAMPLE_PLACES[code];
  return new ServiceError(code, message, {
    ...(location !== undefined && { errors: [{ location, message }] }),
    ...(code === 'forbidden' && { requiredLevel: 'write' as const }),
  });
}
