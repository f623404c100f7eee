/** Words by the codes of their deletions, some hundred in each row instead of one. The index of words is built anew. */
export const deletions = `
DROP TABLE search_deletions;
CREATE TABLE search_deletions (key INTEGER PRIMARY KEY, keys BLOB NOT NULL) STRICT;
UPDATE search_definitions SET value = json_remove(value, '$."companies words"') WHERE name = 'current';
`;
