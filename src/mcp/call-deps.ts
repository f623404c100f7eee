import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallDeps, ServerDeps } from './server.ts';

/** Dependencies of one call: those of the server, with the client of the caller. */
export const depsOf = (deps: ServerDeps, context: ServerContext): CallDeps => ({
  ...deps,
  client: typeof deps.client === 'function' ? deps.client(context) : deps.client,
  ...(typeof deps.paid === 'function' ? deps.paid(context) : { paid: deps.paid }),
  signal: context.mcpReq.signal,
});
