import { type Fetch, keyAccess } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Settings } from './config.ts';
import type { Embedded } from './embedded.ts';

export interface Connection {
  readonly client: Client;
  readonly access: 'key' | 'embedded' | 'none';
  close(): Promise<void>;
}

/** An address for the embedded service, whose real one is known only when it has started. */
const EMBEDDED_URL = 'http://embedded.invalid';

/** A client as the settings say: of a named service with its key, or of the embedded service. */
export function connect(settings: Settings): Connection {
  const { base_url, api_key } = settings;
  if (base_url === undefined) return connectEmbedded(settings);
  const access = api_key === undefined ? globalThis.fetch : keyAccess(api_key);
  return {
    client: createClient(base_url, access),
    access: api_key === undefined ? 'none' : 'key',
    close: async () => {},
  };
}

function failToStart(cause: unknown): never {
  throw new ServiceError('unavailable', 'The embedded service could not start.', { cause });
}

/** The embedded service starts with the first call, so that a host's start waits for nothing. */
function connectEmbedded(settings: Settings): Connection {
  let starting: Promise<Embedded> | undefined;
  const start = (): Promise<Embedded> => {
    starting ??= import('./embedded.ts').then(({ startEmbedded }) => startEmbedded(settings)).catch(failToStart);
    starting.catch(() => {
      // The next call tries again: a full disk or a lock may be gone by then.
      starting = undefined;
    });
    return starting;
  };
  const access: Fetch = async (input, init) => (await start()).access(input, init);
  return {
    client: createClient(EMBEDDED_URL, access),
    access: 'embedded',
    close: async () => (await starting?.catch(() => undefined))?.close(),
  };
}
