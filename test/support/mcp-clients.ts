import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

/** The server: a program to start, or a URL. */
export type Place =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string>; readonly cwd?: string }
  | { readonly url: string; readonly headers: Record<string, string> };

/** Common interface of the clients of both SDKs. */
export interface Session {
  readonly version: string | undefined;
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  call(name: string, args: Record<string, unknown>, _meta?: Record<string, unknown>): Promise<any>;
  listTemplates(): Promise<any>;
  read(uri: string): Promise<any>;
  listPrompts(): Promise<any>;
  prompt(name: string, args: Record<string, string>): Promise<any>;
  complete(params: { ref: any; argument: { name: string; value: string }; context?: any }): Promise<any>;
  close(): Promise<void>;
}

const SELF = { name: 'test', version: '0' };

async function openV1(place: Place): Promise<Session> {
  const client = new ClientV1(SELF);
  const transport =
    'url' in place
      ? new HttpV1(new URL(place.url), { requestInit: { headers: place.headers } })
      : new StdioV1({ ...place, stderr: 'pipe' });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as never);
  return { ...methodsOf(client), version: LEGACY };
}

const openV2 =
  (mode?: 'auto' | { pin: string }) =>
  async (place: Place): Promise<Session> => {
    const client = new ClientV2(SELF, mode === undefined ? {} : { versionNegotiation: { mode } });
    const transport =
      'url' in place
        ? new HttpV2(new URL(place.url), { requestInit: { headers: place.headers } })
        : new StdioV2({ ...place, stderr: 'pipe' });
    await client.connect(transport);
    return { ...methodsOf(client as never), version: client.getNegotiatedProtocolVersion() };
  };

function methodsOf(client: ClientV1): Omit<Session, 'version'> {
  return {
    listTools: () => client.listTools() as never,
    call: (name, args, _meta) => client.callTool({ name, arguments: args, ...(_meta && { _meta }) }),
    listTemplates: () => client.listResourceTemplates(),
    read: (uri) => client.readResource({ uri }),
    listPrompts: () => client.listPrompts(),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (params) => client.complete(params as never),
    close: () => client.close(),
  };
}

/** Clients of both SDKs and both protocol generations. */
export const clients = [
  { client: 'the v1 client', open: openV1, version: LEGACY },
  { client: 'the v2 client', open: openV2(), version: LEGACY },
  { client: 'the v2 client that negotiates', open: openV2('auto'), version: MODERN },
  { client: 'the v2 client of the newest revision', open: openV2({ pin: MODERN }), version: MODERN },
];

/** A session of a current host: it requests the newest revision and accepts the previous one. A program is started twice. */
export const openSession = openV2('auto');
/** A session of a host that asks for no revision, and so starts a program once in all. */
export const openPlain = openV2();
