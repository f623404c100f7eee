const TYPES = ['companies', 'people', 'investors', 'events', 'rounds'];
const SEARCHED = ['companies', 'people', 'investors', 'events'];

/** Fields with bound filters or sorts. */
const SORTED: readonly (readonly [string, string])[] = [
  ...SEARCHED.flatMap((type) => [[type, 'name'] as const, [type, 'updated_at'] as const]),
  ['companies', 'year_founded'],
  ['companies', 'total_employees'],
  ['companies', 'total_funding_usd'],
  ['investors', 'year_founded'],
  ['investors', 'investments_count'],
  ['events', 'start_date'],
];

export function sortIndex([type, field]: readonly [string, string]): string {
  const value = `document ->> '$.${field}'`;
  const column =
    field === 'name' ? `lower(${value})` : field.endsWith('_usd') ? `CAST(${value} AS REAL)` : `(${value})`;
  return `
CREATE INDEX ${type}_${field} ON ${type} (${column}, id);`;
}

const recordTable = (type: string): string => `
CREATE TABLE ${type} (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  is_shipped INTEGER NOT NULL DEFAULT 0,
  deleted_at TEXT
) STRICT;
CREATE UNIQUE INDEX ${type}_slug ON ${type} (slug) WHERE deleted_at IS NULL;`;

export const initial = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
${TYPES.map(recordTable).join('')}
CREATE TABLE search_terms (
  id INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE,
  spelling INTEGER NOT NULL DEFAULT 0,
  stem TEXT
) STRICT;
CREATE INDEX search_terms_stem ON search_terms (stem) WHERE stem IS NOT NULL;
CREATE TABLE search_sizes (type TEXT PRIMARY KEY, documents INTEGER NOT NULL, steps TEXT NOT NULL) STRICT, WITHOUT ROWID;
${SORTED.map(sortIndex).join('')}
CREATE TABLE record_keys (
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (type, key, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_keys_id ON record_keys (type, id);
CREATE TABLE labels (
  type TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (type, field, value, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX labels_id ON labels (type, id);
CREATE TABLE links (
  relation TEXT NOT NULL,
  from_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  to_type TEXT,
  to_id INTEGER,
  key TEXT NOT NULL,
  PRIMARY KEY (relation, from_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_to ON links (to_type, to_id, relation);
CREATE INDEX links_pending ON links (key) WHERE to_id IS NULL;
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  level TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  display TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT
) STRICT;
`;
