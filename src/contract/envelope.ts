import * as z from 'zod';
import { ERRORS } from './errors.ts';
import { KEY_LEVELS } from './keys.ts';

export const API_VERSION = 'v1';

const meta = z
  .object({
    requestId: z.string().meta({ description: 'Identifier of the request.' }),
    timestamp: z.iso.datetime().meta({ description: 'Time of the response, UTC.' }),
    version: z.literal(API_VERSION).meta({ description: 'API version.' }),
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
    error: z.string().meta({ description: 'What was wrong and what to do.' }),
    code: z.enum(errorCodes).meta({ description: 'The same for a program.' }),
    docs: z.string().optional().meta({ description: 'Page that explains the code.' }),
    remedy: z.string().optional().meta({ description: 'How to get access; with 401.' }),
    required_level: z.enum(KEY_LEVELS).optional().meta({ description: 'Required level of the key; with forbidden.' }),
    errors: z
      .array(z.object({ location: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Each error with its location, such as query.limit.' }),
    meta,
  })
  .meta({ id: 'Error' });

/** The bare errors of the search endpoint: 401 and a failed backend. */
export const bareErrorBody = z.object({ error: z.string() }).meta({ id: 'BareError' });
