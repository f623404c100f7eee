import { createHttpEndpoint, type McpEndpoint } from '../../src/mcp/http/endpoint.ts';
import type { RecordChanges } from '../../src/mcp/record-bus.ts';

/** /mcp for a service on loopback. */
export const loopbackEndpoint = (
  error: (thrown: unknown) => void,
  changes?: RecordChanges,
  recheckMs?: number,
): McpEndpoint =>
  createHttpEndpoint({
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    version: '0',
    log: { error },
    ...(changes && { changes }),
    ...(recheckMs !== undefined && { recheckMs }),
  });
