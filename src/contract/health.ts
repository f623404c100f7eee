import * as z from 'zod';
import { count } from './fields.ts';

const status = z.enum(['operational', 'error']).meta({ description: 'operational or error.' });
const operational = z.boolean().meta({ description: 'Whether it works.' });

export const CHECKED_ENDPOINTS = ['Companies API', 'People API', 'Investors API', 'Search API'] as const;

export const healthQuery = z.looseObject({
  // Any value that is not clearly true selects the quick check; a monitor must never receive a 400.
  detailed: z.boolean().default(false).catch(false).meta({ description: 'Also try the API routes.' }),
});

/** Body of the health check. The last three fields are present in detailed mode only. */
export const health = z.object({
  status,
  timestamp: z.iso.datetime().meta({ description: 'Time of the check, UTC.' }),
  responseTime: count.meta({ description: 'Milliseconds the check took.' }),
  services: z.object({ database: status, api: status }).meta({ description: 'Parts of the core.' }),
  operational: operational.optional(),
  diagnostics: z
    .object({ apiRoutes: z.object({ status, operational }) })
    .optional()
    .meta({ description: 'The API routes together.' }),
  endpoints: z
    .array(z.object({ name: z.string(), status, responseTime: count }))
    .optional()
    .meta({ description: 'Each checked route.' }),
});

export type Health = z.output<typeof health>;
