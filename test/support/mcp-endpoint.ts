import { createHttpEndpoint, type McpEndpoint } from '../../src/mcp/http/endpoint.ts';
import type { RecordChanges } from '../../src/mcp/http/record-bus.ts';

/** /mcp for a service on loopback. */
export const loopbackEndpoint = (error: (thrown: unknown) => void, changes?: RecordChanges): McpEndpoint =>
  createHttpEndpoint({
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    version: '0',
    log: { error },
    ...(changes && { changes }),
  });
