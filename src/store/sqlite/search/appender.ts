import type { Database } from 'better-sqlite3';

type Value = number | string | Uint8Array | null;

/** Appends rows to a table, several with each statement: a statement costs as much as a row. */
export interface Appender {
  add(row: readonly Value[]): void;
  /** Writes what is left. */
  flush(): void;
}

const ROWS = 32;

export function createAppender(database: Database, table: string, columns: readonly string[]): Appender {
  const row = `(${columns.map(() => '?').join()})`;
  const into = `INSERT INTO ${table} (${columns.join()}) VALUES `;
  const one = database.prepare(into + row);
  const many = database.prepare(into + new Array<string>(ROWS).fill(row).join());
  const waiting = new Array<Value>(ROWS * columns.length).fill(null);
  let length = 0;
  return {
    add(values) {
      for (let index = 0; index < columns.length; index++) waiting[length++] = values[index];
      if (length < waiting.length) return;
      many.run(waiting);
      length = 0;
    },
    flush() {
      for (let start = 0; start < length; start += columns.length)
        one.run(waiting.slice(start, start + columns.length));
      length = 0;
    },
  };
}
