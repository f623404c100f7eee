import { sortIndex } from './0001-initial.ts';
import { searchTables } from './0009-search-order.ts';

const TYPES = ['companies', 'people', 'investors', 'events', 'rounds'];

/** Further fields with bound filters or sorts. */
const SORTED: readonly (readonly [string, string])[] = [
  ['rounds', 'name'],
  ['rounds', 'updated_at'],
  ['rounds', 'announced_date'],
  ['rounds', 'amount_usd'],
  ['companies', 'last_round_date'],
  ['investors', 'lead_count'],
  ['people', 'angel_investments'],
  ...TYPES.map((type) => [type, 'as_of'] as const),
];

/** Makes rounds searchable and counts field values. Facets are rebuilt under other keys. */
export const answers = `
${searchTables('rounds')}
DELETE FROM labels;
CREATE TABLE label_values (
  type TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  shown TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (type, field, value)
) STRICT, WITHOUT ROWID;
${SORTED.map(sortIndex).join('')}
`;
