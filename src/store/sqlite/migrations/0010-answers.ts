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

function sortIndex([type, field]: readonly [string, string]): string {
  const value = `document ->> '$.${field}'`;
  const column =
    field === 'name' ? `lower(${value})` : field.endsWith('_usd') ? `CAST(${value} AS REAL)` : `(${value})`;
  return `
CREATE INDEX ${type}_${field} ON ${type} (${column}, id);`;
}

/** Makes rounds searchable and counts field values. Facets are rebuilt under other keys. */
export const answers = `
CREATE TABLE rounds_search_documents (
  id INTEGER PRIMARY KEY,
  ordinal INTEGER NOT NULL,
  lists BLOB NOT NULL,
  keys TEXT NOT NULL
) STRICT;
CREATE INDEX rounds_search_ordinals ON rounds_search_documents (ordinal);
CREATE TABLE rounds_search_keys (
  key TEXT NOT NULL,
  kind INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (key, kind, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE rounds_search_lists (key INTEGER PRIMARY KEY, count INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
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
