import { createHash } from 'node:crypto';
import { all, first, insertRows, runEach, type SqlProgram, type Value } from '../sql/program.ts';
import type { MovedTable } from './copied-tables.ts';

export type TableRow = Readonly<Record<string, Value>>;

/** Position in a table: the key of the last row. */
export type KeyPosition = readonly Value[];

export const placeOf = ({ key }: MovedTable, row: TableRow): KeyPosition => key.map((column) => row[column] ?? null);

/** Rows after a key, in key order. */
export function rowsBehind(
  { name, key }: MovedTable,
  place: KeyPosition | undefined,
  limit: number,
): SqlProgram<TableRow[]> {
  const columns = key.join(', ');
  const behind = place === undefined ? '' : `WHERE (${columns}) > (${key.map(() => '?').join(', ')})`;
  return all<TableRow>(`SELECT * FROM ${name} ${behind} ORDER BY ${columns} LIMIT ?`, ...(place ?? []), limit);
}

const PUT_SETTING = `INSERT INTO settings (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Inserts rows unchanged; settings replace those of the new database. */
export function putRows({ name }: MovedTable, rows: readonly TableRow[]): SqlProgram<void> {
  const columns = name === 'settings' ? ['name', 'value'] : Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
  return name === 'settings' ? runEach(PUT_SETTING, cells) : insertRows(name, columns, cells);
}

/** Number of rows of a table, without the state of the transfer itself. */
export function* countRows({ name }: MovedTable): SqlProgram<number> {
  const row = yield* first<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
  return row?.rows ?? 0;
}

const SUM_BYTES = 16;

/** An order-independent and engine-independent checksum of rows. */
export class Checksum {
  #rows = 0;
  readonly #sum = Buffer.alloc(SUM_BYTES);

  add(row: TableRow): void {
    const cells = Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const text = JSON.stringify(cells.map(([, cell]) => (Buffer.isBuffer(cell) ? cell.toString('hex') : cell)));
    const digest = createHash('sha256').update(text).digest();
    for (let index = 0; index < SUM_BYTES; index += 1)
      this.#sum[index] = (this.#sum[index] ?? 0) ^ (digest[index] ?? 0);
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  toString(): string {
    return this.#sum.toString('hex');
  }
}
