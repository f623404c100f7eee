import { existsSync } from 'node:fs';
import { ConfigError, type Settings } from './config.ts';

const SQLITE = 'sqlite:';
export const IN_MEMORY = `${SQLITE}:memory:`;

/** The file of an SQLite database; undefined for any other, also one in memory. */
export const fileOf = (url: string): string | undefined =>
  url.startsWith(SQLITE) && url !== IN_MEMORY ? url.slice(SQLITE.length) : undefined;

/** A database URL as it may be shown: without the password. */
export const shownUrl = (url: string): string => url.replace(/^(\w+:\/\/[^/@]*?):[^/@]*@/, '$1:...@');

/** For what only works on a database that is there: a mistyped path must not become an empty one. */
export function refuseMissingFile(url: string, remedy = CORRECT): void {
  const file = fileOf(url);
  if (file === undefined || existsSync(file)) return;
  throw new ConfigError(`There is no database ${url}`, { remedy });
}

const CORRECT = 'correct --database or WEB3_BI_DATABASE_URL; serve and import make a new one';

/** The same before a command runs. The database of the state folder is made by whatever comes first. */
export function refuseMissingDatabase({ database_url, isDatabaseNamed, base_url }: Settings): void {
  if (isDatabaseNamed && base_url === undefined) refuseMissingFile(database_url);
}
