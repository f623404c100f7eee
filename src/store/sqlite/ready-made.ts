import { openStore } from '../open.ts';
import type { RowInput } from '../port/records.ts';
import { openSqlite } from './driver.ts';

/**
 * Makes a database file that is filled already, to be copied instead of being filled again. It is one file, and has no
 * secret: each copy makes its own when it is opened.
 */
export async function makeReady(path: string, rows: () => Iterable<RowInput>): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  await store.records.fillOnce(rows);
  await store.close();
  const database = openSqlite(path);
  database.exec("DELETE FROM settings WHERE name = 'key_pepper'");
  database.pragma('journal_mode = DELETE');
  database.exec('VACUUM');
  database.close();
}
