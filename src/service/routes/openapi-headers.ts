import * as z from 'zod';
import { count } from '../../contract/fields.ts';
import { PAYMENT_HEADERS } from '../../contract/x402.ts';

const ofLimit = 'Left out when the plan has no such limit.';

/** What every counted answer says of the quota (specification 8.1). Values are text on the wire. */
export const quotaHeaders = z.object({
  'X-RateLimit-Daily-Limit': count.optional().meta({ description: `Requests a UTC day. ${ofLimit}` }),
  'X-RateLimit-Daily-Remaining': count.optional().meta({ description: `Requests left today. ${ofLimit}` }),
  'X-RateLimit-Monthly-Limit': count.optional().meta({ description: `Requests a UTC month. ${ofLimit}` }),
  'X-RateLimit-Monthly-Remaining': count.optional().meta({ description: `Requests left this month. ${ofLimit}` }),
  'X-RateLimit-Reset': z.iso
    .datetime()
    .optional()
    .meta({
      description: `When the limit begins anew that is met first: the day, or a month that is used up. ${ofLimit}`,
    }),
  'RateLimit-Policy': z
    .string()
    .optional()
    .meta({ description: 'The limits as structured fields, such as "day";q=1000;w=86400.' }),
  RateLimit: z
    .string()
    .optional()
    .meta({ description: 'What is left of them and for how many seconds, such as "day";r=999;t=1234.' }),
});

export const retryHeaders = z.object({
  'Retry-After': count.meta({ description: 'Seconds to wait, rounded up.' }),
});

export const etagHeader = z.object({ ETag: z.string().meta({ description: 'Version of the record.' }) });
export const locationHeader = z.object({ Location: z.string().meta({ description: 'Address of the record.' }) });

export const paymentRequiredHeader = z.object({
  [PAYMENT_HEADERS.required]: z.string().meta({ description: 'The body once more, in base64.' }),
});
export const paymentResponseHeader = z.object({
  [PAYMENT_HEADERS.response]: z
    .string()
    .meta({ description: 'JSON in base64: success, and transaction, network and payer of the payment.' }),
});
