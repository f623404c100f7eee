import { createHttpEndpoint } from '../../src/mcp/http/endpoint.ts';
import { createServer } from '../../src/mcp/server.ts';
import { startService } from '../support/service.ts';
import { addFixtures, fixtureServerOptions } from './fixtures.ts';

const NAMES = ['127.0.0.1', 'localhost'];

/** The service with /mcp as in production, with or without the fixtures. */
export async function serveForSuite(
  given: 'fixtures' | 'unmodified',
): Promise<{ url: string; close(): Promise<void> }> {
  const fixtures = given === 'fixtures';
  const endpoint = createHttpEndpoint({
    allowedHosts: NAMES,
    allowedOrigins: NAMES,
    version: '0.0.0',
    log: { error: (thrown) => console.error(thrown) },
    ...(fixtures && {
      create: (deps) =>
        addFixtures(createServer(deps, fixtureServerOptions), {
          tools: () => endpoint.notify.toolsChanged(),
          prompts: () => endpoint.notify.promptsChanged(),
        }),
    }),
  });
  const service = await startService([], { mount: endpoint.mount });
  return {
    url: `${service.url}/mcp`,
    close: async () => {
      await endpoint.close();
      await service.close();
    },
  };
}
