import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ADDRESS_LENGTH_MAX, SENT, ServiceError } from '../../contract/errors.ts';

const ABSOLUTE = /^https?:\/\/[^/?#]+/i;

export const isLongAddress = (address: string): boolean => address.length > ADDRESS_LENGTH_MAX;

export const addressTooLong = (): ServiceError => new ServiceError('uri_too_long', SENT.uri_too_long);

const unreadable = new WeakSet<IncomingMessage>();

/** Makes the request target a path. The host of an absolute one overrides the Host header (RFC 9112, 3.2.2). */
export function readTarget(request: IncomingMessage): void {
  const { url = '/', headers } = request;
  if (url.startsWith('/') || url === '*') return;
  const start = ABSOLUTE.exec(url)?.[0];
  if (start === undefined || !URL.canParse(url)) {
    unreadable.add(request);
    request.url = '/';
    return;
  }
  const path = url.slice(start.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  if (headers.host !== undefined) headers.host = new URL(url).host;
}

const WITH_PORT = /\[([^[\],]*)\](?::\d+)?|(\d{1,3}(?:\.\d{1,3}){3}):\d+/g;

/** Removes the ports that some proxies add to forwarded addresses, so that limits and rules apply to the address. */
export function readForwarded({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.replace(WITH_PORT, '$1$2');
}

/** Whether an element of the raw headers, which alternate with their values, is the name of a Host header. */
const isHost = (text: string, index: number): boolean =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

/** Rejects requests that Node accepts but HTTP forbids, and overlong URLs. */
export const checkRequestLine: RequestHandler = (request, _response, next) => {
  if (unreadable.has(request)) {
    throw new ServiceError('malformed_request', 'The address could not be read; send its path, or http://host/path.');
  }
  if (isLongAddress(request.url)) throw addressTooLong();
  if (request.httpVersion === '1.1' && request.headers.host === undefined)
    throw new ServiceError('malformed_request', 'The request has no Host header; add one.');
  // Node takes the first, and a proxy may have checked the last.
  if (request.rawHeaders.filter(isHost).length > 1)
    throw new ServiceError('malformed_request', 'The request has two Host headers; send one.');
  next();
};
