import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { MODERN_REVISION } from '../../contract/mcp.ts';

/** Server card (SEP-2127): connection details for registries and hosts. */
export function serverCard(address: string, version: string): RequestHandler {
  const card = JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'io.github.web3-bi/web3-bi-mcp',
    title: 'Web3 business intelligence',
    description: 'Search Web3 companies, people, investors, events and funding rounds.',
    version,
    websiteUrl: new URL(address).origin,
    remotes: [
      {
        type: 'streamable-http',
        url: address,
        headers: [
          { name: 'Authorization', description: 'Bearer and an API key (mk_...).', isRequired: false, isSecret: true },
        ],
        supportedProtocolVersions: [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      },
    ],
  });
  return (_request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' });
    response.type('application/mcp-server-card+json').send(card);
  };
}
