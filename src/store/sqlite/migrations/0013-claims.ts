/**
 * Claims of sources, apart from the records derived from them. A claim without a record id belongs to a hidden record,
 * whose source was dropped or is withheld.
 */
export const claims = `
CREATE TABLE claims (
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  field TEXT NOT NULL,
  type TEXT NOT NULL,
  id INTEGER,
  value TEXT NOT NULL,
  as_of TEXT,
  seen_at TEXT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (source, key, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX claims_record ON claims (type, id);
CREATE TABLE claim_sources (
  source TEXT PRIMARY KEY,
  trust INTEGER NOT NULL,
  is_restricted INTEGER NOT NULL,
  is_withheld INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
