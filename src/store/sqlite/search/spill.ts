import type { Database } from 'better-sqlite3';

/** Sorted runs spilled to the connection's temporary database, which is deleted with the connection. */
export interface Spill {
  /** Spills numbers; the result reads them slice by slice to bound memory. */
  keepNumbers(numbers: Float64Array, sliceLength: number): Iterable<Float64Array>;
  keepRows<Row>(rows: readonly Row[]): Iterable<Row>;
  clear(): void;
}

const SLICE_ROWS = 256;

export function createSpill(database: Database): Spill {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS search_spill (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT');
  const put = database.prepare<[Uint8Array]>('INSERT INTO temp.search_spill (data) VALUES (?)');
  const find = database.prepare<[number], Buffer>('SELECT data FROM temp.search_spill WHERE id = ?').pluck();
  const clear = database.prepare('DELETE FROM temp.search_spill');
  const keep = (data: Uint8Array): number => Number(put.run(data).lastInsertRowid);
  const read = (id: number): Buffer => find.get(id) as Buffer;

  function* numbersOf(ids: readonly number[]): Generator<Float64Array> {
    // Copied, because database buffers may be unaligned.
    for (const id of ids) yield new Float64Array(Uint8Array.from(read(id)).buffer);
  }
  function* rowsOf<Row>(ids: readonly number[]): Generator<Row> {
    for (const id of ids) yield* JSON.parse(read(id).toString()) as Row[];
  }

  return {
    keepNumbers(numbers, sliceLength) {
      const ids: number[] = [];
      for (let start = 0; start < numbers.length; start += sliceLength) {
        const slice = numbers.subarray(start, start + sliceLength);
        ids.push(keep(new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength)));
      }
      return numbersOf(ids);
    },
    keepRows<Row>(rows: readonly Row[]) {
      const ids: number[] = [];
      for (let start = 0; start < rows.length; start += SLICE_ROWS)
        ids.push(keep(Buffer.from(JSON.stringify(rows.slice(start, start + SLICE_ROWS)))));
      return rowsOf<Row>(ids);
    },
    clear: () => void clear.run(),
  };
}
