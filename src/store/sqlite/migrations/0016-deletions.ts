/** Words by deletion code, some hundred per row instead of one. The word index is rebuilt. */
export const deletions = `
DROP TABLE IF EXISTS search_deletions;
CREATE TABLE search_deletions (key INTEGER PRIMARY KEY, keys BLOB NOT NULL) STRICT;
UPDATE search_definitions SET value = json_remove(value, '$."companies words"') WHERE name = 'current';
`;
