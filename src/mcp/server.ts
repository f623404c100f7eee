import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Client } from '../client/client.ts';
import type { PaidClient } from '../client/paid-client.ts';
import { createReader } from '../contract/reader.ts';
import { askConsent, ConsentNeeded, consentOf, verifyConsent } from './consent.ts';
import { ACCESS_NEEDED, errorText } from './errors.ts';
import type { Log } from './log.ts';
import { publishedSchema } from './published-schema.ts';
import type { AccessKind, Tool, ToolContext } from './tool.ts';
import { tools } from './tools/index.ts';

export interface ServerDeps {
  readonly client: Client;
  readonly access: AccessKind;
  /** What the wallet buys with, with wallet access. */
  readonly paid?: PaidClient | undefined;
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
      requestState: { verify: verifyConsent },
      cacheHints: {
        'server/discover': { ttlMs: CACHE_MS, cacheScope: 'public' },
        'tools/list': { ttlMs: CACHE_MS, cacheScope: 'public' },
      },
    },
  );
  for (const { tool, config, read } of registrations) {
    if (tool.access?.includes(deps.access) === false) continue;
    server.registerTool(tool.name, config, async (args, context) => {
      const { signal } = context.mcpReq;
      return call(tool, () => read(args as Record<string, unknown>), {
        ...deps,
        signal,
        consent: consentOf(server, context),
      });
    });
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
    inputSchema: publishedOnly(tool.published ?? tool.input, 'input'),
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
  deps: ServerDeps & ToolContext,
): Promise<CallToolResult | InputRequiredResult> {
  if (deps.access === 'none' && !tool.isPublic) return refusal(ACCESS_NEEDED);
  try {
    // The tool's own schema has read the arguments; the list of tools has forgotten their type.
    const answer = await tool.run(read() as never, deps);
    const structuredContent = tool.output.parse(answer);
    const _meta = tool.meta?.(structuredContent) ?? {};
    return { content: [{ type: 'text', text: tool.text(structuredContent) }], structuredContent, _meta };
  } catch (thrown) {
    if (thrown instanceof ConsentNeeded) return askConsent(thrown);
    return refusal(errorText(thrown, deps.log));
  }
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });
