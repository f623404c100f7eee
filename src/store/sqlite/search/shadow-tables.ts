import type { Database } from 'better-sqlite3';
import { DELETIONS_TABLE, GRAMS_TABLE, searchTables, TERMS_TABLE } from './search-tables.ts';

export interface ShadowTables {
  /** Recreates the tables of some types, or all including the vocabulary, also after an interrupted build. */
  create(types?: readonly string[]): void;
  of(table: string): string;
  /** Swaps them with the live tables, which remain beside them. */
  swap(): void;
  /** Drops one replaced table, which takes time proportional to its size. False if none is left. */
  dropReplaced(): boolean;
}

export function createShadowTables(database: Database, types: readonly string[]): ShadowTables {
  const tablesOf = (some: readonly string[]): string[] => some.flatMap((type) => Object.values(searchTables(type)));
  const tables = [TERMS_TABLE, DELETIONS_TABLE, GRAMS_TABLE, ...tablesOf(types)];
  let created: readonly string[] = tables;
  const of = (table: string): string => `${table}_built`;
  const replaced = (table: string): string => `${table}_replaced`;
  const names = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
  const definitions = database.prepare<[string], { readonly type: 'table' | 'index'; readonly sql: string }>(
    'SELECT type, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC',
  );
  return {
    of,
    create(some) {
      created = some === undefined ? tables : tablesOf(some);
      // SQLite indexes keep their names when tables are renamed, so each needs a unique name.
      const stamp = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36);
      for (const table of tables) {
        database.exec(`DROP TABLE IF EXISTS ${of(table)}; DROP TABLE IF EXISTS ${replaced(table)}`);
        if (!created.includes(table)) continue;
        for (const [place, { type, sql }] of definitions.all(table).entries()) {
          const made =
            type === 'table'
              ? sql.replace(/^CREATE TABLE \S+/, `CREATE TABLE ${of(table)}`)
              : sql.replace(/INDEX \S+ ON \S+/, `INDEX ${table}_${place}_${stamp} ON ${of(table)}`);
          database.exec(made);
        }
      }
    },
    swap() {
      const rename = (from: string, to: string) => database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      for (const table of created) {
        rename(table, replaced(table));
        rename(of(table), table);
      }
    },
    dropReplaced() {
      const there = new Set(names.all());
      const left = tables.map(replaced).find((table) => there.has(table));
      if (left !== undefined) database.exec(`DROP TABLE ${left}`);
      return left !== undefined;
    },
  };
}
