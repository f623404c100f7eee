import type { Dialect } from '../sql/dialect.ts';
import { atOnce, runEach, updateSql, value } from '../sql/program.ts';

export const sqliteDialect: Dialect = {
  field: (type, field, kind) => {
    const found = `${type}.document ->> '$.${field}'`;
    if (kind === 'money') return `CAST(${found} AS REAL)`;
    return kind === 'name' ? `lower(${found})` : `(${found})`;
  },
  numbersOf: 'SELECT value FROM json_each(?)',
  textsOf: 'SELECT value FROM json_each(?)',
  updateRows: (update, rows) => runEach(updateSql(update), rows),
  lastId: function* lastId(type) {
    return (yield* value<number>('SELECT seq FROM sqlite_sequence WHERE name = ?', type)) ?? 0;
  },
  // Every table of records has its own sequence.
  keepLastId: () => atOnce(() => {}),
  adoptNumbers: () => atOnce(() => {}),
};
