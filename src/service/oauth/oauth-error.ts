import type { OAuthErrorCode } from '../../contract/oauth.ts';

/** Where the client is told of a refusal, and whether a person may be sent there without being asked. */
interface Redirect {
  readonly to: string;
  readonly isTrusted: boolean;
}

/** An OAuth request that is refused. With a redirect, the client is told; without, only the person or caller may be. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly redirect: Redirect | undefined;

  constructor(code: OAuthErrorCode, message: string, redirect?: Redirect) {
    super(message);
    this.code = code;
    this.redirect = redirect;
  }
}

/** Parameters by name. One that is given twice is refused (RFC 6749, 3.1 and 3.2); an empty one is as one left out. */
export function readParameters(text: string): Readonly<Record<string, string | undefined>> {
  const parameters = new URLSearchParams(text);
  for (const name of parameters.keys()) {
    if (parameters.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name}: give it once`);
  }
  return Object.fromEntries([...parameters].filter(([, value]) => value !== ''));
}
