/** Duplicate candidates, decisions, and the undo information of merges. */
export const duplicates = `
CREATE TABLE duplicates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  left_id INTEGER NOT NULL,
  right_id INTEGER NOT NULL,
  rule TEXT NOT NULL,
  score INTEGER NOT NULL,
  state TEXT NOT NULL,
  found_at TEXT NOT NULL,
  decided_at TEXT,
  gone_id INTEGER,
  undo TEXT,
  UNIQUE (type, left_id, right_id)
) STRICT;
CREATE INDEX duplicates_gone ON duplicates (type, gone_id) WHERE gone_id IS NOT NULL;
CREATE INDEX duplicates_state ON duplicates (state, score, id);
`;
