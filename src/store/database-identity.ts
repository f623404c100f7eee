import { createHash } from 'node:crypto';
import { type SqlProgram, value } from './sql/program.ts';

export function* identityOf(): SqlProgram<string> {
  const pepper = yield* value<string>("SELECT value FROM settings WHERE name = 'key_pepper'");
  return createHash('sha256')
    .update(pepper ?? '')
    .digest('hex')
    .slice(0, 16);
}
