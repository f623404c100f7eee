import type { ErrorRequestHandler } from 'express';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import type { ServiceDeps } from '../service/deps.ts';
import { RETRY_AFTER_SECONDS } from '../service/middleware/error-handler.ts';

const TITLES: Readonly<Record<number, string>> = {
  403: 'You may not do this',
  404: 'Nothing is here',
  413: 'That is too large',
  429: 'Too many at once',
  503: 'Not at this moment',
};

/** Answers errors with HTML pages, whose complete HTML `draw` renders. */
export function answerPageErrors(
  { log }: Pick<ServiceDeps, 'log'>,
  draw: (error: { status: number; title: string; message: string; requestId: string; path: string }) => string,
): ErrorRequestHandler {
  return (thrown, { baseUrl, path: below }, response, next) => {
    const path = baseUrl + below;
    const isOwn = thrown instanceof ServiceError;
    const status = isOwn ? ERRORS[thrown.code].status : Number((thrown as { status?: unknown }).status ?? 500);
    const requestId = String(response.locals['requestId']);
    response.locals['errorCode'] = isOwn ? thrown.code : 'internal';
    if (response.headersSent) return next(thrown);
    if (status >= 500) log[status === 503 ? 'warn' : 'error']({ requestId, err: thrown, path }, 'page failed');
    const title = TITLES[status] ?? 'That did not work';
    const message = isOwn ? thrown.message : 'The page could not be shown.';
    const html = draw({ status, title, message, requestId, path });
    response.status(status).set('Cache-Control', 'no-store');
    if (status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS);
    if (isOwn) response.set(thrown.headers);
    response.type('html').send(html);
  };
}
