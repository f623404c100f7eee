import { ERRORS, type ErrorCode, exampleError, TEXT } from '../../contract/errors.ts';
import { bareTextOf, errorJson } from '../../service/middleware/error-handler.ts';
import { META } from '../../service/routes/openapi-examples.ts';
import { Badge, Copyable, Link, namedRow, PageHead, Table, type Tone, WhereSold } from '../components.tsx';
import type { DocProps } from './doc-page.tsx';

/** Errors that paying callers never receive. */
const WITHOUT_PLAN: readonly ErrorCode[] = ['plan_required', 'daily_limit_exceeded', 'monthly_limit_exceeded'];

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : 'warn');

export function ErrorList() {
  return (
    <div class="doc">
      <PageHead
        title="Errors"
        lead="An error has a code that stays the same, a text for people, and a link to its page here; two of the search endpoint have the text only."
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
        <code>{JSON.stringify({ error: TEXT.searchUnauthenticated })}</code>, and a failed search{' '}
        <code>{JSON.stringify({ error: TEXT.searchFailed })}</code>.
      </p>
    </div>
  );
}

export function ErrorPage({ code, url, keyRemedy }: DocProps & { code: ErrorCode }) {
  const { status, about, remedy } = ERRORS[code];
  const sent = exampleError(code);
  const bareText = bareTextOf(code);
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
      {sent === undefined ? null : (
        <>
          <h2>Example</h2>
          <Copyable
            id="body"
            label="body"
            text={indented(
              errorJson(sent, META, {
                docsUrl: `${url}/docs/errors/`,
                ...(status === 401 && { remedy: keyRemedy }),
              }),
            )}
          />
        </>
      )}
      {bareText === undefined ? null : (
        <>
          <p>
            The search endpoint, <code>/api/v1/search</code>, follows its specification and sends only:
          </p>
          <Copyable id="bare" label="body of a search" text={indented(JSON.stringify({ error: bareText }))} />
        </>
      )}
    </div>
  );
}

const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);
