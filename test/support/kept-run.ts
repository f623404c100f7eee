import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where a run that is searched for secrets keeps what is not a place to find them in. */
export const SECRETS_FILE = 'secrets-of-the-tests';

/** The folder of such a run; undefined in every other. */
export const keptRun = (): string | undefined => process.env['KEPT_RUN'];

/** Lets a run that is searched know a private key that must be found nowhere. */
export function noteSecret(secret: string | undefined): void {
  const folder = keptRun();
  if (folder !== undefined && secret !== undefined) appendFileSync(join(folder, SECRETS_FILE), `${secret}\n`);
}

/** What a program needs so that all that it writes is kept. */
export function teeing(): Record<string, string> {
  const folder = keptRun();
  if (folder === undefined) return {};
  const tee = pathToFileURL(join(import.meta.dirname, '..', 'secrets', 'tee.mjs')).href;
  return { KEPT_RUN: folder, NODE_OPTIONS: `--import ${tee}` };
}
