import { createApp } from '../service/app.ts';
import { type Listening, listen } from '../service/listen.ts';
import { createLog } from '../service/logging.ts';
import type { Store } from '../store/store.ts';
import type { Command } from './command.ts';
import { ConfigError, type Settings } from './config.ts';
import { printJson } from './output.ts';
import { packageVersion } from './package.ts';
import { openConfiguredStore } from './storage.ts';

export const command: Command = {
  usage: 'serve',
  wordsMax: 0,
  about: 'Serve the REST service. Prints one line of JSON when it is ready; logs go to stderr.',
  example: 'web3-bi serve --port 4020 --database sqlite:./web3-bi.db',
  flags: {},
  settings: ['host', 'port', 'public-url', 'database', 'data', 'state-dir'],
  run: async ({ settings }) => {
    const store = await openConfiguredStore(settings);
    const server = await serve(store, settings);
    // Before the line: who reads it may stop us at once.
    const stopped = stopSignal();
    printJson({ event: 'listening', url: server.url });
    await stopped;
    await server.close();
    await store.close();
    return 0;
  },
};

/** Serves the REST service over a store, as the settings say. */
export function serve(store: Store, settings: Settings): Promise<Listening> {
  const log = createLog(process.stderr, 'info');
  const { burst_per_second: burstPerSecond, trusted_proxies: trustedProxies = [] } = settings;
  return listening(settings, (url) => {
    const publicUrl = settings.public_url ?? url;
    const limits = { burstPerSecond, trustedProxies };
    return createApp({ store, clock: () => new Date(), log, publicUrl, version: packageVersion(), ...limits });
  });
}

async function listening({ host, port }: Settings, createListener: Parameters<typeof listen>[2]): Promise<Listening> {
  try {
    return await listen(host, port, createListener);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`Cannot listen on ${host}:${port} (${code}); choose another with --host and --port.`, {
      cause,
    });
  }
}

/** Resolves when a person or a supervisor says stop. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
