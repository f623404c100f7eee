import type { Database, Statement } from 'better-sqlite3';

type Value = number | bigint | string | Uint8Array | null;

export type Appender = ReturnType<typeof createAppender>;

const ROWS = 32;

/** With an index of expressions, SQLite assumes that any statement of several rows can fail. */
const EXPRESSION_INDEX = `SELECT 1 FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part
  WHERE part.cid = -2`;

/**
 * Batches inserts into a table, because a statement costs as much as a row. With INSERT OR FAIL, rows before a rejected
 * one remain and the caller rolls back; the default ABORT would copy every changed page to a statement journal.
 */
export function createAppender(database: Database, table: string, columns: readonly string[]) {
  const row = `(${columns.map(() => '?').join()})`;
  const into = `INSERT OR FAIL INTO ${table} (${columns.join()}) VALUES `;
  const one = database.prepare(into + row);
  const rows = database.prepare(EXPRESSION_INDEX).get(table) === undefined ? ROWS : 1;
  const waiting = new Array<Value>(rows * columns.length).fill(null);
  let many: Statement | undefined;
  let length = 0;
  return {
    add(values: readonly Value[]): void {
      for (let index = 0; index < columns.length; index++) waiting[length++] = values[index];
      if (length < waiting.length) return;
      length = 0;
      many ??= database.prepare(into + new Array<string>(rows).fill(row).join());
      many.run(waiting);
    },
    flush(): void {
      // A rejected row is not retried.
      const end = length;
      length = 0;
      for (let start = 0; start < end; start += columns.length) one.run(waiting.slice(start, start + columns.length));
    },
  };
}
