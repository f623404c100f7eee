import { createConnection, createServer, type Socket } from 'node:net';

const SERVERS_MAX = 2;

/** A server connection with its start-up messages. */
interface Server {
  readonly socket: Socket;
  readonly greeting: Buffer;
  /** Receives the server's messages for the current client. */
  heard: (type: string, message: Buffer) => void;
}

/**
 * A pooler as PgBouncer is with pool_mode = transaction and ignored startup parameters: clients share two connections to the
 * server, and each transaction of a client has any of them.
 */
export async function startTransactionPooler(url: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(url);
  const idle: Server[] = [];
  const waiting: ((server: Server) => void)[] = [];
  const sockets = new Set<Socket>();
  let made = 0;
  const give = (server: Server): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(server);
    else next(server);
  };
  const take = async (): Promise<Server> => idle.pop() ?? new Promise((resolve) => waiting.push(resolve));
  const connect = (startup: Buffer): Promise<Server> =>
    new Promise((resolve) => {
      made += 1;
      const socket = createConnection(Number(port), hostname).on('error', () => {});
      sockets.add(socket);
      const greeting: Buffer[] = [];
      const server = { socket, greeting: Buffer.alloc(0), heard: (_type: string, _message: Buffer): void => {} };
      server.heard = (type, message) => {
        greeting.push(message);
        if (type === 'Z') resolve(Object.assign(server, { greeting: Buffer.concat(greeting) }));
      };
      eachMessage(socket, (type, message) => server.heard(type, message));
      socket.write(startup);
    });
  const serve = (client: Socket): void => {
    let turn: Promise<Server> | undefined;
    let unanswered = 0;
    const begin = async (): Promise<Server> => {
      const server = await take();
      server.heard = (type, message) => {
        client.write(message);
        if (type !== 'Z') return;
        unanswered -= 1;
        // The transaction has ended, so the connection is released.
        if (unanswered > 0 || message.at(-1) !== 'I'.charCodeAt(0)) return;
        turn = undefined;
        give(server);
      };
      return server;
    };
    client.once('data', async (startup) => {
      const server = made < SERVERS_MAX ? await connect(startup as Buffer) : await take();
      client.write(server.greeting);
      give(server);
      eachMessage(client, async (type, message) => {
        if (type === 'X') return;
        if (type === 'Q' || type === 'S') unanswered += 1;
        turn ??= begin();
        (await turn).socket.write(message);
      });
    });
  };
  const listener = createServer((client) => {
    sockets.add(client.on('error', () => {}));
    serve(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port: own } = listener.address() as { port: number };
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

/** Each message of PostgreSQL's protocol on a connection: a letter, the length of the rest, and the rest. */
function eachMessage(socket: Socket, heard: (type: string, message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      heard(String.fromCharCode(message[0] as number), message);
    }
  });
}
