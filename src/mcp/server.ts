import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Client } from '../client/client.ts';
import { createReader } from '../contract/reader.ts';
import { ACCESS_NEEDED, errorText } from './errors.ts';
import type { Log } from './log.ts';
import { publishedSchema } from './published-schema.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

/** How the tools reach the service; `none` when a service is named but no credential is. */
export type AccessKind = 'key' | 'embedded' | 'none';

export interface ServerDeps {
  readonly client: Client;
  readonly access: AccessKind;
  readonly log: Log;
  readonly version: string;
}

const CACHE_MS = 300_000;
const INSTRUCTIONS =
  'Web3 business intelligence: companies, people, investors, events. Call search first; then get_entity for one record. Unknown facts are absent or null; never fill them in.';

/** Makes the MCP server, the same for every transport and protocol era. Without side effects: it may be called twice. */
export function createServer(deps: ServerDeps): McpServer {
  const server = new McpServer(
    { name: 'web3-bi', title: 'Web3 business intelligence', version: deps.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false } },
      cacheHints: {
        'server/discover': { ttlMs: CACHE_MS, cacheScope: 'public' },
        'tools/list': { ttlMs: CACHE_MS, cacheScope: 'public' },
      },
    },
  );
  for (const { tool, config, read } of registrations) {
    server.registerTool(tool.name, config, async (args, context) =>
      call(tool, () => read(args as Record<string, unknown>), { ...deps, signal: context.mcpReq.signal }),
    );
  }
  return server;
}

/** What is registered of each tool, made once: schemas made per call would cost milliseconds each time. */
const registrations = tools.map((tool) => ({
  tool,
  read: createReader(tool.input, 'arguments'),
  config: {
    title: tool.title,
    description: tool.description,
    inputSchema: publishedOnly(tool.input, 'input'),
    outputSchema: publishedOnly(tool.output, 'output'),
    annotations: tool.hints,
  },
}));

/**
 * A schema that is published as JSON Schema and lets every value pass: arguments are read by our own reader, which
 * takes a number given as text and names what it does not know, and answers are made by our own types.
 */
function publishedOnly(schema: z.ZodObject, io: 'input' | 'output'): StandardSchemaWithJSON<unknown, unknown> {
  const published = publishedSchema(schema, io);
  const give = (): Record<string, unknown> => published;
  return {
    '~standard': {
      version: 1,
      vendor: 'web3-bi',
      validate: (value) => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  };
}

async function call(
  tool: Tool,
  read: () => unknown,
  deps: ServerDeps & { signal: AbortSignal },
): Promise<CallToolResult> {
  if (deps.access === 'none' && !tool.isPublic) return refusal(ACCESS_NEEDED);
  try {
    // The tool's own schema has read the arguments; the list of tools has forgotten their type.
    const answer = await tool.run(read() as never, { client: deps.client, signal: deps.signal });
    const structuredContent = tool.output.parse(answer);
    return { content: [{ type: 'text', text: tool.text(structuredContent) }], structuredContent };
  } catch (thrown) {
    return refusal(errorText(thrown, deps.log));
  }
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });
