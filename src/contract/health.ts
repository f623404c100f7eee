import * as z from 'zod';
import { count } from './fields.ts';

const status = z.enum(['operational', 'error']).describe('operational or error.');
const operational = z.boolean().describe('Whether it works.');

export const CHECKED_ENDPOINTS = ['Companies API', 'People API', 'Investors API', 'Search API'] as const;

export const healthQuery = z.looseObject({
  // Any value that is not clearly true selects the quick check; a monitor must never receive a 400.
  detailed: z.boolean().default(false).catch(false).describe('Also try the API routes.'),
});

/** Body of the health check. The last three fields are present in detailed mode only. */
export const health = z.object({
  status,
  timestamp: z.iso.datetime().describe('Time of the check, UTC.'),
  responseTime: count.describe('Milliseconds the check took.'),
  services: z.object({ database: status, api: status }).describe('Parts of the core.'),
  operational: operational.optional(),
  diagnostics: z
    .object({ apiRoutes: z.object({ status, operational }) })
    .optional()
    .describe('The API routes together.'),
  endpoints: z
    .array(z.object({ name: z.string(), status, responseTime: count }))
    .optional()
    .describe('Each checked route.'),
});

export type Health = z.output<typeof health>;
