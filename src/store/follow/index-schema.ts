import { createHash } from 'node:crypto';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { currentFingerprints, type DerivedKind } from '../records/derived.ts';
import { openSqlite, type Sqlite } from '../sqlite/driver.ts';
import { migrations } from '../sqlite/migrations/index.ts';

/** Data derived in an index file; computed fields are complete in the source. */
export const DERIVED: readonly DerivedKind[] = ['facets', 'words', 'facts'];

/** Application id of index files: "w3ix". */
export const APPLICATION_ID = 0x77336978;
/** Incremented when the follower writes different rows into the same tables. */
const FORMAT = 1;

const OWN_TABLES = `
CREATE TABLE followed (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  source TEXT NOT NULL,
  version TEXT NOT NULL,
  seq INTEGER NOT NULL,
  mark TEXT NOT NULL
) STRICT;`;

/** Schema of an index file, and a hash of everything its content depends on. */
export interface IndexSchema {
  readonly sql: string;
  readonly version: string;
}

/** The tables for searches and lists. Slugs are not unique: a batch of changes may swap those of two records. */
export function indexSchema(): IndexSchema {
  const model = openSqlite(':memory:');
  try {
    for (const step of migrations) model.exec(step);
    const sql = `${schemaOf(model).join(';\n')};${OWN_TABLES}`;
    const hash = createHash('sha256').update(JSON.stringify([FORMAT, sql, currentFingerprints(DERIVED)]));
    return { sql, version: hash.digest('hex').slice(0, 16) };
  } finally {
    model.close();
  }
}

function schemaOf(database: Sqlite): string[] {
  const copiedTables = new Set<string>([
    ...RECORD_TYPES,
    'labels',
    'label_values',
    'links',
    'record_keys',
    'record_facts',
  ]);
  const isKept = (table: string): boolean =>
    copiedTables.has(table) ||
    table.startsWith('search_') ||
    RECORD_TYPES.some((type) => table.startsWith(`${type}_search_`));
  return database
    .prepare<[], { name: string; table: string; sql: string }>(
      'SELECT name, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
    )
    .all()
    .filter(({ name, table }) => isKept(table) && !UNUSED.test(name))
    .map(({ sql }) => sql.replace('CREATE UNIQUE INDEX', 'CREATE INDEX'));
}

/** Index files contain no deleted records. */
const UNUSED = /^(?:\w+_deleted|sqlite_\w+)$/;
