import type { RequestHandler } from 'express';
import { choiceOf } from '../contract/filters.ts';
import { rawQuery } from '../service/middleware/raw-query.ts';

/** Query parameters. Values of a repeated one, as from checkboxes, are joined as a filter. */
export const queryOf = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rawQuery(url)).map(([name, value]) => [name, choiceOf([value].flat().filter((one) => one !== ''))]),
  );

/** With what other sites and programs mark the links to a page. */
const MARKS = /^(utm_\w+|ref|fbclid|gclid)$/;

/** Names of the filled parameters that a page does not have. */
export const unknownParameters = (
  query: Readonly<Record<string, string>>,
  known: readonly string[],
): readonly string[] => Object.keys(query).filter((name) => !known.includes(name) && !MARKS.test(name));

/** Redirects to the address without the empty parameters that forms send, so that it can be saved and read. */
export const withoutEmpty =
  ({ base }: { readonly base: string }): RequestHandler =>
  (request, response, next) => {
    const [pathname, search = ''] = request.originalUrl.split('?', 2);
    const parameters = [...new URLSearchParams(search)];
    const filled = parameters.filter(([, value]) => value.trim() !== '');
    if (filled.length === parameters.length) return next();
    const query = new URLSearchParams(filled);
    response.redirect(302, `${base}${pathname}${query.size > 0 ? `?${query}` : ''}`);
  };
