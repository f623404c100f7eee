import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import type { PasswordReply, PasswordRequest } from './password-worker.ts';

/** A request at the end of a longer queue would wait for more than three seconds. */
const WAITING_MAX = 30;
/** Hash of a random password, for constant-time failure when there is no account. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$aXQgaXMgbm9ib2R5cyBzYQ$Wm9uZSBvZiB5b3VyIGJ1c2luZXNzLCBub2JvZHkhISE';

/** Hashes passwords with argon2id in a worker thread, because a hash takes 100 ms of a core. */
export type Passwords = ReturnType<typeof createPasswords>;

export function createPasswords(workerFile: string) {
  const waiting = new Map<number, { resolve(result: string | boolean): void; reject(error: unknown): void }>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(workerFile);
    started.on('message', ({ id, result, error }: PasswordReply) => {
      const pending = waiting.get(id);
      waiting.delete(id);
      if (result === undefined) pending?.reject(new Error(error));
      else pending?.resolve(result);
    });
    started.on('error', (error) => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    // The worker must not keep the process alive; a listener added later would.
    started.unref();
    return started;
  }

  function request(message: Omit<PasswordRequest, 'id'>): Promise<string | boolean> {
    if (waiting.size >= WAITING_MAX)
      throw new ServiceError('unavailable', 'Too many people are signing in at this moment; try again shortly.');
    worker ??= start();
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker?.postMessage({ id, ...message });
    });
  }

  return {
    hash: async (password: string): Promise<string> => String(await request({ password })),
    /** Whether a password matches a hash. Takes equally long without a hash. */
    verify: async (password: string, hash: string | undefined): Promise<boolean> => {
      // argon2 rejects empty passwords, so a dummy is verified instead, in the same time.
      const isGiven = password !== '';
      const isRight = await request({ password: isGiven ? password : DUMMY_HASH, hash: hash ?? DUMMY_HASH });
      return hash !== undefined && isGiven && isRight === true;
    },
  };
}
