import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { argon2id, argon2Verify } from 'hash-wasm';

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;

export interface PasswordRequest {
  readonly id: number;
  readonly password: string;
  readonly hash?: string;
}

export interface PasswordReply {
  readonly id: number;
  readonly result?: string | boolean;
  readonly error?: string;
}

parentPort?.on('message', async ({ id, password, hash }: PasswordRequest) => {
  // Unicode spellings of the same password compare equal.
  const text = password.normalize('NFKC');
  try {
    const result =
      hash === undefined
        ? await argon2id({ ...PARAMETERS, password: text, salt: randomBytes(16), outputType: 'encoded' })
        : await argon2Verify({ password: text, hash });
    parentPort?.postMessage({ id, result } satisfies PasswordReply);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies PasswordReply);
  }
});
