import * as z from 'zod';
import { count, isoDateTime } from './fields.ts';
import { KEY_LEVELS } from './keys.ts';
import { PLAN_NAMES } from './plans.ts';

const windowOf = (name: string) =>
  z
    .object({
      limit: count.nullable().meta({ description: 'Requests the key may make; null is unlimited.' }),
      used: count.meta({ description: 'Requests counted so far.' }),
      remaining: count.nullable().meta({ description: 'Requests left; null without a limit.' }),
      resets_at: isoDateTime.meta({ description: 'When the count resets, UTC.' }),
    })
    .meta({ description: `The UTC calendar ${name}.` });

export const usage = z.object({
  plan: z.enum(PLAN_NAMES).meta({ description: 'Plan of the account.' }),
  key: z
    .object({
      id: count.meta({ description: 'Number of the key; 0 in embedded mode, which needs none.' }),
      name: z.string().meta({ description: 'Name of the key.' }),
      level: z.enum(KEY_LEVELS).meta({ description: 'Access level.' }),
      display: z.string().meta({ description: 'The key, abbreviated.' }),
      expires_at: isoDateTime.nullable().meta({ description: 'When it expires; null if never.' }),
    })
    .meta({ description: 'The key of the request.' }),
  day: windowOf('day'),
  month: windowOf('month'),
});

export type UsageData = z.output<typeof usage>;
