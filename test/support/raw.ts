import { connect, type Socket } from 'node:net';

/** A connection for raw bytes. */
export interface RawConnection {
  readonly socket: Socket;
  /** All received bytes, after the other side has closed. */
  readonly received: Promise<string>;
}

export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: string[] = [];
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => pieces.push(piece));
  const received = new Promise<string>((resolve) => {
    // A reset also ends the connection; bytes received before it count.
    socket.on('error', () => {});
    socket.once('close', () => resolve(pieces.join('')));
  });
  return { socket, received };
}

/** Sends raw bytes and returns the whole response after the other side has closed the connection. */
export function exchangeRaw(url: string, bytes: string): Promise<string> {
  const { socket, received } = openRaw(url);
  socket.write(bytes, 'latin1');
  return received;
}

/** The status and JSON body of a raw answer. */
export function parseRaw(text: string): { status: number; head: string; body: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: body === '' ? undefined : JSON.parse(body),
  };
}
