import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';

const ADDRESS_LENGTH_MAX = 8 * 1024;

export const isLongAddress = (address: string): boolean => address.length > ADDRESS_LENGTH_MAX;

export const addressTooLong = (): ServiceError =>
  new ServiceError('uri_too_long', `The address is longer than ${ADDRESS_LENGTH_MAX} characters; shorten the query.`);

/** Refuses what Node reads, but HTTP does not allow, and addresses that are too long. */
export const checkRequestLine: RequestHandler = (request, _response, next) => {
  if (isLongAddress(request.url)) throw addressTooLong();
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new ServiceError('malformed_request', 'The request has no Host header; add one.');
  }
  next();
};
