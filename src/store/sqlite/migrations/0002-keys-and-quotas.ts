/**
 * Limits of accounts, further columns of keys, and a quota shared by a key and its successors. The table of keys is
 * recreated, because SQLite cannot add a NOT NULL column without a default.
 */
export const keysAndQuotas = `
ALTER TABLE accounts ADD COLUMN daily_limit INTEGER;
ALTER TABLE accounts ADD COLUMN monthly_limit INTEGER;
CREATE TABLE quotas (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  day TEXT NOT NULL DEFAULT '',
  day_used INTEGER NOT NULL DEFAULT 0,
  month TEXT NOT NULL DEFAULT '',
  month_used INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE new_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  quota_id INTEGER NOT NULL REFERENCES quotas (id),
  name TEXT NOT NULL,
  level TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  display TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT,
  expires_at TEXT,
  revoked_at TEXT,
  allowed_cidrs TEXT NOT NULL DEFAULT '',
  last_used_at TEXT,
  last_used_ip TEXT,
  rotated_from INTEGER,
  replaced_at TEXT,
  overlap_ends_at TEXT
) STRICT;
INSERT INTO quotas (id) SELECT id FROM keys;
INSERT INTO new_keys (id, account_id, quota_id, name, level, hash, display, created_at, expires_at, revoked_at)
  SELECT id, account_id, id, name, level, hash, display, created_at, expires_at, revoked_at FROM keys;
DROP TABLE keys;
ALTER TABLE new_keys RENAME TO keys;
CREATE INDEX keys_account ON keys (account_id);
`;
