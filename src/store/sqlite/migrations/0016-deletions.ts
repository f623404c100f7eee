/**
 * Words by the codes of their deletions: one integer, with the number of the word's term below the code, takes half the space of a
 * row with the word, and less than half the time to write.
 */
export const deletions = `
CREATE TABLE search_deletions_kept (key INTEGER PRIMARY KEY) STRICT;
INSERT INTO search_deletions_kept (key)
  SELECT (code << 26) + id FROM search_deletions JOIN search_terms ON term = 'w' || word ORDER BY code, id;
DROP TABLE search_deletions;
ALTER TABLE search_deletions_kept RENAME TO search_deletions;
`;
