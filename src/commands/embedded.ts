import type { Access } from '../client/access.ts';
import { createChains } from '../service/endpoint-chains.ts';
import { createLocalAccess, createLocalUsage, LOCAL_KEY } from '../service/local-access.ts';
import { createLog } from '../service/logging.ts';
import { createGuards } from '../service/middleware/guards.ts';
import { newRequestId } from '../service/middleware/request-id.ts';
import type { Settings } from './config.ts';
import { analyticsWorkerFile, openConfiguredStore } from './configured-store.ts';
import { logDestination } from './log-lines.ts';
import { packageVersion } from './package.ts';
import type { Use } from './service-connection.ts';

/** A single local user needs no rate limit; the URL is a placeholder, because nothing listens. */
const LOCAL = { publicUrl: 'http://embedded.invalid', burstPerSecond: 0, trustedProxies: [] } as const;

/** Opens the local database. Does not listen and needs no key: other users of the machine could reach a port. */
export async function startEmbedded(settings: Settings, use: Use) {
  // Starting a thread takes longer than what a command computes in it; other calls of a host go on beside it.
  const store = await openConfiguredStore(
    settings,
    use === 'host' ? { analyticsWorker: analyticsWorkerFile() } : undefined,
  );
  const log = createLog(logDestination(), 'error');
  const clock = (): Date => new Date();
  const uncounted = { ...store, usage: createLocalUsage(clock) };
  const deps = { store: uncounted, clock, log, version: packageVersion(), ...LOCAL };
  const local = createLocalAccess(createChains(deps, createGuards(deps)), deps);
  const access: Access = (url, request) =>
    local({ requestGroup: { key: LOCAL_KEY }, requestId: newRequestId() })(url, request);
  return { access, changes: store.audit.changedAfter, close: () => store.close() };
}
