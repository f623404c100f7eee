import { atOnce, type Dialect, number, runEach, updateSql } from '../sql.ts';

/** A subquery of the numbers or texts in a JSON list parameter. */
export const LISTED = 'SELECT value FROM json_each(?)';

export const sqliteDialect: Dialect = {
  field: (type, field, kind) => {
    const found = `${type}.document ->> '$.${field}'`;
    if (kind === 'money') return `CAST(${found} AS REAL)`;
    return kind === 'name' ? `lower(${found})` : `(${found})`;
  },
  numbersOf: LISTED,
  textsOf: LISTED,
  updateRows: (update, rows) => runEach(updateSql(update), rows),
  lastId: (type) => number('SELECT seq FROM sqlite_sequence WHERE name = ?', type),
  // Every table of records has its own sequence.
  keepLastId: () => atOnce(() => {}),
  adoptNumbers: () => atOnce(() => {}),
};
