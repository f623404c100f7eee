import { type Dialect, number, type RowUpdate, run, runEach, type SqlProgram, updateSql, type Value } from '../sql.ts';

/** Below this, rows are updated by a prepared statement each. */
const TOGETHER_MIN = 8;

export const postgresDialect: Dialect = {
  field: (type, field, kind) => {
    const found = `${type}.document ->> '${field}'`;
    switch (kind) {
      case 'money':
        return `CAST(${found} AS DOUBLE PRECISION)`;
      case 'number':
        return `CAST(${found} AS BIGINT)`;
      case 'name':
        return `lower((${found}) COLLATE "C")`;
      case 'text':
        return `((${found}) COLLATE "C")`;
    }
  },
  numbersOf: 'SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(? AS JSON))',
  textsOf: 'SELECT value FROM json_array_elements_text(CAST(? AS JSON))',
  updateRows: (update, rows) =>
    rows.length < TOGETHER_MIN ? runEach(updateSql(update), rows) : updateTogether(update, rows),
  lastId: (type) => number('SELECT last FROM record_numbers WHERE type = ?', type),
  keepLastId: (type, id) =>
    run(
      'INSERT INTO record_numbers (type, last) VALUES (?, ?) ON CONFLICT (type) DO UPDATE SET last = excluded.last',
      type,
      id,
    ),
  adoptNumbers: (table) =>
    run(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 0) + 1, false) FROM ${table}`),
};

const TYPES = { number: 'BIGINT', text: 'TEXT', json: 'TEXT' } as const;

/** Passes rows as one JSON list, because a statement per row costs more than its work. */
function updateTogether({ table, set, keys, also }: RowUpdate, rows: readonly (readonly Value[])[]): SqlProgram<void> {
  const columns = Object.entries({ ...set, ...keys });
  const given = columns.map(([column, kind]) => `${column} ${TYPES[kind]}`).join(', ');
  const assignments = Object.entries(set).map(([column, kind]) =>
    kind === 'json' ? `${column} = CAST(given.${column} AS JSON)` : `${column} = given.${column}`,
  );
  const conditions = Object.keys(keys).map((column) => `${table}.${column} = given.${column}`);
  const objects = rows.map((row) => Object.fromEntries(columns.map(([column], index) => [column, row[index]])));
  return run(
    `UPDATE ${table} SET ${[...assignments, ...also].join(', ')}
      FROM json_to_recordset(CAST(? AS JSON)) AS given(${given}) WHERE ${conditions.join(' AND ')}`,
    JSON.stringify(objects),
  );
}
