import { allows, KEY_LEVELS, type KeyLevel } from '../../contract/keys.ts';
import { isLoopback, KNOWN_CLIENTS } from '../../contract/oauth.ts';
import type { ServiceDeps } from '../../service/deps.ts';
import {
  type AuthorizationRequest,
  grantedUrl,
  readAuthorization,
  refusedUrl,
} from '../../service/oauth/authorization.ts';
import type { ClientDocuments } from '../../service/oauth/client-documents.ts';
import { OAuthError } from '../../service/oauth/oauth-error.ts';
import { FactList, Link, Notice, PostForm, Submit } from '../components.tsx';
import { Choices } from '../fields.tsx';
import { faultsOf } from '../form.ts';
import { forMember, leave, type PageAnswer, pageReply, type SignedInRequest } from '../page-route.ts';
import { LEVELS } from './key-pages.tsx';
import { accountHasApi } from './keys.tsx';

const AUTHORIZE_PATH = '/account/authorize';

/** The authorization endpoint (OAuth 2.1, 3.1): a signed-in member grants or denies a client's request. */
export function consentRoutes({ clientDocuments }: ServiceDeps) {
  if (clientDocuments === undefined) return [];
  return [
    // Requires sign-in before it fetches client metadata or redirects (OAuth 2.1, 7.12.2).
    forMember('get', AUTHORIZE_PATH, (pageRequest) => {
      const { search } = pageRequest;
      return withRequest(pageRequest, { search, clientDocuments }, (request) => show(pageRequest, { search, request }));
    }),
    forMember('post', AUTHORIZE_PATH, async (pageRequest) => {
      const search = pageRequest.form.values['request'] ?? '';
      return withRequest(pageRequest, { search, clientDocuments }, (request) =>
        decide(pageRequest, { search, request }),
      );
    }),
  ];
}

interface ConsentRequest {
  /** The query as sent by the client; parsed again on the decision. */
  readonly search: string;
  readonly request: AuthorizationRequest;
}

/** Handles a valid request. Errors are returned to the client if it is known, otherwise shown to the member. */
async function withRequest(
  { deps }: SignedInRequest,
  { search, clientDocuments }: { readonly search: string; readonly clientDocuments: ClientDocuments },
  onValid: (request: AuthorizationRequest) => Promise<PageAnswer>,
) {
  let request: AuthorizationRequest;
  try {
    request = await readAuthorization(search, { ...deps, clientDocuments });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error.redirect?.isTrusted === true) return leave(error.redirect.to);
    return pageReply('Cannot connect', <Refused error={error} />, { status: 400, isAlone: true });
  }
  return onValid(request);
}

/** Grantable levels: bounded by the request and by the member's own level. */
const levelsOf = ({ member }: SignedInRequest, { level }: AuthorizationRequest): readonly KeyLevel[] =>
  KEY_LEVELS.filter((one) => allows(level, one) && allows(member.level, one));

async function decide(pageRequest: SignedInRequest, asked: ConsentRequest) {
  const { deps, form, member, author } = pageRequest;
  const { request } = asked;
  if (form.values['decision'] !== 'allow') {
    const denied = { code: 'access_denied', message: 'The person did not agree.' } as const;
    return leave(refusedUrl(request, denied, deps.publicUrl));
  }
  const level = levelsOf(pageRequest, request).find((one) => one === form.values['level']) ?? KEY_LEVELS[0];
  try {
    const code = await deps.store.oauth.authorize({ ...request, member, level, author });
    return leave(grantedUrl(request, code, deps.publicUrl));
  } catch (error) {
    return show(pageRequest, asked, Object.values(faultsOf(error))[0]);
  }
}

async function show(pageRequest: SignedInRequest, consentRequest: ConsentRequest, fault?: string) {
  const { search, request } = consentRequest;
  const [hasApi, levels] = [await accountHasApi(pageRequest), levelsOf(pageRequest, request)];
  const { account, email } = pageRequest.member;
  const body = <Consent {...{ search, request, levels, hasApi, account, email, fault }} />;
  // A client's redirect URI may redirect the browser further.
  const formTargets = ['https:', new URL(request.redirectUri).protocol];
  return pageReply('Connect', body, { status: fault === undefined ? 200 : 400, isAlone: true, formTargets });
}

interface ConsentProps extends ConsentRequest {
  readonly levels: readonly KeyLevel[];
  readonly hasApi: boolean;
  readonly account: string;
  readonly email: string;
  readonly fault: string | undefined;
}

function Consent({ search, request, levels, hasApi, account, email, fault }: ConsentProps) {
  const { client, clientId, redirectUri, resource } = request;
  const target = new URL(redirectUri);
  return (
    <div class="card narrow">
      <h1>Let {client.name} use your account?</h1>
      {fault === undefined ? null : <Notice tone="bad">{fault}</Notice>}
      <FactList
        facts={[
          ['Program', client.name],
          ['Sends you to', <strong>{target.host}</strong>],
          ['Account', `${account}, as ${email}`],
          ['For', resource],
        ]}
      />
      <Origin clientId={clientId} isLocal={isLoopback(target)} />
      {hasApi ? null : (
        <Notice tone="warn">
          Your account has no plan that includes the API, so the program will be refused.{' '}
          <Link to="/account/plan">See plans</Link>.
        </Notice>
      )}
      <PostForm to={AUTHORIZE_PATH} class="stack">
        <input type="hidden" name="request" value={search} />
        <Choices
          legend="Access level"
          name="level"
          chosen={levels.at(-1) ?? KEY_LEVELS[0]}
          options={levels.map((level) => ({ value: level, ...LEVELS[level] }))}
        />
        <div class="actions">
          <Submit name="decision" value="allow">
            Allow
          </Submit>
          <Submit name="decision" value="deny" look="">
            Deny
          </Submit>
        </div>
      </PostForm>
      <p class="hint">
        Its requests count against the plan of the account. It is listed among your API keys, where you can revoke it at
        any time.
      </p>
      <PostForm to="/account/sign-out">
        <input type="hidden" name="next" value={AUTHORIZE_PATH + search} />
        <Submit look="plain small">Use another account</Submit>
      </PostForm>
    </div>
  );
}

function Origin({ clientId, isLocal }: { clientId: string; isLocal: boolean }) {
  const isDocument = clientId.startsWith('https:');
  return (
    <>
      {isLocal ? (
        <Notice tone="warn">
          It runs on your own computer, where another program could pose as it. Allow it only if you have just started
          it.
        </Notice>
      ) : null}
      {isDocument ? (
        <p class="hint">
          Published by <strong>{new URL(clientId).host}</strong>.
        </p>
      ) : null}
      {isDocument || Object.hasOwn(KNOWN_CLIENTS, clientId) ? null : (
        <Notice tone="info">The program chose this name itself. Make sure that you know the host above.</Notice>
      )}
    </>
  );
}

function Refused({ error: { code, message, redirect: back } }: { error: OAuthError }) {
  return (
    <div class="card narrow">
      <h1>This program cannot be connected</h1>
      <p>{message}</p>
      <p class="muted">
        <code>{code}</code>
      </p>
      {back === undefined ? null : (
        <p>
          <a href={back.to} rel="noreferrer">
            Go back to {new URL(back.to).host}
          </a>
        </p>
      )}
    </div>
  );
}
