import type { VNode } from 'preact';
import { ERRORS, type ErrorCode, type FieldError } from '../../contract/errors.ts';
import { Badge, Copyable, Link, namedRow, PageHead, Table, type Tone, WhereSold } from '../components.tsx';
import type { DocProps } from './doc-page.tsx';

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

/** Faults of the examples of codes that name them. */
const FAULTS: Readonly<Partial<Record<ErrorCode, FieldError>>> = {
  invalid_parameter: { location: 'query.limit', message: 'limit must be at most 100' },
  missing_parameter: { location: 'body.name', message: 'name is required: text' },
  slug_conflict: { location: 'body.slug', message: 'slug: record 7 has it; choose another or change that record' },
};

export function ErrorPage({ code, url }: DocProps & { code: ErrorCode }): VNode {
  const { status, about, remedy } = ERRORS[code];
  const fault = FAULTS[code];
  const body = {
    success: false,
    error: fault?.message ?? about.replace(/ \(a client error.*\)|;.*/, ''),
    code,
    docs: `${url}/docs/errors/${code}`,
    ...(fault && { errors: [fault] }),
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
      <p>{remedy}</p>
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
