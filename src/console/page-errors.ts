import type { ErrorRequestHandler, Response } from 'express';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import type { ServiceDeps } from '../service/deps.ts';
import { RETRY_AFTER_SECONDS } from '../service/middleware/error-handler.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This cannot be read',
  403: 'You may not do this',
  404: 'Nothing is here',
  413: 'That is too large',
  429: 'Too many in a short time',
  503: 'Not at this moment',
};

/** Why it happens and what helps, besides what the message says. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Most often a link was cut off, or a value mistyped. Nothing was changed. Correct the address, or begin with a search.',
  404: 'It may be mistyped, or what was here has another name now, or was removed.',
  500: 'This is a fault of the service, which has noted it. Nothing is known to be wrong with what you asked for.',
  503: 'Most often it is busy with other work. Nothing that was saved is lost.',
};
/** Of a form that may be sent again. */
const FORM_ADVICE =
  'Go back in your browser: what you typed is still there. See whether it was saved, or send it again.';

/** Statuses of pages that may be asked for again after a while. */
const AGAIN = [429, 503];

export interface PageError {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly advice: string | undefined;
  /** Seconds until it works again, where that is known. */
  readonly wait: number | undefined;
  readonly requestId: string;
  readonly path: string;
  /** The address with its parameters, where asking for it again may help. */
  readonly again: string | undefined;
}

/** The words of the address of a record or of a list of it; blank for another address. */
export const nameInPath = (path: string): string => (ADDRESS.exec(path)?.[1] ?? '').replaceAll('-', ' ');
const ADDRESS = new RegExp(`^(?:/account/data)?/(?:${RECORD_TYPES.join('|')})/([a-z0-9-]+)(?:/|$)`);

/** Answers errors with HTML pages, whose complete HTML `draw` renders. */
export function answerPageErrors(
  { log }: Pick<ServiceDeps, 'log'>,
  draw: (error: PageError, response: Response) => string,
): ErrorRequestHandler {
  return (thrown, { baseUrl, path: below, method, originalUrl }, response, next) => {
    const path = baseUrl + below;
    const isOwn = thrown instanceof ServiceError;
    const status = isOwn ? ERRORS[thrown.code].status : Number((thrown as { status?: unknown }).status ?? 500);
    const requestId = String(response.locals['requestId']);
    response.locals['errorCode'] = isOwn ? thrown.code : 'internal';
    if (response.headersSent) return next(thrown);
    if (status >= 500) log[status === 503 ? 'warn' : 'error']({ requestId, err: thrown, path }, 'page failed');
    const title = TITLES[status] ?? 'That did not work';
    const message = isOwn
      ? thrown.message
      : thrown instanceof URIError
        ? 'The address has a % that no two digits follow, or that no letter is written with.'
        : 'The page could not be shown.';
    const again = AGAIN.includes(status) && method === 'GET' ? originalUrl : undefined;
    response.status(status).set('Cache-Control', 'no-store');
    if (status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS);
    if (isOwn) response.set(thrown.headers);
    const wait = Number(response.get('Retry-After') ?? Number.NaN) || undefined;
    // Asks for the page again without a script.
    if (again !== undefined && wait !== undefined) response.set('Refresh', String(wait));
    const ofForm = AGAIN.includes(status) ? FORM_ADVICE : undefined;
    const advice = method === 'GET' ? ADVICE[status] : ofForm;
    const html = draw({ status, title, message, advice, wait, requestId, path, again }, response);
    response.type('html').send(html);
  };
}
