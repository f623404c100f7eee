import { isPostgres } from './empty-database.ts';

/** Whether this is `npm run test:long`, with more kills and random inputs. */
export const isLong = process.env['TEST_LENGTH'] === 'long';
/** Whether what depends on no engine is left out, because the run tests it over SQLite already. */
export const isSecondEngine = isPostgres && !isLong;
