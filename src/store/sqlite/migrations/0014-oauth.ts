/** OAuth grants, one per consent, with their codes and tokens. */
export const oauth = `
ALTER TABLE keys ADD COLUMN client_id TEXT;
CREATE TABLE oauth_grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id INTEGER NOT NULL REFERENCES keys (id),
  resource TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  created_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT;
CREATE INDEX oauth_grants_key ON oauth_grants (key_id);
CREATE TABLE oauth_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id INTEGER NOT NULL REFERENCES oauth_grants (id),
  kind TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  level TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_end ON oauth_tokens (expires_at);
`;
