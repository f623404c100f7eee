import { connect, type Socket } from 'node:net';
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
  const texts = paths.map((path) => `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const millis: number[] = [];
  let sent = 0;
  const work = async (): Promise<void> => {
    const socket = connect(Number(port), hostname).setNoDelay(true);
    const next = answersOf(socket);
    while (sent < requests) {
      if (pauseMs !== undefined) await pause(pauseMs);
      const startedAt = performance.now();
      socket.write(texts[sent % texts.length] ?? '');
      sent += 1;
      await next();
      millis.push(performance.now() - startedAt);
    }
    socket.destroy();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { answers: millis.length, seconds, millis: millis.sort((one, other) => one - other) };
}

/** Gives a function that waits for the next whole answer; rejects when it is no success or the connection ends. */
function answersOf(socket: Socket): () => Promise<void> {
  let missing = 0;
  let head = '';
  let waiting: { resolve(): void; reject(error: Error): void } | undefined;
  const fail = (reason: string): void => waiting?.reject(new Error(`The server did not answer: ${reason}`));
  socket.on('data', (piece: Buffer) => {
    if (missing === 0) {
      head += piece.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (!head.startsWith('HTTP/1.1 200')) return fail(head.slice(0, 300));
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      missing = end + 4 + length - head.length;
      head = '';
    } else missing -= piece.length;
    if (missing === 0) waiting?.resolve();
  });
  socket.once('error', (error) => fail(error.message));
  socket.once('close', () => fail('the connection was closed'));
  return () =>
    new Promise<void>((resolve, reject) => {
      waiting = { resolve, reject };
    });
}
