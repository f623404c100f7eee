import * as z from 'zod';
import { ERRORS } from './errors.ts';
import { KEY_LEVELS } from './keys.ts';

export const API_VERSION = 'v1';

const meta = z
  .object({
    requestId: z.string().describe('Identifier of the request.'),
    timestamp: z.iso.datetime().describe('Time of the response, UTC.'),
    version: z.literal(API_VERSION).describe('API version.'),
  })
  .meta({ id: 'Meta' });

export type Meta = z.output<typeof meta>;

export const enveloped = <Data extends z.ZodType>(data: Data) =>
  z.object({ success: z.literal(true), data, message: z.string(), meta });

const errorCodes = Object.keys(ERRORS) as [keyof typeof ERRORS];

/** The error body, but for the bare errors of the search endpoint. */
export const errorBody = z
  .object({
    success: z.literal(false),
    error: z.string().describe('What was wrong and what to do.'),
    code: z.enum(errorCodes).describe('The same for a program.'),
    docs: z.string().optional().describe('Page that explains the code.'),
    remedy: z.string().optional().describe('How to get access; with 401.'),
    required_level: z.enum(KEY_LEVELS).optional().describe('Required level of the key; with forbidden.'),
    errors: z
      .array(z.object({ location: z.string(), message: z.string() }))
      .optional()
      .describe('Each error with its location, such as query.limit.'),
    meta,
  })
  .meta({ id: 'Error' });

/** The bare errors of the search endpoint: 401 and a failed backend. */
export const bareErrorBody = z.object({ error: z.string() }).meta({ id: 'BareError' });
