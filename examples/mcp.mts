/**
 * An MCP client: starts the server as a host does, and calls two tools. In a checkout, after `npm ci`, run `node examples/mcp.mts` in
 * the root, where npx finds the package itself; elsewhere it needs `npm install @modelcontextprotocol/client`.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const client = new Client({ name: 'example', version: '1.0.0' });
const env = process.env as Record<string, string>;
await client.connect(new StdioClientTransport({ command: 'npx', args: ['-y', 'web3-bi-mcp', 'mcp'], env }));

const { tools } = await client.listTools();
console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`);

const calls = [
  { name: 'search', arguments: { query: 'series A rounds led by paradigm in 2021', limit: 2 } },
  { name: 'connect', arguments: { from: 'people/hayden-adams', to: 'investors/variant', limit: 1 } },
];
for (const call of calls) {
  // `content` is the answer as text for a model; `structuredContent` has the same for a program.
  const { content } = await client.callTool(call);
  for (const part of content) if (part.type === 'text') console.log(part.text);
}
await client.close();
