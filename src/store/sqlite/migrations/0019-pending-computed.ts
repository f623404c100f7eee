/** Records whose fields that follow rounds a large import computes at its end. */
export const pendingComputed = `
CREATE TABLE pending_computed (
  type TEXT NOT NULL,
  id INTEGER NOT NULL,
  recorded TEXT,
  PRIMARY KEY (type, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending_funding (company_id INTEGER PRIMARY KEY) STRICT;
INSERT INTO pending_computed (type, id) SELECT 'companies', company_id FROM pending_funding;
DROP TABLE pending_funding;
`;
