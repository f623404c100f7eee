import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fetch, keyAccess } from '../client/access.ts';
import { createApp } from '../service/app.ts';
import { listen } from '../service/listen.ts';
import { createLog } from '../service/logging.ts';
import { newSecret } from '../store/access/secrets.ts';
import type { Store } from '../store/store.ts';
import type { Settings } from './config.ts';
import { INTERNAL_ACCOUNT } from './internal-account.ts';
import { packageVersion } from './package.ts';
import { makeFolder, openConfiguredStore } from './storage.ts';

const HOST = '127.0.0.1';
const NEW_KEY = { account: INTERNAL_ACCOUNT, name: 'embedded', level: 'read', expires_at: null } as const;
const KEY_TRIES_MAX = 3;
/** Its one user needs no protection from itself. */
const LIMITS = { burstPerSecond: 0, trustedProxies: [] } as const;

/** The whole service inside this process, for one user. */
export interface Embedded {
  /** A fetch that reaches it, whatever host the address names, and shows its key. */
  readonly access: Fetch;
  close(): Promise<void>;
}

/** Opens the local database and serves it on a free loopback port. */
export async function startEmbedded(settings: Settings): Promise<Embedded> {
  const store = await openConfiguredStore(settings);
  const key = await localKey(store, settings.state_dir);
  const log = createLog(process.stderr, 'error');
  const clock = (): Date => new Date();
  const server = await listen({ host: HOST, port: 0, log, clock }, (publicUrl) =>
    createApp({ store, clock, log, publicUrl, version: packageVersion(), ...LIMITS }),
  );
  const withKey = keyAccess(key);
  return {
    access: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      return withKey(`${server.url}${pathname}${search}`, init);
    },
    close: async () => {
      await server.close();
      await store.close();
    },
  };
}

/** The key of the embedded service: kept in a file only its owner can read, so that every process uses the same. */
async function localKey(store: Store, folder: string): Promise<string> {
  if ((await store.accounts.find(INTERNAL_ACCOUNT)) === undefined) await createAccount(store);
  makeFolder(folder);
  const file = join(folder, 'embedded-key');
  for (let tries = 0; tries < KEY_TRIES_MAX; tries += 1) {
    const secret = readOrMake(file);
    const known = await store.keys.find(secret);
    if (known === undefined) await store.keys.adopt(NEW_KEY, secret);
    if (known?.revoked_at == null) return secret;
    unlinkSync(file);
  }
  throw new Error('The embedded key was revoked again and again');
}

/** Another process may have made the account since it was looked for. */
async function createAccount(store: Store): Promise<void> {
  try {
    await store.accounts.create(INTERNAL_ACCOUNT, 'enterprise');
  } catch (error) {
    if ((await store.accounts.find(INTERNAL_ACCOUNT)) === undefined) throw error;
  }
}

/** Reads the key file, or makes it whole in one step, so that of two processes at once both read one key. */
function readOrMake(file: string): string {
  const made = `${file}.${process.pid}`;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    writeFileSync(made, newSecret(), { mode: 0o600 });
  }
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(made);
  }
  return readFileSync(file, 'utf8').trim();
}
