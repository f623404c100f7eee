import express, { type RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';
import { isTooDeep, TOO_DEEP } from '../../contract/json.ts';

export const BODY_BYTES_MAX = 256 * 1024;
const JSON_TYPES = ['application/json', 'application/merge-patch+json'];

/** Parses a JSON body after authorization. Rejects other media types before reading. */
export const readBody: readonly RequestHandler[] = [
  (request, _response, next) => {
    if (request.is(JSON_TYPES) === false || request.get('content-type') === undefined) {
      throw new ServiceError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
    }
    next();
  },
  express.json({ limit: BODY_BYTES_MAX, type: JSON_TYPES, strict: false }),
  (request, _response, next) => {
    if (isTooDeep(request.body)) throw new ServiceError('malformed_request', `${TOO_DEEP}.`);
    next();
  },
];
