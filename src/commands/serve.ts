import cluster from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPages } from '../console/pages.ts';
import { createHttpEndpoint } from '../mcp/http/endpoint.ts';
import { createApp } from '../service/app.ts';
import { createImports, type Imports } from '../service/imports/imports.ts';
import { type CreateListener, type Listening, type ListenOptions, listen } from '../service/listen.ts';
import { createLog, type Log } from '../service/logging.ts';
import { createMetrics } from '../service/metrics.ts';
import { createClientDocuments } from '../service/oauth/client-documents.ts';
import { createPasswords } from '../service/passwords/passwords.ts';
import { createRequestRecorder } from '../service/request-recorder.ts';
import { timedStore } from '../service/timed-store.ts';
import type { Store } from '../store/store.ts';
import { inviteFirstOwner } from './account.ts';
import { announceListening, type Ready } from './banner.ts';
import type { Command } from './command.ts';
import { ConfigError, type Settings, splitList } from './config.ts';
import { type PreparedPaymentGate, prepareConfiguredPaymentGate } from './configured-payment-gate.ts';
import { openServedStore } from './configured-store.ts';
import { watchCoverageGaps } from './coverage-gaps.ts';
import { IN_MEMORY } from './database-url.ts';
import { logDestination } from './log-lines.ts';
import { appsFolder, packageFolder, packageVersion } from './package.ts';
import { programHere } from './started-as.ts';
import { stopSignal } from './stop-signal.ts';
import { checkSchedule, startSchedule } from './sync-schedule.ts';
import { startTracing } from './tracing.ts';
import { gatherMetrics, stopOfWorker, superviseWorkers } from './workers.ts';

export const command: Command = {
  usage: 'serve',
  about:
    'Serve the REST service, pages for people, and MCP over HTTP at /mcp. When it is ready it shows its addresses, to a program as one line of JSON; logs go to stderr.',
  example: 'web3-bi serve --port 4020 --database sqlite:./web3-bi.db',
  isPlain: true,
  settings: [
    'host',
    'port',
    'public-url',
    'database',
    'data',
    'state-dir',
    'network',
    'pay-to',
    'facilitator-url',
    'rpc-url',
    'workers',
  ],
  createsDatabase: true,
  run: async ({ settings }) => {
    await checkSchedule(settings.sync);
    if (settings.workers === 1)
      return serveUntilStopped(settings, {
        stopped: stopSignal(),
        notify: (ready) => announceListening(ready, settings),
      });
    if (cluster.isPrimary) return superviseWorkers(settings);
    try {
      return await serveUntilStopped(settings, {
        stopped: stopOfWorker(),
        notify: (ready) => process.send?.({ event: 'listening', ...ready }),
      });
    } finally {
      // The IPC channel would keep the process alive.
      if (process.connected) process.disconnect();
    }
  },
};

/** Installed first, because a signal may follow the ready event at once. */
interface Supervision {
  readonly stopped: Promise<void>;
  notify(ready: Ready): unknown;
}

async function serveUntilStopped(settings: Settings, { stopped, notify }: Supervision): Promise<undefined> {
  const prepared = await prepareConfiguredPaymentGate(settings);
  const store = await openServedStore(settings);
  const server = await serve(store, settings, prepared);
  notify({ url: server.url, ownerLink: server.ownerLink });
  await stopped;
  await server.close(settings.stop_delay_ms);
  await store.close();
}

/** The first of several workers starts alone and logs what concerns all. */
const isFirstWorker = (): boolean => (cluster.worker?.id ?? 1) === 1;

export async function serve(
  untimed: Store,
  settings: Settings,
  prepared?: PreparedPaymentGate,
): Promise<Listening & Ready> {
  const version = packageVersion();
  const metrics = createMetrics({ version, store: untimed, ...(cluster.isWorker && { gather: gatherMetrics }) });
  const log = createLog(logDestination(), settings.log_level);
  if (isFirstWorker()) await withhold(untimed, settings, log);
  const tracing = await startTracing(process.env, { version, log, metrics });
  const store = timedStore(untimed, { metrics, tracing });
  const clock = (): Date => new Date();
  const recorder = createRequestRecorder(store, log);
  const given = {
    metrics,
    metricsAllow: settings.metrics_allow,
    corsOrigins: splitList(settings.cors_origins ?? 'none'),
    // Others neither have this file nor need to know where it is.
    pages: createPages(join(packageFolder(), 'dist', 'pages'), isLocal(settings) ? programHere() : undefined),
    publicPages: settings.public_pages === 'on' || (settings.public_pages === 'auto' && isLocal(settings)),
    contact: settings.contact,
    passwords: createPasswords(join(packageFolder(), 'dist', 'service', 'passwords', 'password-worker.mjs')),
    clientDocuments: createClientDocuments(),
    ...importsOf(settings),
    recorder,
    ...(tracing && { tracing }),
    version,
    burstPerSecond: settings.burst_per_second,
    trustedProxies: settings.trusted_proxies ?? [],
  };
  const { host, port } = settings;
  const paymentGate = prepared?.({ store, clock, log, metrics, tracing });
  const mcp = createHttpEndpoint({
    ...namesOf(settings),
    version,
    changes: store.audit.changedAfter,
    log: { error: (thrown) => log.error({ err: thrown }, 'MCP call failed') },
    coverageGaps: watchCoverageGaps(store),
    apps: appsFolder(),
  });
  const server = await listening({ host, port, log, clock }, (url, isStopping) =>
    createApp({
      ...given,
      store,
      clock,
      log,
      isStopping,
      publicUrl: settings.public_url ?? url,
      mount: (app, gateway) => mcp.mount(app, gateway, given.publicPages ? gateway.publicUrl : undefined),
      ...(paymentGate && { paymentGate }),
    }),
  );
  const schedule = isFirstWorker() && settings.sync ? startSchedule({ store, settings, log, metrics }) : undefined;
  const isInviting = settings.log_level !== 'silent' && isFirstWorker();
  return {
    url: server.url,
    ownerLink: isInviting ? await inviteFirstOwner(store, settings.public_url ?? server.url) : undefined,
    close: async (noticeMs = 0) => {
      const closed = server.close(noticeMs);
      await schedule?.close();
      // Calls in progress finish first; MCP streams then close.
      await pause(noticeMs);
      await mcp.close();
      await closed;
      await recorder.flush();
      await paymentGate?.close();
      await tracing?.close();
    },
  };
}

/** Removes data that a service must not redistribute. */
async function withhold({ claims }: Store, { sync_redistribute }: Settings, log: Log): Promise<void> {
  const withheld = await claims.withholdRestricted(splitList(sync_redistribute ?? 'none'));
  if (withheld.length > 0) log.info({ withheld }, 'facts of sources that forbid redistribution are omitted');
}

/** Imports in worker threads, except for in-memory databases, which have a single connection. */
function importsOf({ database_url }: Settings): { imports?: Imports } {
  if (database_url === IN_MEMORY) return {};
  return {
    imports: createImports(join(packageFolder(), 'dist', 'service', 'imports', 'import-worker.mjs'), database_url),
  };
}

/** Host names allowed for MCP: those of the settings, or loopback and the service's own. */
function namesOf({ allowed_hosts, allowed_origins, public_url, host }: Settings) {
  const own = [public_url === undefined ? host : new URL(public_url).hostname];
  const listOr = (setting: string | undefined) => (setting === undefined ? [...LOOPBACK, ...own] : splitList(setting));
  return { allowedHosts: listOr(allowed_hosts), allowedOrigins: listOr(allowed_origins) };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine reaches the service: it listens on loopback behind no proxy. */
function isLocal({ host, public_url, trusted_proxies }: Settings): boolean {
  const names = [host, ...(public_url === undefined ? [] : [new URL(public_url).hostname])];
  return trusted_proxies === undefined && names.every((name) => name === '::1' || LOOPBACK.includes(name));
}

async function listening(options: ListenOptions, createListener: CreateListener): Promise<Listening> {
  try {
    return await listen(options, createListener);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `The port ${options.port} of ${options.host} is in use (${code}); --port 0 takes a free one.`
        : `Cannot listen on ${options.host}:${options.port} (${code}); choose another with --host and --port.`,
      { cause },
    );
  }
}
