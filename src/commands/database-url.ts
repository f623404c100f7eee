import { existsSync } from 'node:fs';
import { ConfigError, type Settings } from './config.ts';

const SQLITE = 'sqlite:';
export const IN_MEMORY = `${SQLITE}:memory:`;

/** The file of an SQLite URL; undefined for other engines and in-memory databases. */
export const fileOf = (url: string): string | undefined =>
  url.startsWith(SQLITE) && url !== IN_MEMORY ? url.slice(SQLITE.length) : undefined;

/** A database URL without its password, which may contain @ and / unescaped, or be a parameter. */
export const shownUrl = (url: string): string =>
  URL.canParse(url) || url.includes('@')
    ? url.replace(/^(postgres\w*:\/\/[^:@]*):.*@/, '$1:...@').replace(/([?&]\w*password=)[^&]*/gi, '$1...')
    : url.replace(/:\/\/.*/, '://...');

/** Throws if the database file does not exist, so that a mistyped path does not create an empty one. */
export function refuseMissingFile(url: string, remedy = CORRECT): void {
  const file = fileOf(url);
  if (file === undefined || existsSync(file)) return;
  throw new ConfigError(`There is no database ${url}`, { remedy });
}

const CORRECT = 'correct --database or WEB3_BI_DATABASE_URL; serve and import create a new one';

/** The same check before a command runs. A database in the state folder is created by any command. */
export function refuseMissingDatabase({ database_url, isDatabaseNamed, base_url }: Settings): void {
  if (isDatabaseNamed && base_url === undefined) refuseMissingFile(database_url);
}
