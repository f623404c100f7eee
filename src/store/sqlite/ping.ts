import { createSchemaCheck } from './database.ts';
import type { Sqlite } from './driver.ts';
import { createPlaceCheck } from './place-check.ts';

/** A look at whether the database can be read. */
export function createPing(database: Sqlite): () => void {
  const probe = database.prepare('SELECT 1 FROM settings LIMIT 1');
  const checkSchema = createSchemaCheck(database);
  const checkPlace = createPlaceCheck(database);
  return () => {
    probe.get();
    checkSchema();
    checkPlace();
  };
}
