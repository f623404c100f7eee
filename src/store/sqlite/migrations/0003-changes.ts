const TYPES = ['companies', 'people', 'investors', 'events', 'rounds'];

const deletedIndex = (type: string): string => `
CREATE INDEX ${type}_deleted ON ${type} (deleted_at) WHERE deleted_at IS NOT NULL;`;

/** Former slugs, the audit log, and the stored responses of idempotency keys. */
export const changes = `
${TYPES.map(deletedIndex).join('')}
CREATE INDEX rounds_live ON rounds (id) WHERE deleted_at IS NULL;
CREATE TABLE former_slugs (
  type TEXT NOT NULL,
  slug TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (type, slug)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  account TEXT NOT NULL,
  key_id INTEGER,
  action TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id INTEGER,
  request_id TEXT,
  address TEXT,
  before TEXT,
  after TEXT
) STRICT;
CREATE INDEX audit_target ON audit (target_type, target_id, id);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TABLE idempotency (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);
`;
