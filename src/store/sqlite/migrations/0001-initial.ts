const TYPES = ['companies', 'people', 'investors', 'events', 'rounds'];
const SEARCHED = ['companies', 'people', 'investors', 'events'];

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

const searchTable = (type: string): string => `
CREATE VIRTUAL TABLE ${type}_text USING fts5 (
  names, keywords, headline, overview, related,
  content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);`;

export const initial = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
${TYPES.map(recordTable).join('')}
${SEARCHED.map(searchTable).join('')}
CREATE TABLE record_keys (
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (type, key, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_keys_id ON record_keys (type, id);
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
