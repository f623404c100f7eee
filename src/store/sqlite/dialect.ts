import type { Dialect } from '../sql/dialect.ts';
import { atOnce, number, runEach, updateSql } from '../sql/program.ts';

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
