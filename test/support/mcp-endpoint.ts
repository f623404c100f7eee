import { createHttpEndpoint, type McpEndpoint } from '../../src/mcp/http/endpoint.ts';

/** /mcp for a service on loopback. */
export const loopbackEndpoint = (error: (thrown: unknown) => void): McpEndpoint =>
  createHttpEndpoint({ allowedHosts: ['127.0.0.1'], allowedOrigins: [], version: '0', log: { error } });
