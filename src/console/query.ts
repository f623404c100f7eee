import type { RequestHandler } from 'express';
import * as z from 'zod';
import { choiceOf } from '../contract/filters.ts';
import { DEPTH_MAX } from '../contract/queries.ts';
import { isLinkMark } from '../contract/reader.ts';
import { rawQuery } from '../service/middleware/raw-query.ts';
import type { Window } from '../store/port/records.ts';

/** The parameters of the address of a page. */
export type PageQuery = Readonly<Record<string, string>>;

/** Query parameters. Values of a repeated one, as from checkboxes, are joined as a filter. */
export const queryOf = (url: string): PageQuery =>
  Object.fromEntries(
    Object.entries(rawQuery(url)).map(([name, value]) => [name, choiceOf([value].flat().filter((one) => one !== ''))]),
  );

/** Names of the filled parameters that a page does not have. */
export const unknownParameters = (query: PageQuery, known: readonly string[]): readonly string[] =>
  Object.keys(query).filter((name) => !known.includes(name) && !isLinkMark(name));

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

/** Schema of a page number; anything else becomes 1. Not with the components, because views of tools must not load zod. */
export const pageNumber = z.coerce.number().int().min(1).catch(1);

/** The window of a page; an empty one beyond the depth limit. */
export const pageWindow = (page: number, size: number): Window =>
  page * size > DEPTH_MAX ? { offset: 0, limit: 0 } : { offset: (page - 1) * size, limit: size };
