import type { Database } from 'better-sqlite3';
import { MERGES_TABLE, RUNS_TABLE, TERMS_TABLE } from './search-tables.ts';

/** Terms that any process would forget and that are noted meanwhile, among the runs of lists, which wait as well. */
export function createHeldReleases(database: Database) {
  const find = database.prepare(`SELECT 1 FROM ${MERGES_TABLE} WHERE target = '${TERMS_TABLE}'`);
  const hold = database.prepare(
    `INSERT OR REPLACE INTO ${MERGES_TABLE} (target, last_run, next_list) VALUES ('${TERMS_TABLE}', 0, 0)`,
  );
  const note = database.prepare<[Uint8Array]>(
    `INSERT INTO ${RUNS_TABLE} (target, stamp, data) VALUES ('${TERMS_TABLE}', 0, ?)`,
  );
  const read = database
    .prepare<[], string>(`SELECT CAST(data AS TEXT) FROM ${RUNS_TABLE} WHERE target = '${TERMS_TABLE}'`)
    .pluck();
  return {
    hold: () => void hold.run(),
    isHolding: () => find.get() !== undefined,
    note: (terms: readonly number[]) => void note.run(Buffer.from(JSON.stringify(terms))),
    take() {
      const terms = read.all().flatMap((text) => JSON.parse(text) as number[]);
      for (const table of [RUNS_TABLE, MERGES_TABLE])
        database.exec(`DELETE FROM ${table} WHERE target = '${TERMS_TABLE}'`);
      return terms;
    },
  };
}
