import type { VNode } from 'preact';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { Badge, Copyable, Link, namedRow, PageHead, Table, type Tone, WhereSold } from '../components.tsx';
import type { DocProps } from './docs.ts';

const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  invalid_parameter:
    'Read errors[]: each has the location of a parameter or field and what it must be. Correct it and send it again.',
  missing_parameter: 'Add the parameter that errors[] names.',
  malformed_request: 'Encode parameters as UTF-8 (encodeURIComponent does), and send well-formed JSON.',
  unauthenticated: 'Send the header Authorization: Bearer mk_... with every request to /api/v1/.',
  invalid_key: 'Check that the whole key was copied. If it is lost, rotate it in your account.',
  key_expired: 'Create a new key in your account; an expiry cannot be changed.',
  key_revoked: 'Use the key that replaced it, or make a new one.',
  plan_required: 'Choose a plan for the account. Keys then work again.',
  address_not_allowed: 'Send requests from an allowed address, or create a key with another list.',
  forbidden: 'Use a key with the level that the operation needs: read, write or delete.',
  not_found: 'Check the path. For a record, search for its name and use the slug of the result.',
  method_not_allowed: 'Use one of the methods in the header Allow.',
  slug_conflict: 'Use another slug, or leave it out to derive one from the name.',
  not_deleted: 'Nothing to do: the record is there.',
  precondition_failed:
    'Read the record again, apply your change to the current version, and send it with the new ETag.',
  not_acceptable: 'Accept application/json.',
  request_timeout: 'Send the request without pauses; check the connection.',
  payload_too_large: 'Send less at once; a single record is far below the limit. Many records go through import.',
  uri_too_long: 'Shorten the query.',
  unsupported_media_type: 'Send Content-Type: application/json, in UTF-8.',
  idempotency_mismatch: 'Use a new Idempotency-Key for a new request; an old one only repeats the same request.',
  burst_limit_exceeded: 'Wait as long as Retry-After says, and spread requests more evenly.',
  daily_limit_exceeded: 'Wait for 00:00 UTC (Retry-After), or use another plan.',
  monthly_limit_exceeded: 'Wait for the 1st of the month (Retry-After), or use another plan.',
  headers_too_large: 'Send fewer or shorter headers.',
  payment_conflict:
    'Sign a new authorization for this request, or send the request that the identifier or signature belongs to.',
  facilitator_unreachable:
    'Send the same request with the same PAYMENT-SIGNATURE again, after Retry-After. Nothing was charged.',
  payment_pending:
    'Send the same request with the same PAYMENT-SIGNATURE again, after Retry-After. Never sign a second payment for it.',
  search_failed: 'Send it again after some seconds. It was not counted.',
  internal: 'Retry; if it persists, report the request id. It was not counted.',
  unavailable: 'Wait as long as Retry-After says, then send it again. It was not counted.',
  budget_exceeded:
    'Client error of the wallet: wait for the next UTC day or session, or let a person raise WEB3_BI_MAX_USD_PER_CALL, _PER_SESSION or _PER_DAY.',
  offer_refused:
    'Client error of the wallet: the offered payment is not for one search; check the service with web3-bi doctor.',
  not_confirmed:
    'Client error of the wallet: let the person consent, in a host that supports it, or raise WEB3_BI_CONFIRM_ABOVE_USD.',
  payment_refused:
    'Client error of the wallet: see the reason in the text; an empty wallet and a wrong clock are the common ones.',
  paid_not_served:
    'Client error of the wallet: call again with the same arguments; the same signature is sent, and not charged again.',
  outcome_unknown: 'Client error of the wallet: call again with the same arguments; it is charged at most once.',
  not_sold:
    'Client error of the wallet: use an API key, which has filters, events, related lists and records by number.',
  unreachable: 'Client error: check the address of the service and the network.',
};

/** Errors that paying callers never receive. */
const WITHOUT_PLAN: readonly ErrorCode[] = ['plan_required', 'daily_limit_exceeded', 'monthly_limit_exceeded'];

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : 'warn');

export function ErrorList(): VNode {
  return (
    <div class="doc">
      <PageHead
        title="Errors"
        lead="Every error has a code that stays the same, a text for people, and a link to its page here."
      />
      <p>
        Decide by <code>code</code> and the HTTP status; the text of <code>error</code> may change.{' '}
        <code>errors[]</code> names each fault with its place. <code>meta.requestId</code> finds the request in your
        request log.
      </p>
      <Table label="Error codes" head={['Code', 'Status', 'Means']}>
        {ERROR_CODES.map((code) =>
          namedRow(
            code,
            <Link to={`/docs/errors/${code}`}>
              <code>{code}</code>
            </Link>,
            <Badge tone={toneOf(ERRORS[code].status)}>{ERRORS[code].status}</Badge>,
            ERRORS[code].about,
          ),
        )}
      </Table>
      <p>
        The search endpoint follows its specification: its 401 is{' '}
        <code>{'{"error":"Invalid or missing API key"}'}</code>, and a failed search{' '}
        <code>{'{"error":"External search service error"}'}</code>.
      </p>
    </div>
  );
}

export function ErrorPage({ code, url }: DocProps & { code: ErrorCode }): VNode {
  const { status, about } = ERRORS[code];
  const body = {
    success: false,
    error: 'What was wrong and the remedy.',
    code,
    docs: `${url}/docs/errors/${code}`,
    ...(about.includes('errors[]')
      ? { errors: [{ location: 'query.limit', message: 'limit must be at most 100' }] }
      : {}),
    meta: { requestId: 'req_0f3c…', timestamp: '2026-11-21T12:00:00.000Z', version: 'v1' },
  };
  return (
    <div class="doc">
      <p class="crumbs">
        <Link to="/docs/errors">Errors</Link>
      </p>
      <PageHead title={code} lead={<Badge tone={toneOf(status)}>{status}</Badge>} />
      <h2>Meaning</h2>
      <p>{about}</p>
      <h2>Remedy</h2>
      <p>{REMEDIES[code]}</p>
      {WITHOUT_PLAN.includes(code) ? (
        <WhereSold>
          <p>
            Or <Link to="/docs/x402">pay per request</Link>, which needs neither a key nor a plan.
          </p>
        </WhereSold>
      ) : null}
      <h2>Example</h2>
      <Copyable id="body" label="body" text={JSON.stringify(body, null, 2)} />
    </div>
  );
}
