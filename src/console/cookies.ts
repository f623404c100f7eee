import type { Request, Response } from 'express';

/** A cookie to set; null deletes it. */
export interface Cookie {
  readonly name: 'session' | 'form';
  readonly value: string | null;
}

const NAMES: Readonly<Record<Cookie['name'], string>> = { session: 'web3-bi-session', form: 'web3-bi-form' };
const SESSION_LIFE_SECONDS = 7 * 24 * 3_600;

/** Cookie name; with https, the __Host- prefix prevents other hosts of the domain from setting it. */
const nameOf = (name: Cookie['name'], isSecure: boolean): string => (isSecure ? `__Host-${NAMES[name]}` : NAMES[name]);

export function readCookie(request: Request, name: Cookie['name'], isSecure: boolean): string | undefined {
  const wanted = nameOf(name, isSecure);
  for (const pair of (request.get('cookie') ?? '').split(';')) {
    const split = pair.indexOf('=');
    if (split > 0 && pair.slice(0, split).trim() === wanted) return pair.slice(split + 1).trim();
  }
  return undefined;
}

/** HttpOnly and SameSite: invisible to scripts and not sent with cross-site forms. */
export function setCookie(response: Response, { name, value }: Cookie, isSecure: boolean): void {
  const sameSite = name === 'session' ? 'lax' : 'strict';
  const maxAge = name === 'session' ? { maxAge: SESSION_LIFE_SECONDS * 1_000 } : {};
  const options = { path: '/', httpOnly: true, secure: isSecure, sameSite } as const;
  if (value === null) response.clearCookie(nameOf(name, isSecure), options);
  else response.cookie(nameOf(name, isSecure), value, { ...options, ...maxAge, encode: String });
}

/** The cookies of a new session; its form token replaces that of the cookie from before. */
export const cookiesOfSession = (token: string): readonly Cookie[] => [
  { name: 'session', value: token },
  { name: 'form', value: null },
];
