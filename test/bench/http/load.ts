import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What a server did under load. */
export interface Load {
  readonly answers: number;
  readonly seconds: number;
  /** Of each request, sorted. */
  readonly millis: readonly number[];
}

interface Asking {
  readonly url: string;
  /** Asked one after the other, and from the beginning again. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly requests: number;
  /** Before each request of a connection; by default none. */
  readonly pauseMs?: number;
}

/**
 * Sends requests on connections that stay open, on each the next when the last is answered. It does as little as it can,
 * because it shares the machine with what it measures: answers are told apart by their length, and only the status is read.
 */
export async function load({ url, paths, headers, connections, requests, pauseMs }: Asking): Promise<Load> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const asked = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
  const millis: number[] = [];
  let sent = 0;
  const work = async (): Promise<void> => {
    const connection = open(Number(port), hostname);
    while (sent < requests) {
      if (pauseMs !== undefined) await pause(pauseMs);
      const startedAt = performance.now();
      const request = asked[sent % asked.length] as Buffer;
      sent += 1;
      await connection.ask(request);
      millis.push(performance.now() - startedAt);
    }
    connection.close();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { answers: millis.length, seconds, millis: millis.sort((one, other) => one - other) };
}

/** What one read takes at most; longer answers come in several. */
const READ_BYTES = 65_536;
const HEAD_ENDS = '\r\n\r\n';
const SUCCESS = Buffer.from('HTTP/1.1 200');

interface Connection {
  /** Sends a request, and settles when its whole answer is there; rejects when it is no success or the connection ends. */
  ask(request: Buffer): Promise<void>;
  close(): void;
}

/** Reads into one piece of memory, and of an answer only its head. */
function open(port: number, host: string): Connection {
  let missing = 0;
  let waiting: { resolve(): void; reject(error: Error): void } | undefined;
  const fail = (reason: string): void => waiting?.reject(new Error(`The server did not answer: ${reason}`));
  const read = (bytes: number, piece: Uint8Array): boolean => {
    if (missing === 0) {
      const head = piece as Buffer;
      const end = head.indexOf(HEAD_ENDS);
      const text = head.toString('latin1', 0, end === -1 || end > bytes ? bytes : end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      // A head is sent in one piece; one that is not is a failure as well.
      if (!SUCCESS.equals(head.subarray(0, SUCCESS.length)) || length === undefined || text.length === bytes) {
        fail(text.slice(0, 300));
        return true;
      }
      missing = end + HEAD_ENDS.length + Number(length) - bytes;
    } else missing -= bytes;
    if (missing === 0) waiting?.resolve();
    return true;
  };
  const socket = connect({ port, host, onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: read } });
  socket.setNoDelay(true);
  socket.once('error', (error) => fail(error.message));
  socket.once('close', () => fail('the connection was closed'));
  return {
    ask: (request) =>
      new Promise<void>((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
