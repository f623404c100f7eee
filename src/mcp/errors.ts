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
/** Stands in advice for the time from Retry-After: an earlier call would be refused again. */
const WAIT = '{wait}';
const RETRYABLE = `Retrying is safe, after ${WAIT}; if it fails again, ask the person to run web3-bi doctor.`;

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
  const isFinal = error.remedy !== undefined || ERRORS[code].advice?.includes(WAIT) === false;
  return {
    text: `${sentence(error.message)} (${code}) ${NOT_CHARGED} ${adviceOf(error)}${reference}`,
    code,
    retryAfterSeconds: isFinal ? null : Number(headers['Retry-After'] ?? RETRY_SECONDS_DEFAULT),
    ...(error.requiredLevel && { requiredLevel: error.requiredLevel }),
  };
}

export const asServiceError = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError ? thrown : new ServiceError('internal', 'Internal error of this server.');

export function adviceOf(error: ServiceError): string {
  const { advice = RETRYABLE } = ERRORS[error.code];
  return error.remedy === undefined
    ? advice.replace(WAIT, waitOf(error))
    : `Retrying will not help: ask the person to ${error.remedy}.`;
}

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
