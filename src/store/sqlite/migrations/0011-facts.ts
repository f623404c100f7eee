/** Facts of records for aggregates and connections, numbered in the order of changes. Deleted records have none. */
export const facts = `
CREATE TABLE record_facts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  id INTEGER NOT NULL,
  facts TEXT,
  UNIQUE (type, id)
) STRICT;
`;
