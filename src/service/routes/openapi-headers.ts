import * as z from 'zod';
import { CHANGE_HEADER } from '../../contract/changes.ts';
import { CSV_ABOUT } from '../../contract/csv-about.ts';
import { count } from '../../contract/fields.ts';
import { PAYMENT_HEADERS } from '../../contract/x402.ts';

/** A header component, referenced by all responses. Values are text on the wire. */
const header = <Schema extends z.ZodType>(schema: Schema, id: string, description: string) =>
  schema.meta({ header: { id, description } });

const text = (id: string, description: string) => header(z.string(), id, description);
const maybe = (id: string, description: string) => header(z.string().optional(), id, description);
const maybeCount = (id: string, description: string) => header(count.optional(), id, description);

/** Headers of every response, even to malformed requests. */
const always = z.object({
  'X-Request-Id': text('X-Request-Id', 'Identifier of the request, as in meta.requestId.'),
  'Cache-Control': text('Cache-Control', 'no-store; private, no-cache with a key; no-cache on a document.'),
  'X-Content-Type-Options': text('X-Content-Type-Options', 'Always nosniff.'),
});

/** Browser security headers. */
const browser = z.object({
  'Content-Security-Policy': maybe('Content-Security-Policy', 'Nothing may be loaded or run.'),
  'Cross-Origin-Opener-Policy': maybe('Cross-Origin-Opener-Policy', 'Always same-origin.'),
  'Cross-Origin-Resource-Policy': maybe('Cross-Origin-Resource-Policy', 'Always same-origin.'),
  'Referrer-Policy': maybe('Referrer-Policy', 'Always no-referrer.'),
  'Strict-Transport-Security': maybe('Strict-Transport-Security', 'There when the public address is HTTPS.'),
  'X-Frame-Options': maybe('X-Frame-Options', 'Always DENY.'),
});

/** CORS headers. */
const pages = z.object({
  'Access-Control-Allow-Origin': maybe(
    'Access-Control-Allow-Origin',
    '* where no key is needed; with a key, an allowed origin; otherwise absent.',
  ),
  'Access-Control-Expose-Headers': maybe('Access-Control-Expose-Headers', 'Headers that such a page may read.'),
});

export const commonHeaders = z.object({ ...always.shape, ...browser.shape, ...pages.shape });

const ofLimit = 'Left out when the plan has no such limit.';

/** Quota headers of every counted response. */
export const quotaHeaders = z.object({
  'X-RateLimit-Daily-Limit': maybeCount('X-RateLimit-Daily-Limit', `Requests a UTC day. ${ofLimit}`),
  'X-RateLimit-Daily-Remaining': maybeCount('X-RateLimit-Daily-Remaining', `Requests left today. ${ofLimit}`),
  'X-RateLimit-Monthly-Limit': maybeCount('X-RateLimit-Monthly-Limit', `Requests a UTC month. ${ofLimit}`),
  'X-RateLimit-Monthly-Remaining': maybeCount('X-RateLimit-Monthly-Remaining', `Requests left this month. ${ofLimit}`),
  'X-RateLimit-Reset': header(
    z.iso.datetime().optional(),
    'X-RateLimit-Reset',
    `When the binding limit resets: that of the day, or of an exhausted month. ${ofLimit}`,
  ),
  'RateLimit-Policy': maybe('RateLimit-Policy', 'The limits as structured fields, such as "day";q=1000;w=86400.'),
  RateLimit: maybe('RateLimit', 'Remaining requests and seconds until reset, such as "day";r=999;t=1234.'),
});

export const varyHeader = z.object({ Vary: maybe('Vary', 'Request headers on which the response depends.') });
export const retryHeader = z.object({ 'Retry-After': header(count, 'Retry-After', 'Seconds to wait, rounded up.') });
export const etagHeader = z.object({ ETag: text('ETag', 'Version of the record, for If-Match and If-None-Match.') });
export const documentHeaders = varyHeader.extend({
  ETag: text('Document-ETag', 'Version of the document, for If-None-Match.'),
  'Content-Encoding': maybe('Content-Encoding', 'br or gzip, when the client takes one of them.'),
});
export const locationHeader = z.object({ Location: text('Location', 'Address of the new record.') });
export const contentLocationHeader = z.object({
  'Content-Location': maybe('Content-Location', 'Current address of the record, if requested by a former slug.'),
});
export const changeHeader = z.object({
  [CHANGE_HEADER]: maybe(
    CHANGE_HEADER,
    'Position of the change, for X-At-Least. Left out where searches never lie behind.',
  ),
});
export const replayHeader = z.object({
  'Idempotent-Replayed': maybe('Idempotent-Replayed', 'true if an earlier request made the change.'),
});
export const challengeHeader = z.object({
  'WWW-Authenticate': text('WWW-Authenticate', 'Bearer, with error="invalid_token" if a key was sent.'),
});
export const paymentRequiredHeader = z.object({
  [PAYMENT_HEADERS.required]: text(PAYMENT_HEADERS.required, 'The body once more, in base64.'),
});
export const paymentResponseHeader = z.object({
  [PAYMENT_HEADERS.response]: text(
    PAYMENT_HEADERS.response,
    'JSON in base64: success, and transaction, network and payer of the payment.',
  ),
});

export const totalHeader = z.object({
  'X-Total-Count': maybeCount('X-Total-Count', 'Of CSV: records that match.'),
  [CSV_ABOUT]: maybe(CSV_ABOUT, 'Of CSV: unknown, covered, understood and approximate as JSON has them, in JSON.'),
});
