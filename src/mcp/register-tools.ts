import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { createLenientReader } from '../contract/reader.ts';
import { accessNeeded, type Told, tellError } from './errors.ts';
import { publishedOnly } from './published-only.ts';
import { publishedSchema } from './published-schema.ts';
import type { ServerDeps } from './server.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

/** Adds every tool to a server. */
export function registerTools(server: McpServer, deps: ServerDeps): void {
  for (const { tool, config, read } of registrations) {
    server.registerTool(tool.name, config, async (args, context) =>
      call(tool, () => read(args as Record<string, unknown>), { ...deps, signal: context.mcpReq.signal }),
    );
  }
}

/** What is registered of each tool, made once: schemas made per call would cost milliseconds each time. */
const registrations = tools.map((tool) => ({
  tool,
  read: createLenientReader(tool.input),
  config: {
    title: tool.title,
    description: tool.description,
    inputSchema: publishedOnly(publishedSchema(tool.input, 'input')),
    outputSchema: publishedOnly(publishedSchema(tool.output, 'output')),
    annotations: tool.hints,
  },
}));

async function call(
  tool: Tool,
  read: () => unknown,
  deps: ServerDeps & { signal: AbortSignal },
): Promise<CallToolResult> {
  if (deps.access === 'none' && !tool.isPublic) return refusal(accessNeeded(deps.way ?? 'stdio'));
  try {
    // The tool's own schema has read the arguments; the list of tools has forgotten their type.
    const answer = await tool.run(read() as never, { client: deps.client, signal: deps.signal });
    const structuredContent = tool.output.parse(answer);
    return { content: [{ type: 'text', text: tool.text(structuredContent) }], structuredContent };
  } catch (thrown) {
    return refusal(tellError(thrown, deps.log));
  }
}

/** The code is in `_meta`, because structured content of an error would have to be of the tool's output schema. */
function refusal({ text, code, retryAfterSeconds }: Told): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'web3-bi/error': { code, retryAfterSeconds } } };
}
