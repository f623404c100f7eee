import * as z from 'zod';
import { count, isoDateTime } from './fields.ts';
import { KEY_LEVELS } from './keys.ts';
import { PLAN_NAMES } from './plans.ts';

const windowOf = (name: string) =>
  z
    .object({
      limit: count.nullable().describe('Requests the key may make; null is unlimited.'),
      used: count.describe('Requests counted so far.'),
      remaining: count.nullable().describe('Requests left; null without a limit.'),
      resets_at: isoDateTime.describe('When the count resets, UTC.'),
    })
    .describe(`The UTC calendar ${name}.`);

export const usage = z.object({
  plan: z.enum(PLAN_NAMES).describe('Plan of the account.'),
  key: z
    .object({
      id: count.describe('Number of the key; 0 in embedded mode, which needs none.'),
      name: z.string().describe('Name of the key.'),
      level: z.enum(KEY_LEVELS).describe('Access level.'),
      display: z.string().describe('The key, abbreviated.'),
      expires_at: isoDateTime.nullable().describe('When it expires; null if never.'),
    })
    .describe('The key of the request.'),
  day: windowOf('day'),
  month: windowOf('month'),
});

export type UsageData = z.output<typeof usage>;
