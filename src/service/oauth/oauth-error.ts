import type { OAuthErrorCode } from '../../contract/oauth.ts';

/** Redirect of an error, and whether it may happen without confirmation. */
interface Redirect {
  readonly to: string;
  readonly isTrusted: boolean;
}

/** A refused OAuth request. With a redirect, the error is returned to the client; otherwise it is shown to the caller. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly redirect: Redirect | undefined;

  constructor(code: OAuthErrorCode, message: string, redirect?: Redirect) {
    super(message);
    this.code = code;
    this.redirect = redirect;
  }
}

/** Parses parameters. Throws if one is repeated (RFC 6749, 3.1 and 3.2); an empty one counts as absent. */
export function readParameters(text: string): Readonly<Record<string, string | undefined>> {
  const parameters = new URLSearchParams(text);
  for (const name of parameters.keys()) {
    if (parameters.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name}: give it once`);
  }
  return Object.fromEntries([...parameters].filter(([, value]) => value !== ''));
}
