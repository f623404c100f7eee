import { PROFILES, type ToolProfile } from '../mcp/server.ts';
import { serveOverStdio } from '../mcp/stdio.ts';
import { type Command, READING_SETTINGS } from './command.ts';
import { storedCoverageGaps } from './coverage-gaps.ts';
import { printToStderr } from './output.ts';
import { appsFolder, packageVersion } from './package.ts';
import { connectService } from './service-connection.ts';

export const command: Command = {
  usage: 'mcp',
  about: 'Serve MCP over stdio, for Claude and other hosts.',
  example: 'web3-bi mcp',
  flags: {
    profile: {
      type: 'string',
      value: 'PROFILE',
      choices: PROFILES,
      default: 'full',
      description: 'Tools to offer: all, or the two (search, fetch) of research hosts.',
    },
  },
  isPlain: true,
  settings: READING_SETTINGS,
  createsDatabase: true,
  run: async ({ settings, flags }) => {
    if (process.stdin.isTTY) printToStderr(TO_A_PERSON);
    const connection = await connectService(settings, 'host');
    // stdout belongs to the protocol.
    const log = {
      error: (thrown: unknown) =>
        printToStderr(JSON.stringify({ level: 'error', error: String(thrown), cause: causeOf(thrown) })),
    };
    const { client, access, paid, changes } = connection;
    const profile = flags['profile'] as ToolProfile;
    const publicUrl = settings.base_url;
    // Coverage of a remote service is unknown before the first request.
    const coverageGaps = access === 'embedded' ? () => storedCoverageGaps(settings) : undefined;
    const apps = appsFolder();
    const version = packageVersion();
    await serveOverStdio({ client, access, paid, changes, log, version, profile, publicUrl, coverageGaps, apps });
    await connection.close();
  },
};

/** A host starts it with a pipe; in a terminal it would wait without a word. */
const TO_A_PERSON =
  'This is an MCP server on stdio, for a host to start: see https://github.com/web3-bi/web3-bi-mcp/blob/main/docs/hosts.md. Ctrl-C ends it.';

const causeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && thrown.cause !== undefined ? String(thrown.cause) : undefined;
