import { NOT_CHARGED, PaymentError } from '../client/wallet/errors.ts';
import { ERRORS, type ErrorCode, ServiceError } from '../contract/errors.ts';
import type { KeyLevel } from '../contract/keys.ts';
import { inLine, sanitize } from './sanitize.ts';

/** Log of errors whose details a model must not see. Never stdout, which belongs to the protocol. */
export interface ErrorLog {
  error(thrown: unknown): void;
}

const RETRY_SECONDS_DEFAULT = 5;
const HOUR_SECONDS = 3_600;

/** Advice per error code, written for a model. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: 'Correct the arguments and call again.',
  missing_parameter: 'Add what is missing and call again.',
  malformed_request: 'Leave control characters out and call again.',
  method_not_allowed:
    'Retrying will not help: the service is of another version; ask the person to update one of them.',
  payload_too_large: 'Ask for less and call again.',
  uri_too_long: 'Shorten the arguments and call again.',
  headers_too_large: 'Shorten the arguments and call again.',
  not_acceptable: 'Retrying will not help: the service is of another version; ask the person to update one of them.',
  unsupported_media_type:
    'Retrying will not help: the service is of another version; ask the person to update one of them.',
  unreachable:
    'Retrying is safe, after 5 seconds; if it fails again, ask the person to check WEB3_BI_BASE_URL with web3-bi doctor.',
  not_found: 'Search for the name instead.',
  unauthenticated: 'Retrying will not help: ask the person to set WEB3_BI_API_KEY to a valid key.',
  invalid_key: 'Retrying will not help: ask the person to set WEB3_BI_API_KEY to a valid key.',
  key_expired: 'Retrying will not help: ask the person for a new key.',
  key_revoked: 'Retrying will not help: ask the person for a new key.',
  plan_required: 'Retrying will not help: ask the person to choose a plan.',
  forbidden: 'Retrying will not help: ask the person for a key of a higher level.',
  address_not_allowed:
    'Retrying will not help: ask the person to use the key from an address it allows, or for a key without such a list.',
};

/** Advice for rate limits with the wait: an earlier call would be refused again. */
const RATE_LIMIT_ADVICE: Partial<Record<ErrorCode, (wait: string) => string>> = {
  burst_limit_exceeded: (wait) =>
    `Retrying is safe, after ${wait}. Send fewer calls at once: get_entity takes up to 20 records in one call.`,
  daily_limit_exceeded: (wait) =>
    `Do not call again for ${wait}, when a new UTC day begins. Continue with what you have, and tell the person that the requests of the day are used up.`,
  monthly_limit_exceeded: (wait) =>
    `Do not call again for ${wait}, when a new UTC month begins. Continue with what you have, and tell the person that the requests of the month are used up; a larger plan has more.`,
};

export interface ToolError {
  /** What happened, whether money was spent, whether a retry is safe, and what to do. Must be complete for a model. */
  readonly text: string;
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | null;
  readonly requiredLevel?: KeyLevel | undefined;
}

interface ErrorContext {
  readonly log: ErrorLog;
  /** Aborted when the caller has disconnected; errors after that are not logged. */
  readonly signal?: AbortSignal;
}

/** Converts an exception. The message of a bug goes to the log only. */
export function toToolError(thrown: unknown, { log, signal }: ErrorContext): ToolError {
  const error = asServiceError(thrown);
  const { code, headers, requestId } = error;
  if (ERRORS[code].status >= 500 && signal?.aborted !== true) log.error(thrown);
  if (error instanceof PaymentError) {
    const { message, money, advice } = error;
    return { text: `${sentence(message)} (${code}) ${money} ${advice}`, code, retryAfterSeconds: null };
  }
  const reference = requestId === undefined ? '' : ` Request id: ${requestId}.`;
  const isOfCode = RATE_LIMIT_ADVICE[code] === undefined && ADVICE[code] !== undefined && code !== 'unreachable';
  const isFinal = error.remedy !== undefined || isOfCode;
  return {
    text: `${sentence(error.message)} (${code}) ${NOT_CHARGED} ${adviceOf(error)}${reference}`,
    code,
    retryAfterSeconds: isFinal ? null : Number(headers['Retry-After'] ?? RETRY_SECONDS_DEFAULT),
    ...(error.requiredLevel && { requiredLevel: error.requiredLevel }),
  };
}

/** An exception as an error that may be shown. */
export const asServiceError = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError ? thrown : new ServiceError('internal', 'Internal error of this server.');

/** Whether a retry is safe, and what to do. */
export function adviceOf(error: ServiceError): string {
  const { code, headers } = error;
  const retryable = `Retrying is safe, after ${headers['Retry-After'] ?? RETRY_SECONDS_DEFAULT} seconds; if it fails again, ask the person to run web3-bi doctor.`;
  return remedyOf(error) ?? RATE_LIMIT_ADVICE[code]?.(waitOf(error)) ?? ADVICE[code] ?? retryable;
}

const remedyOf = ({ remedy }: ServiceError): string | undefined =>
  remedy === undefined ? undefined : `Retrying will not help: ask the person to ${remedy}.`;

/** The wait from Retry-After, in hours too if it is long. */
function waitOf({ headers }: ServiceError): string {
  const seconds = Number(headers['Retry-After'] ?? RETRY_SECONDS_DEFAULT);
  return seconds < HOUR_SECONDS
    ? `${seconds} seconds`
    : `${seconds} seconds (${Math.ceil(seconds / HOUR_SECONDS)} hours)`;
}

/** A message on one line, because the service may be a third party's. */
function sentence(message: string): string {
  const text = inLine(sanitize(message));
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const GET_ACCESS = {
  stdio:
    'ask the person to set WEB3_BI_API_KEY to an API key (mk_...), or WEB3_BI_WALLET_KEY_FILE to pay each search, or to leave WEB3_BI_BASE_URL out to use the embedded service.',
  http: 'ask the person to sign in to this server in the settings of the host, or to add the header "Authorization: Bearer mk_..." with an API key there; whoever runs the service makes keys with web3-bi key create.',
};

export type Transport = keyof typeof GET_ACCESS;

/** The error of a tool that needs a credential, when there is none. */
export const accessNeeded = (transport: Transport): ToolError => ({
  text: `This tool needs a credential, and none is configured. (unauthenticated) Nothing was charged. Retrying will not help: ${GET_ACCESS[transport]} The tool health works without access.`,
  code: 'unauthenticated',
  retryAfterSeconds: null,
});
