import { atOnce, type Dialect, number, runEach, updateSql } from '../sql.ts';

export const sqliteDialect: Dialect = {
  field: (type, field, kind) => {
    const found = `${type}.document ->> '$.${field}'`;
    if (kind === 'money') return `CAST(${found} AS REAL)`;
    return kind === 'name' ? `lower(${found})` : `(${found})`;
  },
  numbersOf: 'SELECT value FROM json_each(?)',
  textsOf: 'SELECT value FROM json_each(?)',
  updateRows: (update, rows) => runEach(updateSql(update), rows),
  lastId: (type) => number('SELECT seq FROM sqlite_sequence WHERE name = ?', type),
  // Every table of records has its own sequence.
  keepLastId: () => atOnce(() => {}),
  adoptNumbers: () => atOnce(() => {}),
};
