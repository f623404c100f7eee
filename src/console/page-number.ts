import * as z from 'zod';
import { DEPTH_MAX } from '../contract/queries.ts';
import type { Window } from '../store/port/records.ts';

/** Schema of a page number; anything else becomes 1. Not with the components, because views of tools must not load zod. */
export const pageNumber = z.coerce.number().int().min(1).catch(1);

/** The window of a page; an empty one beyond the depth limit. */
export const pageWindow = (page: number, size: number): Window =>
  page * size > DEPTH_MAX ? { offset: 0, limit: 0 } : { offset: (page - 1) * size, limit: size };
