/** Words of names by what they contain. The word index is rebuilt. */
export const infixes = `
CREATE TABLE search_infixes (key INTEGER PRIMARY KEY, keys BLOB NOT NULL) STRICT;
UPDATE search_definitions SET value = json_remove(value, '$."companies words"') WHERE name = 'current';
`;
