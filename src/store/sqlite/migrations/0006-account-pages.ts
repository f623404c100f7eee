/** Persons, sessions, invitations, attempts, the request log with daily counts, and the person of an audit entry. */
export const accountPages = `
CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  level TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_sign_in_at TEXT
) STRICT;
CREATE INDEX members_account ON members (account_id);
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER REFERENCES accounts (id),
  email TEXT,
  role TEXT NOT NULL,
  level TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  created_by TEXT,
  expires_at TEXT NOT NULL,
  used_at TEXT,
  withdrawn_at TEXT
) STRICT;
CREATE INDEX invitations_account ON invitations (account_id);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,
  previous_hash BLOB,
  form_token TEXT NOT NULL,
  agent_hash BLOB NOT NULL,
  address TEXT,
  created_at TEXT NOT NULL,
  used_at TEXT NOT NULL,
  rotated_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX sessions_previous ON sessions (previous_hash) WHERE previous_hash IS NOT NULL;
CREATE INDEX sessions_person ON sessions (person_id);
CREATE TABLE attempts (
  subject TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  tries INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_end ON attempts (ends_at);
CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  method TEXT NOT NULL,
  route TEXT NOT NULL,
  status INTEGER NOT NULL,
  class INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  code TEXT,
  address TEXT
) STRICT;
CREATE INDEX requests_account ON requests (account_id, class, id);
CREATE INDEX requests_key ON requests (key_id, class, id);
CREATE INDEX requests_request ON requests (request_id);
CREATE TABLE request_days (
  key_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  class INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, class)
) STRICT, WITHOUT ROWID;
ALTER TABLE audit ADD COLUMN person TEXT;
CREATE INDEX audit_account ON audit (account, id);
CREATE INDEX audit_account_target ON audit (account, target_type, id);
`;
