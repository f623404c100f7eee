import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { CHANGE_HEADER } from '../../contract/changes.ts';
import { CSV_METADATA_HEADER } from '../../contract/csv-metadata.ts';
import { type Endpoint, hasCsv, isKeyed, type Operation } from '../../contract/endpoints.ts';
import { bareErrorBody, errorBody } from '../../contract/envelope.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { count } from '../../contract/fields.ts';
import { health } from '../../contract/health.ts';
import { PAYMENT_HEADERS, paymentRequired } from '../../contract/x402.ts';
import { bareTextOf } from '../middleware/error-handler.ts';
import { errorExample, PAYMENT_EXAMPLE, responseExample, UNHEALTHY_EXAMPLE } from './openapi-examples.ts';

/** Header components, by name; all responses refer to them. Values are text on the wire. */
const headersOf = (schema: z.ZodType) => (about: Readonly<Record<string, string>>) =>
  z.object(
    Object.fromEntries(
      Object.entries(about).map(([id, description]) => [id, schema.meta({ header: { id, description } })]),
    ),
  );
const present = headersOf(z.string());
const possible = headersOf(z.string().optional());
const possibleCounts = headersOf(count.optional());

const commonHeaders = z.object({
  // Of every response, even to malformed requests.
  ...present({
    'X-Request-Id': 'Identifier of the request, as in meta.requestId.',
    'Cache-Control': 'no-store; private, no-cache with a key; no-cache on a document.',
    'X-Content-Type-Options': 'Always nosniff.',
  }).shape,
  // For browsers.
  ...possible({
    'Content-Security-Policy': 'Nothing may be loaded or run.',
    'Cross-Origin-Opener-Policy': 'Always same-origin.',
    'Cross-Origin-Resource-Policy': 'Always same-origin.',
    'Referrer-Policy': 'Always no-referrer.',
    'Strict-Transport-Security': 'Present if the public address is HTTPS.',
    'X-Frame-Options': 'Always DENY.',
    'Access-Control-Allow-Origin': '* where no key is needed; with a key, an allowed origin; otherwise absent.',
    'Access-Control-Expose-Headers': 'Headers that such a page may read.',
  }).shape,
});

const ofLimit = 'Absent if the plan has no such limit.';

/** Quota headers of every counted response. */
const quotaHeaders = z.object({
  ...possibleCounts({
    'X-RateLimit-Daily-Limit': `Requests a UTC day. ${ofLimit}`,
    'X-RateLimit-Daily-Remaining': `Requests left today. ${ofLimit}`,
    'X-RateLimit-Monthly-Limit': `Requests a UTC month. ${ofLimit}`,
    'X-RateLimit-Monthly-Remaining': `Requests left this month. ${ofLimit}`,
  }).shape,
  ...headersOf(z.iso.datetime().optional())({
    'X-RateLimit-Reset': `When the binding limit resets: that of the day, or of an exhausted month. ${ofLimit}`,
  }).shape,
  ...possible({
    'RateLimit-Policy': 'The limits as structured fields, such as "day";q=1000;w=86400.',
    RateLimit: 'Remaining requests and seconds until reset, such as "day";r=999;t=1234.',
  }).shape,
});

const varyHeader = possible({ Vary: 'Request headers on which the response depends.' });
const retryHeader = headersOf(count)({ 'Retry-After': 'Seconds to wait, rounded up.' });
const etagHeader = present({ ETag: 'Version of the record, for If-Match and If-None-Match.' });
const documentHeaders = z.object({
  ...varyHeader.shape,
  ETag: z
    .string()
    .meta({ header: { id: 'Document-ETag', description: 'Version of the document, for If-None-Match.' } }),
  ...possible({ 'Content-Encoding': 'br or gzip, if the client accepts it.' }).shape,
});
const locationHeader = present({ Location: 'Address of the new record.' });
const contentLocationHeader = possible({
  'Content-Location': 'Current address of the record, if requested by a former slug.',
});
const changeHeader = possible({
  [CHANGE_HEADER]: 'Position of the change, for X-At-Least. Absent where searches never lag.',
});
const replayHeader = possible({ 'Idempotent-Replayed': 'true if an earlier request made the change.' });
const challengeHeader = present({ 'WWW-Authenticate': 'Bearer, with error="invalid_token" if a key was sent.' });
const paymentRequiredHeader = present({ [PAYMENT_HEADERS.required]: 'The body in base64.' });
const paymentResponseHeader = present({
  [PAYMENT_HEADERS.response]: 'JSON in base64: success, and transaction, network and payer of the payment.',
});
const totalHeader = z.object({
  ...possibleCounts({ 'X-Total-Count': 'Of CSV: records that match.' }).shape,
  ...possible({
    [CSV_METADATA_HEADER]: 'Of CSV: unknown, covered, understood and approximate as JSON has them, in JSON.',
  }).shape,
});

export function responsesOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const names = [...(isKeyed(endpoint) ? KEYED : OPEN), ...(OF_OPERATION[endpoint.operation] ?? [])];
  const byStatus = names.map((name) => [statusOf(name), SPECIAL[endpoint.operation]?.[name] ?? refusals[name]]);
  return {
    [`${endpoint.status}`]: {
      description: 'Success.',
      headers: headersOfSuccess(endpoint),
      content: { ...json(endpoint.response, responseExample(endpoint)), ...(hasCsv(endpoint) && CSV) },
    },
    ...(endpoint.operation === 'detail' ? { 304: notModified } : {}),
    ...(endpoint.operation === 'openapi' ? { 304: sameDocument } : {}),
    ...Object.fromEntries(byStatus),
    ...(endpoint.operation === 'health' ? { 503: unhealthy } : {}),
    ...(endpoint.access === 'payment' ? { 402: paymentNeeded } : {}),
  };
}

const CSV = {
  'text/csv': { schema: z.string().meta({ description: 'A header line, and one line per record.' }) },
};

const json = (schema: z.ZodType, example: unknown) => ({ 'application/json': { schema, example } });
const keyedHeaders = z.object({ ...commonHeaders.shape, ...varyHeader.shape, ...quotaHeaders.shape });

/** Response headers of a success besides the common ones. */
const OWN_HEADERS: Readonly<Partial<Record<Operation, z.ZodObject>>> = {
  openapi: documentHeaders,
  detail: etagHeader.extend(contentLocationHeader.shape),
  create: z.object({ ...etagHeader.shape, ...changeHeader.shape, ...locationHeader.shape, ...replayHeader.shape }),
  replace: etagHeader.extend(changeHeader.shape),
  merge: etagHeader.extend(changeHeader.shape),
  delete: changeHeader,
  restore: z.object({ ...etagHeader.shape, ...changeHeader.shape, ...replayHeader.shape }),
  paidSearch: paymentResponseHeader,
  paidAggregate: paymentResponseHeader,
  paidConnections: paymentResponseHeader,
};

function headersOfSuccess(endpoint: Endpoint): z.ZodObject {
  const own = { ...OWN_HEADERS[endpoint.operation]?.shape, ...(hasCsv(endpoint) && totalHeader.shape) };
  return (isKeyed(endpoint) ? keyedHeaders : commonHeaders).extend(own);
}

const notModified: ZodOpenApiResponseObject = {
  id: 'NotModified',
  description: 'The record has the version in If-None-Match. Not counted.',
  headers: keyedHeaders.extend(etagHeader.shape),
};

const sameDocument: ZodOpenApiResponseObject = {
  description: 'The document has the version in If-None-Match.',
  headers: commonHeaders.extend(documentHeaders.shape),
};

const unhealthy: ZodOpenApiResponseObject = {
  description: 'The core service is unavailable.',
  headers: commonHeaders,
  content: json(health, UNHEALTHY_EXAMPLE),
};

const paymentNeeded: ZodOpenApiResponseObject = {
  description: 'A payment is required, or the given one was refused; nothing was charged.',
  headers: commonHeaders.extend(paymentRequiredHeader.shape),
  content: json(paymentRequired, PAYMENT_EXAMPLE),
};

/** Errors with equal responses; each has one status. */
const CODES = {
  Unreadable: ['malformed_request'],
  Invalid: ['invalid_parameter', 'missing_parameter', 'malformed_request'],
  Unauthenticated: ['unauthenticated', 'invalid_key', 'key_expired', 'key_revoked'],
  Forbidden: ['plan_required', 'address_not_allowed', 'forbidden'],
  NotFound: ['not_found'],
  NotAcceptable: ['not_acceptable'],
  RequestTimeout: ['request_timeout'],
  SlugTaken: ['slug_conflict'],
  NotRestorable: ['slug_conflict', 'not_deleted'],
  Changed: ['precondition_failed'],
  BodyTooLarge: ['payload_too_large'],
  AddressTooLong: ['uri_too_long'],
  NotJson: ['unsupported_media_type'],
  KeyUsedBefore: ['idempotency_mismatch'],
  TooMany: ['daily_limit_exceeded', 'monthly_limit_exceeded', 'burst_limit_exceeded'],
  HeadersTooLarge: ['headers_too_large'],
  Failed: ['internal'],
  Unavailable: ['unavailable'],
  PaymentKnown: ['payment_conflict'],
  TooManyRefused: ['burst_limit_exceeded'],
  Unpaid: ['facilitator_unreachable', 'payment_pending', 'unavailable'],
} as const satisfies Record<string, readonly ErrorCode[]>;
type RefusalName = keyof typeof CODES;

const statusOf = (name: RefusalName): number => ERRORS[CODES[name][0]].status;

const OPEN: readonly RefusalName[] = [
  'Unreadable',
  'NotAcceptable',
  'RequestTimeout',
  'AddressTooLong',
  'HeadersTooLarge',
];
const KEYED: readonly RefusalName[] = [
  ...OPEN,
  'Invalid',
  'Unauthenticated',
  'Forbidden',
  'TooMany',
  'Failed',
  'Unavailable',
];
const OF_BODY: readonly RefusalName[] = ['BodyTooLarge', 'NotJson'];

const PAID: readonly RefusalName[] = ['Invalid', 'PaymentKnown', 'TooManyRefused', 'Failed', 'Unpaid'];

const OF_OPERATION: Readonly<Partial<Record<Operation, readonly RefusalName[]>>> = {
  detail: ['NotFound'],
  related: ['NotFound'],
  sources: ['NotFound'],
  create: ['SlugTaken', 'KeyUsedBefore', ...OF_BODY],
  replace: ['NotFound', 'SlugTaken', 'Changed', ...OF_BODY],
  merge: ['NotFound', 'SlugTaken', 'Changed', ...OF_BODY],
  delete: ['NotFound', 'Changed'],
  restore: ['NotFound', 'NotRestorable', 'Changed'],
  paidSearch: PAID,
  paidAggregate: PAID,
  paidConnections: PAID,
  purchases: ['Invalid', 'TooManyRefused'],
};

/** Response headers of an error besides the common ones. */
const ERROR_HEADERS: Readonly<Partial<Record<RefusalName, z.ZodObject>>> = {
  Unauthenticated: challengeHeader,
  Changed: etagHeader,
  TooMany: retryHeader,
  TooManyRefused: retryHeader,
  Unavailable: retryHeader,
  Unpaid: retryHeader,
};

const refusals = Object.fromEntries(
  (Object.keys(CODES) as RefusalName[]).map((name) => [name, refusal(name, name, errorBody)]),
) as Record<RefusalName, ZodOpenApiResponseObject>;

const failed = refusal('Failed', 'SearchFailed', z.union([bareErrorBody, errorBody]));
const searchFailed = { ...failed, headers: keyedHeaders.extend(retryHeader.partial().shape) };

/** Responses of search without an envelope. */
const SPECIAL: Readonly<Partial<Record<Operation, Partial<Record<RefusalName, ZodOpenApiResponseObject>>>>> = {
  search: {
    Unauthenticated: refusal('Unauthenticated', 'SearchUnauthenticated', bareErrorBody),
    Failed: searchFailed,
  },
  paidSearch: { Failed: searchFailed },
};

function refusal(name: RefusalName, id: string, body: z.ZodType): ZodOpenApiResponseObject {
  return {
    id,
    description: CODES[name].map((code) => `${code}: ${ERRORS[code].about}`).join(' '),
    headers: keyedHeaders.extend(ERROR_HEADERS[name]?.shape ?? {}),
    content: json(body, body === bareErrorBody ? { error: bareTextOf(CODES[name][0]) } : errorExample(CODES[name][0])),
  };
}
