import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** File with the registered secrets; it is not searched itself. */
export const SECRETS_FILE = 'secrets-of-the-tests';

/** Folder of a run whose output is searched for secrets; undefined otherwise. */
export const keptRun = (): string | undefined => process.env['KEPT_RUN'];

/** Registers a private key that must not occur in the output of the run. */
export function noteSecret(secret: string | undefined): void {
  const folder = keptRun();
  if (folder !== undefined && secret !== undefined) appendFileSync(join(folder, SECRETS_FILE), `${secret}\n`);
}

/** Options that keep all output of a program. */
export function teeing(): Record<string, string> {
  const folder = keptRun();
  if (folder === undefined) return {};
  const tee = pathToFileURL(join(import.meta.dirname, '..', 'secrets', 'tee.mjs')).href;
  return { KEPT_RUN: folder, NODE_OPTIONS: `--import ${tee}` };
}
