import { serveOverStdio } from '../mcp/stdio.ts';
import type { Command } from './command.ts';
import { connect } from './connect.ts';
import { tell } from './output.ts';
import { packageVersion } from './package.ts';

export const command: Command = {
  usage: 'mcp',
  positionalsMax: 0,
  about: 'Serve MCP over stdio: what Claude and other hosts run.',
  example: 'web3-bi mcp',
  flags: {},
  settings: ['base-url', 'database', 'data', 'state-dir'],
  run: async ({ settings }) => {
    const connection = await connect(settings);
    // stdout belongs to the protocol.
    const log = {
      error: (thrown: unknown) =>
        tell(JSON.stringify({ level: 'error', error: String(thrown), cause: causeOf(thrown) })),
    };
    const { client, access, paid } = connection;
    await serveOverStdio({ client, access, paid, log, version: packageVersion() });
    await connection.close();
    return 0;
  },
};

function causeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && thrown.cause !== undefined ? String(thrown.cause) : undefined;
}
