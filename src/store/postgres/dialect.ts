import type { Dialect } from '../sql/dialect.ts';
import { run, value } from '../sql/steps.ts';

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
  lastId: function* lastId(type) {
    return (yield* value<number>('SELECT last FROM record_numbers WHERE type = ?', type)) ?? 0;
  },
  keepLastId: (type, id) =>
    run(
      'INSERT INTO record_numbers (type, last) VALUES (?, ?) ON CONFLICT (type) DO UPDATE SET last = excluded.last',
      type,
      id,
    ),
  adoptNumbers: (table) =>
    run(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 0) + 1, false) FROM ${table}`),
};
