import { request } from 'node:http';
import { OPERATOR } from '../../../src/store/port/audit.ts';
import type { Store } from '../../../src/store/store.ts';

const DAY_MS = 86_400_000;
const BOUNDARY = '----bench-of-forms-------------';
/** A session is that of one browser. */
const AGENT = { 'User-Agent': 'bench' };

/** What a form sends as one request, made before anything is measured. */
export interface Form {
  readonly type: string;
  readonly body: Buffer;
}

/** A browser of a person who may import. */
export interface Person {
  /** A form of several fields, which carries the token of the page that was seen last. */
  form(fields: Readonly<Record<string, string>>): Form;
  post(path: string, form: Form): Promise<number>;
}

export async function joinAs(store: Store, url: string, account: string): Promise<Person> {
  const invitation = { account, email: null, role: 'owner', level: 'write', lifeMs: DAY_MS } as const;
  const { token: link } = await store.invitations.create({ ...invitation, author: OPERATOR });
  const cookies = new Map<string, string>();
  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let token = '';
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers: { ...AGENT, Cookie: cookie() } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    token = /name="form_token" value="([^"]+)"/.exec(await response.text())?.[1] ?? token;
  };
  const path = `/account/invitation/${link}`;
  await ask(path);
  const fields = { form_token: token, email: `bench@${Date.now()}.example`, password: 'correct horse battery' };
  await ask(path, { method: 'POST', body: new URLSearchParams(fields) });
  await ask('/account/import');
  return {
    form: (given) => multipart({ form_token: token, ...given }),
    post: (to, form) => send(url + to, form, cookie()),
  };
}

/** A form as browsers send it with a file. */
export function multipart(fields: Readonly<Record<string, string>>): Form {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body };
}

/** Sends a form without taking the time of others here, and gives the status of the whole answer. */
export function send(url: string, { type, body }: Form, cookie = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...AGENT, 'Content-Type': type, 'Content-Length': body.length, Cookie: cookie };
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
