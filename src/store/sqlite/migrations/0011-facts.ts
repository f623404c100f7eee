/** What aggregates and connections need of each record; a change has a higher number than all before it. A record that is gone has no facts. */
export const facts = `
CREATE TABLE record_facts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  id INTEGER NOT NULL,
  facts TEXT,
  UNIQUE (type, id)
) STRICT;
`;
