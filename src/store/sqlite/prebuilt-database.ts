import { openStore } from '../open.ts';
import type { RowInput, ShippedEdition } from '../port/records.ts';
import { openSqlite } from './driver.ts';

/** Creates a prefilled database file for copying. It is a single file without secret; each copy creates its own when opened. */
export async function writePrebuiltDatabase(
  path: string,
  rows: () => Iterable<RowInput>,
  edition: ShippedEdition,
): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  await store.records.fillOnce(rows, edition);
  await store.close();
  const database = openSqlite(path);
  database.exec("DELETE FROM settings WHERE name = 'key_pepper'");
  database.pragma('journal_mode = DELETE');
  database.exec('VACUUM');
  database.close();
}
