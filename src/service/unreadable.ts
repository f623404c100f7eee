import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import { metaOf } from './call.ts';
import type { ServiceDeps } from './deps.ts';
import { errorJson } from './middleware/errors.ts';
import { newRequestId } from './middleware/request-id.ts';
import { addressTooLong, isLongAddress } from './middleware/request-line.ts';

/** Node's error for bytes that it could not parse as HTTP. */
export interface Unreadable extends Error {
  readonly code?: string;
  /** The last packet. */
  readonly rawPacket?: Buffer;
}

interface Refusal extends Pick<ServiceDeps, 'log' | 'clock'> {
  readonly error: Unreadable;
  readonly socket: Socket;
  /** The response in progress on the connection, if any. */
  readonly response: ServerResponse | undefined;
}

/** Answers bytes that are not HTTP with a JSON error, and closes the connection. */
export function answerUnreadable({ error, socket, response, log, clock }: Refusal): void {
  // A response in progress cannot be revoked, and a second one would be parsed as part of it.
  if (!socket.writable || response?.headersSent === true) return void socket.destroy();
  const refusal = refusalOf(error);
  const { status } = ERRORS[refusal.code];
  const requestId = newRequestId();
  log.info({ requestId, status, code: refusal.code }, 'request refused unread');
  const body = errorJson(refusal, metaOf(requestId, clock()));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function refusalOf({ code, rawPacket }: Unreadable): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'The request did not arrive in time; send it again.');
  }
  if (code !== 'HPE_HEADER_OVERFLOW') return new ServiceError('malformed_request', 'The request could not be read.');
  // Only the last packet is available: a URL that spans several counts as headers.
  const [line = ''] = rawPacket?.toString('latin1').split('\r\n', 1) ?? [];
  const address = /^[A-Z]+ (\S*)/.exec(line)?.[1] ?? '';
  if (isLongAddress(address)) return addressTooLong();
  return new ServiceError('headers_too_large', 'The address and headers are too long; shorten the query.');
}
