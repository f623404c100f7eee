import { ERRORS, type ErrorCode, ServiceError } from '../contract/errors.ts';
import type { Log } from './log.ts';

const RETRY_SECONDS_DEFAULT = 5;

/** What a caller can do about each kind of failure; a model acts on this text alone. */
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
};

/**
 * A failure as text for a model: what happened, whether money was spent, whether a retry is safe, and what to do.
 * A bug is told as one, without its message, which goes to the log.
 */
export function errorText(thrown: unknown, log: Log): string {
  const error =
    thrown instanceof ServiceError ? thrown : new ServiceError('internal', 'Internal error of this server.');
  const { status } = ERRORS[error.code];
  if (status >= 500) log.error(thrown);
  const retryable = `Retrying is safe, after ${error.headers['Retry-After'] ?? RETRY_SECONDS_DEFAULT} seconds; if it fails again, ask the person to run web3-bi doctor.`;
  const reference = error.requestId === undefined ? '' : ` Request id: ${error.requestId}.`;
  return `${sentence(error.message)} (${error.code}) Nothing was charged. ${ADVICE[error.code] ?? retryable}${reference}`;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export const ACCESS_NEEDED =
  'This tool needs access, and none is set. (unauthenticated) Nothing was charged. Retrying will not help: ask the person to set WEB3_BI_API_KEY to an API key (mk_...), or to leave WEB3_BI_BASE_URL out to use the embedded service. The tool health works without access.';
