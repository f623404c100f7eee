import { promises } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';

/** MCP Apps (SEP-1865, 2026-01-26): views in which hosts render the results of some tools. Results are complete without them. */

const APPS: Readonly<Record<string, string>> = {
  get_entity: 'Records as cards, with a chart of their rounds.',
  aggregate: 'Figures by group, as a chart and a table.',
  connect: 'Paths between two records.',
};
const MIME_TYPE = 'text/html;profile=mcp-app';

const fileOf = (tool: string): string => tool.replaceAll('_', '-');
const uriOf = (tool: string): string => `ui://${fileOf(tool)}`;

/** The `_meta` of a tool with a view. Empty without one, or if there is no folder of views. */
export function appOf(tool: string, folder: string | undefined): { readonly _meta?: Record<string, unknown> } {
  if (folder === undefined || !Object.hasOwn(APPS, tool)) return {};
  // Some hosts read only the flat key of earlier drafts.
  return { _meta: { ui: { resourceUri: uriOf(tool) }, 'ui/resourceUri': uriOf(tool) } };
}

/** Registers the views as resources. They load nothing external, so they need no permissions. Read when a host requests one. */
export function registerApps(server: McpServer, folder: string): void {
  for (const [tool, description] of Object.entries(APPS)) {
    const config = { title: `View of ${tool}`, description, mimeType: MIME_TYPE };
    server.registerResource(`app-${fileOf(tool)}`, uriOf(tool), config, async () => {
      const text = await promises.readFile(join(folder, `${fileOf(tool)}.html`), 'utf8');
      return { contents: [{ uri: uriOf(tool), mimeType: MIME_TYPE, text, _meta: { ui: { prefersBorder: true } } }] };
    });
  }
}
