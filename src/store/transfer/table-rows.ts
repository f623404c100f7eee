import { createHash } from 'node:crypto';
import { all, first, insertRows, runEach, type SqlProgram, type Value } from '../sql/program.ts';
import type { MovedTable } from './copied-tables.ts';

export type TableRow = Readonly<Record<string, Value>>;

/** Where to go on in a table: behind the row with this key. */
export type KeyPosition = readonly Value[];

export const placeOf = ({ key }: MovedTable, row: TableRow): KeyPosition => key.map((column) => row[column] ?? null);

/** Rows of a table behind a place, in the order of their keys. */
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

/** Puts rows in as they are; a setting is put in place of the one that a new database gave itself. */
export function putRows({ name }: MovedTable, rows: readonly TableRow[]): SqlProgram<void> {
  const columns = name === 'settings' ? ['name', 'value'] : Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
  return name === 'settings' ? runEach(PUT_SETTING, cells) : insertRows(name, columns, cells);
}

/** How many rows a table has, but for the state of the move itself. */
export function* countRows({ name }: MovedTable): SqlProgram<number> {
  const row = yield* first<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
  return row?.rows ?? 0;
}

const SUM_BYTES = 16;

/** A sum over rows that is the same in any order and in any engine. */
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
